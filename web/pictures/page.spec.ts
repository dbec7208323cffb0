import type { Page } from '@playwright/test';
import { another, bars, expect, field, rename, row, run, status } from '../tests/station';
import { enter, lookAtWrist, pressWrist, wear } from '../tests/headset';
import { colours, lookFrom, onGround, sharp, succeeded, test } from './studio';

test.describe('the main layouts', () => {
  // The first of them is the first thing that people see of Coact: it has two pixels for one, the others their mean.
  test.use({ deviceScaleFactor: 2 });
  const fromAhead = (page: Page): Promise<void> => lookFrom(page, -0.9, 0.35, 2.4, [0.35, 0, 0.95]);

  test('while balls are picked with both hands', async ({ page, show, take }) => {
    await show('skills/tables/sort.json', ['--world', 'table-sorting', '--robot', 'coact-one']);
    await fromAhead(page);
    await run(page, 'Automatic');
    // A click on what runs leads to it in the tree.
    await page.locator('.running-list').getByText('Down to right ball').dispatchEvent('click', {}, { timeout: 60_000 });
    await expect(row(page, 'Down to right ball')).toHaveAttribute('aria-selected', 'true');
    await take('author');
    await page.keyboard.press('Alt+2');
    await expect(page.getByRole('button', { name: 'Run', exact: true, pressed: true })).toBeVisible();
    await fromAhead(page);
    await page.locator('.running-list').getByText('Down to left ball').waitFor({ timeout: 60_000 });
    await take('run', await sharp(page, { scale: 'css' }));
    await succeeded(page);
    await page.keyboard.press('Alt+3');
    await expect(bars(page).first()).toBeVisible();
    await take('review', await sharp(page, { scale: 'css' }));
  });
});

test('what the camera sees', async ({ page, show, take }) => {
  await show('examples/world/nearest-ball.json', ['--world', 'table-balls']);
  await page.keyboard.press('Alt+2');
  await lookFrom(page, -0.9, 0.3, 2.8, [0.35, 0, 0.95]);
  await page.locator('.tab-title', { hasText: 'Camera' }).click();
  await expect(page.getByRole('img', { name: 'Picture of the camera' })).toBeVisible();
  await run(page, 'Automatic');
  await status(page, 'Before the hand covers it', 'success');
  await succeeded(page);
  await take('scene');
});

for (const [theme, name] of [
  ['Light', 'light'],
  ['High contrast', 'contrast'],
] as const) {
  test(`colours: ${theme}`, async ({ page, show, take }) => {
    await show('examples/body/arms-while-walking.json', ['--robot', 'coact-one']);
    await colours(page, theme);
    await lookFrom(page, -0.9, 0.3, 3, [0.6, 0, 0.85]);
    await row(page, 'Walk action').click();
    await run(page, 'Automatic');
    await status(page, 'Move Left Arm', 'success');
    await take(name);
    await status(page, 'Walk action', 'success');
    await succeeded(page);
  });
}

test('a preview', async ({ page, show, take }) => {
  await show({ name: 'Reach', children: [{ type: 'arm', name: 'Arm', frame: 'world', pose: { x_m: 0.4, y_m: -0.3, z_m: 1.3 } }] });
  await row(page, 'Arm').click();
  await page.keyboard.press('Control+p');
  await expect(page.locator('.readout')).toContainText('Preview: reached');
  await take('preview');
  await run(page, 'Step');
  await status(page, 'Arm', 'success');
});

test('a question', async ({ page, show, take }) => {
  await show({
    name: 'Asks',
    children: [
      { type: 'question', name: 'Door', text: 'Is the door open?', options: ['yes', 'no'], failures: ['no'] },
      { type: 'walk', name: 'Go through', frame: 'walking', stance: { x_m: 0.5 } },
    ],
  });
  await run(page, 'Automatic');
  const card = page.getByRole('alertdialog', { name: 'The behavior asks' });
  await expect(card).toContainText('Is the door open?');
  await take('question');
  await card.getByRole('button', { name: 'yes' }).click();
  await status(page, 'Go through', 'success');
  await succeeded(page);
});

test('a box on the map', async ({ page, show, take }) => {
  await show({ name: 'Walks' }, ['--robot', 'coact-one']);
  await page.keyboard.press('Alt+4');
  const from = await onGround(page, 0.6, 0.9);
  const to = await onGround(page, 1.2, 0.3);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('menuitem', { name: /^Add a walk into the box/ }).click();
  await expect(field(page, 'stance')).toBeVisible();
  await run(page, 'Step');
  await status(page, 'walk', 'running');
  await expect(page.locator('.readout')).toContainText(/pelvis 0\.[2-5]/);
  await take('map');
  await status(page, 'walk', 'success');
});

test('a branch that somebody added', async ({ page, show, take, browser }) => {
  const branch = (side: string): object => ({ type: 'arm', name: side, side: side.toLowerCase(), by: 'preset', preset: 'ready', duration_s: 12 });
  const demo = await show({
    name: 'Together',
    children: [{ type: 'parallel', name: 'Both', children: [branch('Left'), branch('Right'), { type: 'neck', name: 'Look', pitch_deg: 20, duration_s: 12 }] }],
  });
  const ben = await another(browser, demo, 'Ben');
  await run(page, 'Automatic');
  await status(page, 'Look', 'running');
  await row(ben, 'Look').click();
  await ben.keyboard.press('Control+d');
  await rename(ben, 'Look again');
  const held = page.getByRole('status', { name: 'Held' });
  await expect(held).toContainText('Look again');
  await take('added');
  await held.getByRole('button', { name: 'Admit' }).click();
  await status(page, 'Look again', 'success');
  await succeeded(page);
  await ben.context().close();
});

test.describe('in a headset', () => {
  test.use({ viewport: { width: 1200, height: 680 } });

  test('the panel on the wrist', async ({ page, show, take }) => {
    await wear(page);
    await show({ name: 'Wrist', children: [{ type: 'arm', name: 'Ready', by: 'preset', preset: 'ready', duration_s: 30 }] });
    await row(page, 'Ready').click();
    await enter(page);
    await pressWrist(page, 'Automatic');
    await status(page, 'Ready', 'running');
    await lookAtWrist(page, -0.1);
    await take('vr');
    await status(page, 'Ready', 'success');
    await pressWrist(page, 'Leave VR');
    await succeeded(page);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { another, bars, expect, mode, names, row, run, setNumber, status, test } from './station';

const behavior = {
  name: 'Recorded',
  variables: { count: 0 },
  children: [
    { type: 'stand_in', name: 'First', duration_s: 1 },
    { type: 'set', name: 'Counts', values: { count: '7' } },
    { type: 'arm', name: 'Arm home', side: 'left', by: 'preset', preset: 'home', duration_s: 1.5 },
    { type: 'always_fail', name: 'Counted', reason: 'it counted too far' },
  ],
};

const runs = (page: Page): Locator => page.getByRole('region', { name: 'Recorded runs' });
const review = (page: Page): Locator => page.getByRole('region', { name: 'Review of a recording' });
const tab = (page: Page, name: string): Promise<void> => page.locator('.dv-tab').filter({ hasText: name }).click();
const slider = (page: Page): Locator => page.getByRole('slider', { name: 'Moment of the recording' });
const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Run' });
const variable = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Variables and tokens' }).getByRole('row', { name: new RegExp(`^${name}`) });

/** Runs it to its end and shows the list of recorded runs. */
async function recorded(page: Page): Promise<void> {
  await run(page, 'Automatic');
  await status(page, 'Counted', 'failure');
  await mode(page, 'Failed');
  await listed(page);
}

async function listed(page: Page): Promise<void> {
  await page.getByRole('group', { name: 'Layouts' }).getByRole('button', { name: 'Review' }).click();
  await tab(page, 'Runs');
  await expect(runs(page).getByRole('row').filter({ hasText: 'Failed' })).toHaveCount(1);
}

/** Its recording ends where its world begins anew. */
async function ended(page: Page): Promise<void> {
  await page.keyboard.press('Alt+s');
  await page.getByRole('dialog', { name: 'Start' }).getByRole('button', { name: 'Reset world' }).click();
  await expect(page.locator('.outcome')).toBeHidden();
  await expect(runs(page).getByRole('row').filter({ hasText: 'Failed' }).filter({ hasNotText: 'live' })).toHaveCount(1);
}

async function open(page: Page): Promise<void> {
  await runs(page).getByRole('row').filter({ hasText: 'behavior.json' }).filter({ hasText: 'Failed' }).first().getByRole('button', { name: 'Review' }).click();
  await expect(review(page)).toContainText('Recording of behavior.json');
}

/** To a time since the run began. */
async function goTo(page: Page, toS: number): Promise<void> {
  const box = await page.getByRole('region', { name: 'Timeline of the run' }).boundingBox();
  const arm = await bars(page).filter({ hasText: 'Arm home' }).first().boundingBox();
  const first = await bars(page).filter({ hasText: 'First' }).first().boundingBox();
  if (!box || !arm || !first) throw new Error('no timeline');
  const perS = arm.x - first.x; // First takes a second
  await page.mouse.click(first.x + toS * perS, box.y + box.height - 40);
}

test('each run is in the list by itself; opened, every panel shows the moment, and nothing but Stop commands', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin(behavior);
  await recorded(page);
  const line = runs(page).getByRole('row').filter({ hasText: 'behavior.json' });
  await expect(line).toContainText('it counted too far');
  await expect(line).toContainText('Anna');
  await page.getByRole('searchbox', { name: 'Search recorded runs' }).fill('no such behavior');
  await expect(runs(page)).toContainText('No recording is like that.');
  await page.getByRole('searchbox', { name: 'Search recorded runs' }).fill('behavior');
  await open(page);

  await expect(bars(page)).toHaveCount(4);
  await tab(page, 'Variables');
  await goTo(page, 0.5);
  await expect(row(page, 'First')).toHaveClass(/running/);
  await expect(page.getByRole('status', { name: 'Looking back' })).toContainText('Recorded, as at 0.');
  await expect(variable(page, 'count')).toContainText('0');
  await goTo(page, 1.8);
  await expect(row(page, 'First')).toHaveClass(/success/);
  await expect(row(page, 'Arm home')).toHaveClass(/running/);
  await expect(variable(page, 'count')).toContainText('7');
  await tab(page, '3D');
  await expect(page.locator('.readout')).toContainText('pelvis');
  await page.screenshot({ path: 'test-results/review.png' });

  for (const name of ['Automatic', 'Step', 'Pause', 'Run from start']) await expect(toolbar(page).getByRole('button', { name, exact: true })).toBeDisabled();
  await row(page, 'First').getByRole('button', { name: 'Make it next' }).click();
  await expect(page.getByRole('log', { name: 'Notices' })).toContainText('nothing here commands the robot');
  await page.keyboard.press('Delete');
  expect(await names(page)).toContain('First');
  await mode(page, 'Failed'); // of the robot, not of then
  await review(page).getByRole('button', { name: 'Back to live' }).click();
  await expect(review(page)).toBeHidden();
  await expect(row(page, 'Counted')).toHaveClass(/failure/);
  await expect(toolbar(page).getByRole('button', { name: 'Step', exact: true })).toBeEnabled();

  // What one looks back to live is in the recording, too.
  await goTo(page, 1.8);
  await page.getByRole('button', { name: 'In its recording' }).click();
  await expect(review(page)).toContainText(/1\.[78]\d s, tick/);
  await expect(row(page, 'Arm home')).toHaveClass(/running/);
});

test('it plays, steps by ticks, jumps to failures; marks and keep stay, for another browser too', async ({ begin, browser }) => {
  const { page, demo } = await begin(behavior);
  await recorded(page);
  await ended(page);
  await open(page);
  await review(page).getByRole('combobox', { name: 'Speed' }).selectOption('8');
  await page.keyboard.press('Alt+k');
  await expect(row(page, 'Counted')).toHaveClass(/failure/);
  await expect(review(page).getByRole('button', { name: 'Play the recording' })).toHaveAttribute('aria-pressed', 'false');
  const tick = async (): Promise<number> => Number(/tick (\d+)/.exec((await review(page).textContent()) ?? '')?.[1]);
  const end = await tick();
  await review(page).getByRole('button', { name: 'To the failure before' }).click();
  await expect.poll(tick).toBeLessThan(end - 10);
  const before = await tick();
  await review(page).getByRole('button', { name: 'One tick back' }).click();
  await expect.poll(tick).toBe(before - 1);
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(tick).toBe(before);
  await page.keyboard.press('Alt+i');
  await page.getByRole('textbox', { name: 'What is to be seen here' }).fill('it counts too far');
  await page.keyboard.press('Enter');
  await expect(review(page).getByRole('button', { name: 'Mark: it counts too far' })).toBeVisible();
  await review(page).getByRole('button', { name: 'Keep' }).click();
  await expect(review(page).getByRole('button', { name: 'Kept' })).toBeVisible();

  const ben = await another(browser, demo, 'Ben');
  await ben.keyboard.press('Alt+r');
  await expect(runs(ben).getByRole('row').filter({ hasText: 'behavior.json' }).first()).toBeVisible();
  await ben.getByRole('group', { name: 'Which runs' }).getByRole('button', { name: 'Kept' }).click();
  await open(ben);
  await ben.getByRole('button', { name: 'Mark: it counts too far' }).click();
  await expect(row(ben, 'Counted')).toHaveClass(/failure/);
});

test('a recording that is still written takes a mark, which is in the file when it is closed', async ({ begin }) => {
  const { page, demo } = await begin(behavior);
  await recorded(page);
  await open(page);
  await goTo(page, 0.5);
  await page.keyboard.press('Alt+i');
  await page.getByRole('textbox', { name: 'What is to be seen here' }).fill('seen while it ran');
  await page.keyboard.press('Enter');
  await expect(review(page).getByRole('button', { name: 'Mark: seen while it ran' })).toBeVisible();
  const beside = (): string[] => readdirSync(join(demo.folder, 'recordings')).filter((file) => file.endsWith('.marks'));
  expect(beside()).toHaveLength(1);
  await review(page).getByRole('button', { name: 'Back to live' }).click();
  await tab(page, 'Runs');
  await ended(page);
  await open(page);
  await expect(review(page).getByRole('button', { name: 'Mark: seen while it ran' })).toBeVisible();
  expect(beside()).toHaveLength(0);
});

test('any channel over time: statistics of what is seen, one time for all, a table to take away', async ({ begin }) => {
  const { page } = await begin(behavior);
  await recorded(page);
  await open(page);
  await tab(page, 'Plots');
  const channels = page.getByRole('region', { name: 'Channels', exact: true });
  await channels.getByRole('searchbox').fill('left elbow position');
  await channels.getByRole('button').first().click();
  const plot = page.locator('.plot-one');
  await expect(plot.getByRole('row').nth(1).locator('td').nth(1)).not.toHaveText('–');
  await channels.getByRole('searchbox').fill('count');
  await channels.getByRole('button').first().dragTo(page.locator('.plot-new'));
  await expect(plot).toHaveCount(2);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const [head, ...lines] = readFileSync((await download.path()) ?? '', 'utf8')
    .trim()
    .split('\n');
  expect(head).toMatch(/^time_s,joint\/left_elbow.*,variable\/count$/);
  expect(lines.length).toBeGreaterThan(50);
  await page.screenshot({ path: 'test-results/plots.png' });
});

test('run again says it is the same; compared, the first difference is named and the bars stand under each other', async ({ begin }) => {
  const { page } = await begin(behavior);
  await recorded(page);
  await ended(page);
  await open(page);
  await review(page).getByRole('button', { name: 'Run again' }).click();
  await expect(review(page).getByRole('status', { name: 'Run again' })).toContainText('The same, bit for bit.', { timeout: 30_000 });
  await review(page).getByRole('button', { name: 'Back to live' }).click();

  await row(page, 'First').click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Show Settings');
  await page.keyboard.press('Enter');
  await setNumber(page, 'duration_s', 2);
  await tab(page, 'Tree');
  await page.getByRole('button', { name: 'Run from start' }).click();
  await status(page, 'Counted', 'failure');
  await tab(page, 'Runs');
  await open(page);
  await review(page).getByRole('button', { name: 'Compare…' }).click();
  await page
    .getByRole('dialog', { name: 'Compare with another run' })
    .getByRole('button', { name: /behavior.json/ })
    .first()
    .click();
  await expect(review(page).getByRole('status', { name: 'The other run' })).toContainText('First took 2.00 s here, 1.00 s there.');
  expect(await page.locator('.time-bar.beside').count()).toBeGreaterThan(2);
});

test('what if: the edited tree runs from that moment, and ends otherwise', async ({ begin }) => {
  const { page } = await begin(behavior);
  await recorded(page);
  await open(page);
  await goTo(page, 0.5);
  await review(page).getByRole('button', { name: 'Try an edit' }).click();
  await row(page, 'Counted').click();
  await page.keyboard.press('Control+/');
  await expect(row(page, 'Counted')).toHaveClass(/off/);
  await review(page).getByRole('button', { name: 'What if', exact: true }).click();
  await expect(review(page).getByRole('status', { name: 'The other run' })).toContainText('With the edited tree it succeeded', { timeout: 30_000 });
  await page.screenshot({ path: 'test-results/what-if.png' });
});

test('the start page has the behaviors and what ran lately; the robot panel how it is', async ({ begin }) => {
  const { page } = await begin(behavior);
  await recorded(page);
  await page.keyboard.press('Alt+s');
  const start = page.getByRole('dialog', { name: 'Start' });
  await expect(start.getByRole('region', { name: 'Behaviors' })).toContainText('behavior.json');
  await start.getByRole('region', { name: 'Recent runs' }).getByRole('button').first().click();
  await expect(review(page)).toContainText('Failed');
  await slider(page).press('End');
  await tab(page, 'Robot');
  await expect(page.getByRole('region', { name: 'State of the robot' })).toContainText('both on the ground');
});

test('of a recorded moment there are picture, points, objects and the simulated world, too', async ({ begin }) => {
  const { page } = await begin('examples/world/open-the-door.json', ['--world', 'push-door-lever']);
  await expect(page.locator('.readout')).toContainText(/points [\d.]+ s old/);
  await run(page, 'Automatic');
  await expect(bars(page).nth(3)).toBeVisible({ timeout: 60_000 });
  await page.locator('.status .stop').click();
  await mode(page, 'Stopped');
  await page.getByRole('group', { name: 'Layouts' }).getByRole('button', { name: 'Review' }).click();
  await tab(page, 'Runs');
  await runs(page).getByRole('button', { name: 'Review' }).first().click();
  await expect(review(page)).toContainText('Recording of behavior.json');
  await slider(page).press('End');
  for (let back = 0; back < 3; back++) await slider(page).press('PageUp');
  await expect(page.locator('.readout')).toContainText(/points [\d.]+ s old/);
  await page.screenshot({ path: 'test-results/door.png' });
  await tab(page, 'Camera');
  await expect(page.locator('.camera-age')).toHaveText(/taken [\d.]+ s before/);
  const colours = await page
    .locator('.camera canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => new Set(canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data).size);
  expect(colours).toBeGreaterThan(20);
  await page.screenshot({ path: 'test-results/camera.png' });
});

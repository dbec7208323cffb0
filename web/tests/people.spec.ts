import type { Page } from '@playwright/test';
import { add, another, expect, names, open, rename, row, run, status, test, tree } from './station';

test('two browsers edit at once: both see everything, undo is each their own', async ({ begin, browser }) => {
  const { page: anna, demo } = await begin({ name: 'Shared', children: [{ type: 'wait', name: 'Middle' }] });
  const ben = await another(browser, demo, 'Ben');
  await row(anna, 'Middle').click();
  await expect(row(ben, 'Middle').getByTitle('Anna is here')).toBeVisible();
  await expect(anna.locator('.status .people')).toContainText('Ben');

  await Promise.all([
    (async () => {
      await add(anna, 'log');
      await rename(anna, 'By Anna');
    })(),
    (async () => {
      await row(ben, 'Middle').click();
      await tree(ben).focus();
      await ben.keyboard.press('F2');
      await tree(ben).getByRole('textbox').fill('By Ben');
      await ben.keyboard.press('Enter');
    })(),
  ]);
  await expect.poll(() => names(anna)).toEqual(['Shared', 'By Ben', 'By Anna']);
  await expect.poll(() => names(ben)).toEqual(['Shared', 'By Ben', 'By Anna']);

  await tree(anna).focus();
  await anna.keyboard.press('Control+z');
  await anna.keyboard.press('Control+z');
  await expect.poll(() => names(ben)).toEqual(['Shared', 'By Ben']);
  await ben.keyboard.press('Control+z');
  await expect.poll(() => names(anna)).toEqual(['Shared', 'Middle']);
  await ben.context().close();
});

test('the page says that the operator process is gone, and comes back by itself', { tag: '@newcomer' }, async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Back', children: [{ type: 'wait', name: 'Here' }] });
  const { port } = demo;
  await demo.end();
  await expect(page.locator('.status')).toContainText('lost the operator process');
  await expect(row(page, 'Here')).toBeVisible();
  await demo.start('behavior.json', port);
  await expect(page.locator('.status')).not.toContainText('lost the operator process');
  await add(page, 'log');
});

test('of two windows of one name one has control; the other says so, takes it over, and closing one leaves it with the other', { tag: '@newcomer' }, async ({
  begin,
}) => {
  const { page: first, demo } = await begin({ name: 'Windows', children: [{ type: 'wait', name: 'Long', duration_s: 600 }] });
  const second = await first.context().newPage();
  await open(second, demo, 'Anna');
  const control = (page: Page) => page.locator('.status').getByTitle(/Who may run the robot/);
  const take = async (page: Page) => {
    await control(page).click();
    await page.getByRole('menu').getByText('Take run control').click();
  };
  await take(first);
  await expect(control(first)).toHaveText('You have control');
  await expect(control(second)).toHaveText('You have control, in another window');

  // A reload is the same session.
  await first.reload();
  await expect(control(first)).toHaveText('You have control');

  await take(second);
  await expect(control(second)).toHaveText('You have control');
  await expect(control(first)).toHaveText('You have control, in another window');
  await first.close();
  await expect(control(second)).toHaveText('You have control');
  await expect(second.locator('.status .people')).not.toContainText('another window');
});

test('what somebody without control adds is held, shown to all, and admitted by whoever is in control', async ({ begin, browser }) => {
  const branch = (name: string): object => ({ type: 'stand_in', name, duration_s: 600 });
  const { page: anna, demo } = await begin({ name: 'Together', children: [{ type: 'parallel', name: 'Both', children: [branch('Left'), branch('Right')] }] });
  const ben = await another(browser, demo, 'Ben');
  await run(anna, 'Automatic');
  await status(anna, 'Right', 'running');

  await row(ben, 'Right').click();
  await ben.keyboard.press('Control+d');
  await expect(ben.getByRole('treeitem')).toHaveCount(5);
  await rename(ben, 'Third');
  const held = (page: Page) => page.getByRole('status', { name: 'Held' });
  for (const page of [anna, ben]) {
    await expect(held(page)).toContainText('Third');
    await expect(held(page)).toContainText('added by Ben');
  }
  await expect(row(anna, 'Third')).not.toHaveClass(/running/);
  await expect(held(ben).getByRole('button', { name: 'Admit' })).toBeDisabled();

  // Taken back, it is not held any more; done again, it is.
  await tree(ben).focus();
  await ben.keyboard.press('Control+z');
  await ben.keyboard.press('Control+z');
  await expect(held(anna)).toHaveCount(0);
  await expect(ben.getByRole('treeitem')).toHaveCount(4);
  await ben.keyboard.press('Control+Shift+z');
  await ben.keyboard.press('Control+Shift+z');
  await expect(held(anna)).toContainText('added by Ben');
  await expect(row(anna, 'Third')).not.toHaveClass(/running/);

  await held(anna).getByRole('button', { name: 'Admit' }).click();
  await status(anna, 'Third', 'running');
  await expect(held(anna)).toHaveCount(0);
  await expect(held(ben)).toHaveCount(0);
  await ben.context().close();
});

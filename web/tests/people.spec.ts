import { add, another, expect, names, rename, row, test, tree } from './station';

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

test('the page says that the operator process is gone, and comes back by itself', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Back', children: [{ type: 'wait', name: 'Here' }] });
  const { port } = demo;
  await demo.end();
  await expect(page.locator('.status')).toContainText('lost the operator process');
  await expect(row(page, 'Here')).toBeVisible();
  await demo.start('behavior.json', port);
  await expect(page.locator('.status')).not.toContainText('lost the operator process');
  await add(page, 'log');
});

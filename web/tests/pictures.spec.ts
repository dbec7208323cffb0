import { bars, expect, picture, row, run, status, test } from './station';

/** The layouts as the documentation shows them, with a robot at work in a world. */
test('the main layouts while a ball is grasped', async ({ begin }) => {
  const { page } = await begin('examples/world/grasp-the-ball.json', ['--world', 'table-balls', '--robot', 'coact-one']);
  await row(page, 'Raise the hand').click();
  await run(page, 'Automatic');
  await status(page, 'Raise the hand', 'running');
  await picture(page, 'author');
  await page.keyboard.press('Alt+2');
  await expect(page.getByRole('button', { name: 'Run', exact: true, pressed: true })).toBeVisible();
  await picture(page, 'run');
  await page.keyboard.press('Alt+3');
  await expect(bars(page).first()).toBeVisible();
  await picture(page, 'review');
});

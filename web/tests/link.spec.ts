import { expect, names, row, run, status, test } from './station';

const long = {
  name: 'Apart',
  children: [
    { type: 'stand_in', name: 'Long', duration_s: 600 },
    { type: 'wait', name: 'Last' },
  ],
};

test('the link is lost and comes back: the page says so, edits wait, a stop goes through as soon as it can', { tag: '@newcomer' }, async ({ beginApart }) => {
  const { page, pair } = await beginApart(long);
  const bar = page.locator('.status');
  await run(page, 'Automatic');
  await status(page, 'Long', 'running');

  pair.holdRobot();
  await expect(bar).toContainText('Link down');
  await row(page, 'Last').click();
  await page.keyboard.press('F2');
  await page.getByRole('tree').getByRole('textbox').fill('Renamed meanwhile');
  await page.keyboard.press('Enter');
  await expect(row(page, 'Renamed meanwhile')).toBeVisible();
  await expect(bar).toContainText('robot does not have the last edits yet');
  await bar.getByRole('button', { name: /Stop/ }).click();

  pair.letRobotGo();
  await expect(bar).toContainText('Link good');
  await expect(bar).not.toContainText('robot does not have the last edits yet');
  await status(page, 'Long', 'halted');
  await expect(row(page, 'Renamed meanwhile')).toBeVisible();
});

test('a robot that went out comes back with the tree it had, and what was edited meanwhile', async ({ beginApart }) => {
  const { page, pair } = await beginApart(long);
  const bar = page.locator('.status');
  await row(page, 'Last').click();
  await page.keyboard.press('Control+d');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  await expect(bar).not.toContainText('robot does not have the last edits yet');
  await pair.killRobot();
  await expect(bar).toContainText('Link down');
  await page.keyboard.press('Control+d');
  await expect(page.getByRole('treeitem')).toHaveCount(5);
  await pair.startRobot();
  await expect(bar).toContainText(/Link (good|poor)/);
  await expect(bar).not.toContainText('robot does not have the last edits yet');
  await expect(page.getByRole('treeitem')).toHaveCount(5);
  await run(page, 'Step');
  await status(page, 'Long', 'running');
});

test('an edit that the robot refuses is taken back, with the reason; later ones are not made at all', async ({ beginApart }) => {
  const { page, pair } = await beginApart(long, 'operator');
  const bar = page.locator('.status');
  const notices = page.getByRole('log', { name: 'Notices' });
  await pair.killRobot();
  await expect(bar).toContainText('Link down');
  await row(page, 'Last').click();
  await page.keyboard.press('Control+d');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  await expect(bar).toContainText('robot does not have the last edits yet');

  pair.allow('observer');
  await pair.startRobot();
  await expect(notices).toContainText('the robot did not take your');
  await expect(notices).toContainText('may only look');
  await expect.poll(() => names(page)).toEqual(['Apart', 'Long', 'Last']);
  await expect(bar).not.toContainText('robot does not have the last edits yet');

  await row(page, 'Last').click();
  await page.keyboard.press('Delete');
  await expect(notices).toContainText('takes no edits and no commands from here');
  await expect.poll(() => names(page)).toEqual(['Apart', 'Long', 'Last']);
});

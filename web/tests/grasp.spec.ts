import { add, expect, field, rename, row, run, setNumber, status, test } from './station';

/** In physics: the ball is seen by a camera, held by friction. */
test('lock on to a ball, pose the hand relative to it, freeze it, grasp it', async ({ begin }) => {
  test.slow();
  // A step that goes on meanwhile: the run does not end while its steps are written one by one.
  const children = [
    { type: 'stand_in', name: 'Meanwhile', duration_s: 3000 },
    { type: 'neck', name: 'Look down', pitch_deg: 42, duration_s: 1, after: 'Grasp' },
  ];
  const { page } = await begin({ name: 'Grasp', children }, ['--world', 'table-balls', '--robot', 'coact-one']);
  const step = async (name: string): Promise<void> => {
    await row(page, name).click();
    await page.keyboard.press('Alt+n');
    await expect(row(page, name)).toHaveClass(/next/);
    await run(page, 'Step');
    await status(page, name, 'success');
  };
  await row(page, 'Look down').click();
  await run(page, 'Step');
  await status(page, 'Look down', 'success');

  await add(page, 'setup object');
  await rename(page, 'Lock on');
  await field(page, 'class').locator('input').fill('ball');
  await page.keyboard.press('Enter');
  await step('Lock on');
  await page.getByRole('tab', { name: 'Scene' }).click();
  const ball = page.getByRole('table', { name: 'Objects' }).getByRole('row', { name: /^ball/ });
  await expect(ball).toBeVisible();

  await add(page, 'freeze object');
  await rename(page, 'Freeze');
  await page.getByRole('tab', { name: 'Settings' }).click();
  await field(page, 'object').locator('input').fill('ball');
  await page.keyboard.press('Enter');
  await step('Freeze');
  await page.getByRole('tab', { name: 'Scene' }).click();
  await expect(ball).toContainText('frozen');
  await page.getByRole('tab', { name: 'Settings' }).click();

  await add(page, 'arm, right');
  await rename(page, 'Beside it');
  await field(page, 'frame').locator('input').fill('ball');
  await page.keyboard.press('Enter');
  for (const [part, value] of Object.entries({ x_m: -0.35, y_m: -0.25, z_m: 0.3, roll_deg: -90, yaw_deg: 90 })) await setNumber(page, 'pose', value, part);
  await setNumber(page, 'duration_s', 3);
  await step('Beside it');

  for (const [kind, name] of [
    ['template pre grasp, right', 'Before it'],
    ['template grasp, right', 'Grasp it'],
  ] as const) {
    await add(page, kind);
    await rename(page, name);
    await field(page, 'object').locator('input').fill('ball');
    await page.keyboard.press('Enter');
    await field(page, 'reach').getByRole('combobox').selectOption('arm_and_spine');
    await step(name);
  }
  // Something is between the fingers.
  await expect(row(page, 'Grasp it').getByTitle(/^success: blocked/)).toBeVisible();
});

import { dragging, enter, gizmo, head, hold, pressWrist, pull, set, stick, teleports, wear, type Point } from './headset';
import { expect, field, names, row, run, status, test } from './station';

test.use({ viewport: { width: 960, height: 600 } });

const arm = { type: 'arm', name: 'Arm', frame: 'world', pose: { x_m: 0.4, y_m: -0.3, z_m: 1.1 } };

test('in the headset a goal is taken with the hand and put elsewhere: one edit, which undo takes back', async ({ page, begin }) => {
  await wear(page);
  await begin({ name: 'Reach', children: [arm] });
  await row(page, 'Arm').click();
  const value = (part: string) => field(page, 'pose').locator(`input[id$="-${part}"]`);
  await expect(value('z_m')).toHaveValue('1.1');
  await enter(page);
  const from = await gizmo(page);
  await hold(page, 'right', from, [from[0] + 1, from[1], from[2]]);
  await set(page, 'right', 'squeeze', 1);
  await expect.poll(() => dragging(page)).toBe(true);
  const to: Point = [from[0] + 0.1, from[1] - 0.05, from[2] + 0.2];
  await hold(page, 'right', to, [to[0] + 1, to[1], to[2]]);
  await expect(value('z_m')).toHaveValue('1.1');
  await set(page, 'right', 'squeeze', 0);
  await expect(value('z_m')).toHaveValue('1.3');
  await expect(value('x_m')).toHaveValue('0.5');
  await expect(value('y_m')).toHaveValue('-0.35');

  await pressWrist(page, 'Undo');
  await expect(value('z_m')).toHaveValue('1.1');
  await expect(value('x_m')).toHaveValue('0.4');
  await pressWrist(page, 'Leave VR');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: /^Undo/ })).toBeDisabled();
});

test('the panel on the wrist runs, stops, answers and selects', async ({ page, begin }) => {
  await wear(page);
  await begin({
    name: 'Wrist',
    children: [
      { type: 'question', name: 'Door', text: 'Open?', options: ['yes', 'no'] },
      { type: 'stand_in', name: 'Long', duration_s: 300 },
    ],
  });
  await row(page, 'Wrist').click();
  await enter(page);
  await pressWrist(page, 'Automatic');
  await status(page, 'Door', 'running');
  await pressWrist(page, 'yes');
  await status(page, 'Long', 'running');
  await pressWrist(page, '▼ Step');
  await expect(row(page, 'Door')).toHaveAttribute('aria-selected', 'true');
  await pressWrist(page, 'STOP');
  await status(page, 'Long', 'halted');
  await expect(page.locator('.running-list')).toContainText('Nothing runs.');
  await pressWrist(page, 'Leave VR');
  await expect(page.getByRole('button', { name: 'VR', exact: true })).toHaveAttribute('aria-pressed', 'false');
  await run(page, 'Step');
});

test('in the headset footsteps are placed by pointing at the ground, and one walks and teleports', async ({ page, begin }) => {
  await wear(page);
  await begin({ name: 'Steps', children: [{ type: 'walk', name: 'Walk', by: 'steps', frame: 'world' }] });
  await row(page, 'Walk').click();
  await enter(page);
  const list = field(page, 'steps').locator('.list > .list-item');
  await pressWrist(page, 'Left foot');
  await hold(page, 'right', [0, 0, 1], [0.5, 0.1, 0]);
  await pull(page, 'right');
  await expect(list).toHaveCount(1);
  await pressWrist(page, 'Right foot');
  await hold(page, 'right', [0, 0, 1], [0.8, -0.1, 0]);
  await pull(page, 'right');
  await expect(list).toHaveCount(2);
  const forward = field(page, 'steps').locator('input[id$="-pose-x_m"]');
  await expect(forward.nth(0)).toHaveValue('0.5');
  await expect(forward.nth(1)).toHaveValue('0.8');
  await pressWrist(page, 'Right foot');

  const before = await head(page);
  await stick(page, 'left', 0, -1);
  await expect.poll(async () => Math.hypot(...(await head(page)).map((value, axis) => value - (before[axis] ?? 0)))).toBeGreaterThan(0.2);
  await stick(page, 'left', 0, 0);
  await hold(page, 'right', [0, 0, 1], [1, 0.5, 0]);
  await stick(page, 'right', 0, -1);
  await expect.poll(() => teleports(page)).toBe(true);
  await stick(page, 'right', 0, 0);
  await expect.poll(async () => (await head(page)).slice(0, 2).map((value) => Math.round(value * 100) / 100)).toEqual([1, 0.5]);
  expect(await names(page)).toEqual(['Steps', 'Walk']);
});

test('without a headset there is no button for it', async ({ begin }) => {
  const { page } = await begin({ name: 'Plain' });
  await expect(page.getByRole('button', { name: 'Map', exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'VR', exact: true })).toHaveCount(0);
});

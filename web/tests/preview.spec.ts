import { expect, field, mode, row, run, setNumber, status, test } from './station';
import type { Page } from '@playwright/test';

const BEHAVIOR = {
  name: 'Preview',
  children: [
    { type: 'wait', name: 'First', duration_s: 0.2 },
    { type: 'walk', name: 'Ahead', stance: { x_m: 0.6 }, focal: { x_m: 1.6 } },
    { type: 'log', name: 'There', text: 'there' },
  ],
};

interface Seen {
  visible: boolean;
  opacity: number;
  previewX: number;
  robotX: number;
}

/** The second robot and the first, in the scene graph. */
const seen = (page: Page): Promise<Seen> =>
  page.locator('.view canvas').evaluate((canvas) => {
    const view = (
      canvas as unknown as {
        view: {
          previewRobot: { object: { visible: boolean }; robot: { object: { position: { x: number } }; meshes: { material: { opacity: number } }[] } };
          robot: { object: { position: { x: number } } };
        };
      }
    ).view;
    const { object, robot } = view.previewRobot;
    return {
      visible: object.visible,
      opacity: robot.meshes[0]?.material.opacity ?? 1,
      previewX: robot.object.position.x,
      robotX: view.robot.object.position.x,
    };
  });

test('a preview runs on a transparent robot while the real one stands still @newcomer', async ({ begin }) => {
  const { page } = await begin(BEHAVIOR);
  expect((await seen(page)).visible).toBe(false);
  const before = (await seen(page)).robotX;
  await run(page, 'Preview');
  const bar = page.getByRole('status', { name: 'Preview mode' });
  await expect(bar).toContainText('The real one stands still');
  await bar.getByRole('button', { name: '8 ×' }).click();
  await expect(bar.getByRole('button', { name: '8 ×' })).toHaveAttribute('aria-pressed', 'true');
  await run(page, 'Step');
  await status(page, 'First', 'success');
  await run(page, 'Automatic');
  await status(page, 'There', 'success');
  await mode(page, 'Stopped');
  const after = await seen(page);
  expect(after.visible).toBe(true);
  expect(after.opacity).toBeLessThan(0.8);
  expect(after.previewX - before).toBeGreaterThan(0.5);
  expect(Math.abs(after.robotX - before)).toBeLessThan(0.01);
  await bar.getByRole('button', { name: 'End preview' }).click();
  await expect(bar).toBeHidden();
  expect((await seen(page)).visible).toBe(false);
  await expect(page.locator('.tree .success')).toHaveCount(0);
});

test('an edit reaches a preview that runs, and a goal out of reach fails in it', async ({ begin }) => {
  const { page } = await begin({
    children: [
      { type: 'wait', name: 'Wait', duration_s: 3 },
      { type: 'arm', name: 'Reach', side: 'left', frame: 'chest', pose: { x_m: 0.35, y_m: 0.2, z_m: 0.1 }, duration_s: 1 },
    ],
  });
  await run(page, 'Preview');
  await run(page, 'Automatic');
  await status(page, 'Wait', 'running');
  await page
    .getByRole('tree', { name: 'Behavior' })
    .getByRole('treeitem', { name: /^Reach/ })
    .click();
  await expect(field(page, 'pose')).toBeVisible();
  await setNumber(page, 'pose', 2.35, 'x_m');
  await status(page, 'Reach', 'failure');
});

test('a preview begins at next; set next, step into and fallbacks work in it, and what only a real run feels ends as authored', async ({ begin }) => {
  const wait = (name: string): object => ({ type: 'wait', name, duration_s: 0.1 });
  const { page } = await begin({
    children: [
      wait('Before'),
      { type: 'parallel', name: 'Both', children: [{ type: 'sequence', name: 'Left', children: [wait('Inner'), wait('Then')] }, wait('Other')] },
      wait('Passed over'),
      { type: 'condition', name: 'Felt', condition: 'right_hand_force_n > 500', preview: 'success' },
      { type: 'fallback', name: 'Try', children: [{ type: 'always_fail', name: 'Fails' }, wait('Caught')] },
    ],
  });
  await row(page, 'Both').getByRole('button', { name: 'Make it next' }).click();
  await expect(row(page, 'Both')).toHaveClass(/next/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Preview from next');
  await page.keyboard.press('Enter');
  const bar = page.getByRole('status', { name: 'Preview mode' });
  await expect(bar).toBeVisible();
  await page.keyboard.press('Control+Alt+Enter');
  await status(page, 'Both', 'running');
  await expect(row(page, 'Inner')).not.toHaveClass(/running|success/);
  await run(page, 'Step');
  await status(page, 'Inner', 'success');
  await expect(row(page, 'Then')).not.toHaveClass(/running|success/);
  await row(page, 'Felt').getByRole('button', { name: 'Make it next' }).click();
  await run(page, 'Automatic');
  await status(page, 'Caught', 'success');
  await status(page, 'Felt', 'success');
  await status(page, 'Fails', 'failure');
  for (const name of ['Before', 'Passed over']) await expect(row(page, name)).not.toHaveClass(/running|success/);
  await bar.getByRole('button', { name: 'End preview' }).click();
  // The robot is where it was.
  await expect(row(page, 'Both')).toHaveClass(/next/);
  await expect(page.locator('.tree .success')).toHaveCount(0);
});

import type { Locator } from '@playwright/test';
import type { View } from '../src/three/view';
import { expect, field, names, row, run, status, test } from './station';

type Canvas = HTMLCanvasElement & { view: View };

/** Where a place on the ground is on the screen. */
const onScreen = (canvas: Locator, x: number, y: number): Promise<{ x: number; y: number }> =>
  canvas.evaluate(
    (element, [x, y]) => {
      const { view } = element as Canvas;
      return view.project(view.camera.focus.clone().set(x ?? 0, y ?? 0, 0));
    },
    [x, y],
  );

const goal = { type: 'arm', name: 'Inside', frame: 'world', pose: { x_m: 0.6, y_m: 0, z_m: 1 } };

test('a box dragged on the map becomes a condition or a walk, selects steps, and Escape lets it go', async ({ begin }) => {
  const { page } = await begin({ name: 'Box', children: [goal, { ...goal, name: 'Outside', pose: { x_m: -0.6, z_m: 1 } }] });
  await page.keyboard.press('Alt+4');
  const canvas = page.locator('.view canvas');
  await expect.poll(() => canvas.evaluate((element) => (element as Canvas).view.camera.fixed)).toBe('above');
  const drag = async (cancel = false): Promise<void> => {
    const from = await onScreen(canvas, 0.2, 0.4);
    const to = await onScreen(canvas, 1, -0.4);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    if (cancel) await page.keyboard.press('Escape');
    await page.mouse.up();
  };
  const choose = (name: string | RegExp): Promise<void> => page.getByRole('menuitem', { name }).click();
  await drag(true);
  await expect(page.getByRole('menu')).toBeHidden();

  await drag();
  await choose('Select the 1 steps with goals in the box');
  await expect(row(page, 'Inside')).toHaveAttribute('aria-selected', 'true');
  await drag();
  await choose('Add a condition: the robot is in the box');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  expect(Number(await field(page, 'pose').locator('input[id$="-x_m"]').inputValue())).toBeCloseTo(0.6, 1);
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await drag();
  await choose('Add a condition: nothing stands in the box');
  await expect(page.getByRole('treeitem')).toHaveCount(4);
  await expect(row(page, 'shape_contains').getByLabel('Has problems')).toHaveCount(0);
});

test('a click on the ground of the map makes a walk there, and the robot walks there', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({ name: 'Click' }, ['--robot', 'coact-one']);
  await page.keyboard.press('Alt+4');
  const canvas = page.locator('.view canvas');
  await expect.poll(() => canvas.evaluate((element) => (element as Canvas).view.camera.fixed)).toBe('above');
  const { x, y } = await onScreen(canvas, 0.5, 0.2);
  await page.mouse.click(x, y, { button: 'right' });
  await page.getByRole('menuitem', { name: /^Add a walk to 0.50, 0.20 m/ }).click();
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  expect(await names(page)).toEqual(['Click', 'walk']);
  await run(page, 'Step');
  await status(page, 'walk', 'success');
  await expect(page.locator('.readout')).toContainText(/pelvis 0\.[45]\d, 0\.[12]\d/);
});

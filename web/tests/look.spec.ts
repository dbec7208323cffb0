import AxeBuilder from '@axe-core/playwright';
import { expect, row, test, tree } from './station';

const EXAMPLE = 'examples/body/arms-while-walking.json';

async function serious(page: import('@playwright/test').Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`));
}

test('no serious finding of accessibility, in every layout and in all colours', async ({ begin }) => {
  test.slow();
  const { page } = await begin(EXAMPLE);
  await row(page, 'Move Right Arm').click();
  for (const layout of [1, 2, 3, 4]) {
    await page.keyboard.press(`Alt+${layout}`);
    expect(await serious(page), `layout ${layout}`).toEqual([]);
  }
  await page.keyboard.press('Alt+1');
  for (const theme of ['Light', 'High contrast']) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`Colours: ${theme}`);
    await page.keyboard.press('Enter');
    expect(await serious(page), theme).toEqual([]);
  }
  for (const keys of ['Control+k', 'F1']) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await serious(page), keys).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('layouts are kept, text grows, and the tour leads around once', async ({ begin }) => {
  const { page } = await begin(EXAMPLE);
  await page.keyboard.press('Alt+4');
  await expect(page.getByRole('button', { name: 'Map', exact: true, pressed: true }).first()).toBeVisible();
  await page.keyboard.press('Control+=');
  await page.reload();
  await expect(tree(page)).toBeVisible();
  await expect(page.locator('.layouts [aria-pressed=true]')).toHaveText('Map');
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('14px');

  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Guided tour' }).click();
  // Stop is whole however narrow the window is.
  await page.setViewportSize({ width: 640, height: 600 });
  const stop = await page.locator('.status .stop').boundingBox();
  expect((stop?.x ?? 999) + (stop?.width ?? 999)).toBeLessThanOrEqual(640);
  await page.setViewportSize({ width: 1440, height: 900 });
  const tour = page.getByLabel('Guided tour');
  for (const button of ['Go on', 'Go on', 'Not now', 'Go on', 'Go on', 'Not now', 'Close']) await tour.getByRole('button', { name: button }).click();
  await expect(tour).toBeHidden();
});

test('a goal is dragged with the gizmo, nudged with keys, and a drag is cancelled with Escape', async ({ begin }) => {
  const { page } = await begin({ name: 'Reach', children: [{ type: 'arm', name: 'Arm', frame: 'world', pose: { x_m: 0.4, y_m: -0.3, z_m: 1.1 } }] });
  await row(page, 'Arm').click();
  const value = (part: string) => page.locator(`[data-field="pose"] input[id$="-${part}"]`);
  await expect(value('z_m')).toHaveValue('1.1');
  type Canvas = HTMLCanvasElement & { view: import('../src/three/view').View };
  const canvas = page.locator('.view canvas');
  const grip = (): Promise<{ x: number; y: number; up: { x: number; y: number } }> =>
    canvas.evaluate((element) => {
      const { view } = element as Canvas;
      const at = view.gizmo.object.position;
      const size = view.gizmo.object.scale.x;
      return { ...view.project(at.clone().setZ(at.z + size * 0.95)), up: view.project(at.clone().setZ(at.z + size * 0.95 + 0.2)) };
    });
  await expect.poll(() => canvas.evaluate((element) => (element as Canvas).view.gizmo.object.visible)).toBe(true);
  await expect
    .poll(async () => {
      const { x, y } = await grip();
      await page.mouse.move(x, y);
      return canvas.evaluate((element) => (element as Canvas).view.gizmo.hovered);
    })
    .toBe('z');
  const from = await grip();
  await page.mouse.down();
  await page.mouse.move(from.up.x, from.up.y, { steps: 5 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(value('z_m')).toHaveValue('1.1');

  await expect
    .poll(async () => {
      const { x, y } = await grip();
      await page.mouse.move(x, y);
      return canvas.evaluate((element) => (element as Canvas).view.gizmo.hovered);
    })
    .toBe('z');
  await page.mouse.down();
  await page.mouse.move(from.up.x, from.up.y, { steps: 5 });
  await page.mouse.up();
  await expect(value('z_m')).not.toHaveValue('1.1');
  expect(Number(await value('z_m').inputValue())).toBeCloseTo(1.3, 1);

  const before = Number(await value('z_m').inputValue());
  await canvas.focus();
  await page.keyboard.press('Control+ArrowUp');
  await expect(value('z_m')).toHaveValue(String(Math.round((before + 0.01) * 1e4) / 1e4));
  await page.keyboard.press('Control+z');
  await expect(value('z_m')).toHaveValue(String(before));
  // The ghost came with the drag; it goes when it is told.
  await expect(page.locator('.readout')).toContainText('Preview:');
  await page.keyboard.press('Control+p');
  await expect(page.locator('.readout')).not.toContainText('Preview:');
});

test('manual footsteps are put on the ground of the map one by one', async ({ begin }) => {
  const { page } = await begin({ name: 'Steps', children: [{ type: 'walk', name: 'Walk', by: 'steps', frame: 'world' }] });
  await row(page, 'Walk').click();
  await page.keyboard.press('Alt+4');
  const canvas = page.locator('.view canvas');
  const box = await canvas.boundingBox();
  if (!box) throw new Error('no view');
  for (const [index, side] of ['left', 'right', 'left'].entries()) {
    const position = { x: box.width / 2 + (side === 'left' ? -20 : 20), y: box.height / 2 - 60 * index };
    await canvas.click({ button: 'right', position });
    await page.getByRole('menuitem', { name: `Add a ${side} step here` }).click();
    await expect(page.locator('[data-field="steps"] .list > .list-item')).toHaveCount(index + 1);
  }
  const forward = page.locator('[data-field="steps"] input[id$="-pose-x_m"]');
  const far = await forward.evaluateAll((all) => all.map((input) => Number((input as HTMLInputElement).value)));
  expect(far[0]).toBeLessThan(far[1] ?? 0);
  expect(far[1]).toBeLessThan(far[2] ?? 0);
});

import type { View } from '../src/three/view';
import { expect, field, row, test } from './station';

type Canvas = HTMLCanvasElement & { view: View };
const pose = { x_m: 0.4, y_m: -0.3, z_m: 1.1 };

/** From above, where away is the world's x and left its y. */
test("mouse and keys of the thesis' tables, on the goal and on the camera", async ({ begin }) => {
  const { page } = await begin({ name: 'Keys', children: [{ type: 'arm', name: 'Arm', frame: 'world', pose }] });
  await page.keyboard.press('Alt+4');
  await row(page, 'Arm').click();
  const canvas = page.locator('.view canvas');
  const camera = () =>
    canvas.evaluate((element) => {
      const { focus, distance, longitude, latitude } = (element as Canvas).view.camera;
      return { x: focus.x, y: focus.y, z: focus.z, distance, longitude, latitude };
    });
  await expect.poll(() => canvas.evaluate((element) => (element as Canvas).view.gizmo.object.visible)).toBe(true);
  const value = (part: string) => field(page, 'pose').locator(`input[id$="-${part}"]`);
  await canvas.focus();
  const gizmo: [string, string, string][] = [
    ['ArrowUp', 'x_m', '0.41'],
    ['ArrowDown', 'x_m', '0.4'],
    ['ArrowLeft', 'y_m', '-0.29'],
    ['ArrowRight', 'y_m', '-0.3'],
    ['Control+ArrowUp', 'z_m', '1.11'],
    ['Control+ArrowDown', 'z_m', '1.1'],
    ['Control+ArrowLeft', 'yaw_deg', '1'],
    ['Control+ArrowRight', 'yaw_deg', '0'],
    ['Alt+ArrowUp', 'pitch_deg', '1'],
    ['Alt+ArrowDown', 'pitch_deg', '0'],
    ['Alt+ArrowRight', 'roll_deg', '1'],
    ['Alt+ArrowLeft', 'roll_deg', '0'],
    ['Shift+ArrowUp', 'x_m', '0.401'],
    ['Shift+ArrowDown', 'x_m', '0.4'],
  ];
  for (const [keys, part, is] of gizmo) {
    await page.keyboard.press(keys);
    await expect(value(part), keys).toHaveValue(is);
  }
  // Keys faster than the answers lose nothing.
  for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowUp');
  await expect(value('x_m')).toHaveValue('0.45');
  for (let press = 0; press < 5; press++) await page.keyboard.press('Control+z');
  await expect(value('x_m')).toHaveValue('0.4');
  // A key that is held down is one edit:
  await page.keyboard.down('ArrowUp');
  for (let repeat = 0; repeat < 3; repeat++) await page.keyboard.down('ArrowUp');
  // However long.
  await page.keyboard.press('Shift', { delay: 600 });
  await page.keyboard.down('ArrowUp');
  await page.keyboard.up('ArrowUp');
  await expect(value('x_m')).toHaveValue('0.45');
  await page.keyboard.press('Control+z');
  await expect(value('x_m')).toHaveValue('0.4');

  const box = await canvas.boundingBox();
  if (!box) throw new Error('no view');
  await page.mouse.move(box.x + 40, box.y + box.height - 120);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await expect(value('yaw_deg')).toHaveValue('1');
  await page.mouse.wheel(0, -100);
  await expect(value('yaw_deg')).toHaveValue('0');
  await page.keyboard.up('Control');

  const before = await camera();
  await page.mouse.wheel(0, 100);
  await expect.poll(async () => (await camera()).distance).toBeGreaterThan(before.distance);
  await page.mouse.down({ button: 'middle' });
  await page.mouse.move(box.x + 140, box.y + box.height - 120, { steps: 3 });
  await page.mouse.up({ button: 'middle' });
  await expect.poll(async () => (await camera()).y).toBeGreaterThan(before.y);
  await page.keyboard.down('w');
  await expect.poll(async () => (await camera()).x).toBeGreaterThan(before.x);
  await page.keyboard.up('w');

  await page.keyboard.press('Alt+m');
  await page.mouse.move(box.x + 40, box.y + box.height - 120);
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + box.height - 100, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await camera()).longitude).not.toBe(before.longitude);
  await expect.poll(async () => (await camera()).latitude).toBeGreaterThan(before.latitude);
});

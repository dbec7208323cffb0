import type { Locator, Page } from '@playwright/test';
import { bars, expect, row, run, status, test } from './station';
import type { View } from '../src/three/view';

const long = { name: 'Long', children: [{ type: 'stand_in', name: 'Long step', duration_s: 300 }] };

const scene = (page: Page): Locator => page.getByRole('region', { name: 'Scene' });
const placing = (page: Page): Locator => page.getByRole('form', { name: 'Place an object' });
const objectRow = (page: Page, name: string): Locator =>
  scene(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });
const canvas = (page: Page): Locator => page.locator('.view > canvas');
/** Asks the view itself. */
async function inView<T>(page: Page, read: (view: View) => T): Promise<T> {
  const view = await canvas(page).evaluateHandle((element) => (element as unknown as { view: View }).view);
  return view.evaluate(read as (view: unknown) => T);
}

/** A demo in a world with physics; the test is left out where Coact was built without it. */
async function inWorld(begin: (behavior: string, more: string[]) => Promise<{ page: Page }>, behavior: string, world: string): Promise<Page> {
  try {
    return (await begin(behavior, ['--world', world])).page;
  } catch (error) {
    test.skip(String(error).includes('built without physics'), 'built without physics');
    throw error;
  }
}

test('an object is placed by hand while a behavior runs, frozen, and taken back', async ({ begin }) => {
  const { page } = await begin(long);
  await run(page, 'Automatic');
  await status(page, 'Long step', 'running');
  await page.keyboard.press('Alt+2');
  await scene(page).getByRole('button', { name: 'Place…' }).click();
  await placing(page).getByLabel('Template or class').selectOption('ball');
  await expect(placing(page).getByLabel('Name')).toHaveValue('ball');
  await placing(page).getByLabel('x (m)').fill('1.5');
  await placing(page).getByLabel('y (m)').fill('-0.25');
  await placing(page).getByLabel('z (m)').fill('0.9');
  await placing(page).getByRole('button', { name: 'Put it there' }).click();
  await expect(placing(page)).toBeHidden();
  await expect(objectRow(page, 'ball')).toContainText('1.50, -0.25, 0.90');

  await page.getByRole('button', { name: 'Freeze ball' }).click();
  await expect(objectRow(page, 'ball')).toContainText('frozen');
  await page.getByRole('button', { name: 'Freeze ball' }).click();
  await expect(objectRow(page, 'ball')).not.toContainText('frozen');

  await run(page, 'Pause');
  await scene(page).getByRole('button', { name: 'Place…' }).click();
  await placing(page).getByLabel('Template or class').selectOption('ball');
  await expect(placing(page).getByLabel('Name')).toHaveValue('ball_2');
  await placing(page).getByRole('button', { name: 'Put it there' }).click();
  await expect(objectRow(page, 'ball_2')).toBeVisible();
  await scene(page).getByRole('button', { name: 'Take back ball_2' }).click();
  await expect(objectRow(page, 'ball_2')).toBeHidden();
  await page.getByRole('button', { name: 'Delete ball' }).click();
  await expect(objectRow(page, 'ball')).toBeHidden();
  await expect(row(page, 'Long step')).toHaveClass(/running/);
});

test('a click in the 3D view puts it on the ground, its gizmo moves it, Escape ends it', async ({ begin }) => {
  const { page } = await begin(long);
  await page.keyboard.press('Alt+2');
  await scene(page).getByRole('button', { name: 'Place…' }).click();
  await placing(page).getByLabel('Template or class').selectOption('box');
  const x = placing(page).getByLabel('x (m)');
  const z = placing(page).getByLabel('z (m)');
  const spot = await inView(page, (view) => view.project(view.camera.focus.clone().set(0.6, 0.7, 0)));
  await page.mouse.click(spot.x, spot.y);
  await expect.poll(async () => Number(await x.inputValue())).toBeCloseTo(0.6, 1);
  expect(Math.abs(Number(await placing(page).getByLabel('y (m)').inputValue()) - 0.7)).toBeLessThan(0.05);
  expect(Number(await z.inputValue()), 'it stands on the ground').toBeGreaterThan(0.01);
  const before = Number(await z.inputValue());
  await canvas(page).focus();
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(async () => Number(await z.inputValue())).toBeCloseTo(before + 0.01, 3);
  await page.keyboard.press('Escape');
  await expect(placing(page)).toBeHidden();
});

test('the cursor of time shows the robot as it was, and a click brings it back', async ({ begin }) => {
  const { page } = await begin({
    name: 'Moves',
    children: [{ type: 'arm', name: 'Arm', by: 'angles', duration_s: 2, angles_deg: [40, -20, 20, -100, 0, 0, 0] }],
  });
  await run(page, 'Automatic');
  await status(page, 'Arm', 'success');
  const joints = (): Promise<number[]> =>
    inView(page, (view) =>
      Object.values((view as unknown as { robot: { robot: { joints: Record<string, { angle: number }> } } }).robot.robot.joints).map(({ angle }) => angle),
    );
  const after = await joints();
  const box = await bars(page).first().boundingBox();
  if (!box) throw new Error('no bar');
  await page.mouse.click(box.x + 2, box.y + box.height + 24);
  await expect(page.locator('.view-past')).toContainText('As at');
  await expect.poll(async () => JSON.stringify(await joints())).not.toBe(JSON.stringify(after));
  await page.locator('.view-past').getByRole('button', { name: 'Back to live' }).click();
  await expect(page.getByRole('button', { name: 'Back to live' })).toBeHidden();
  await expect.poll(async () => JSON.stringify(await joints())).toBe(JSON.stringify(after));
});

test('cloud, picture and detections of a simulated camera are shown, and the world they are of', { tag: '@newcomer' }, async ({ begin }) => {
  test.setTimeout(240_000);
  const page = await inWorld(begin, 'examples/world/nearest-ball.json', 'table-balls');
  await page.keyboard.press('Alt+2');
  await expect(page.getByText('Simulated world')).toBeVisible({ timeout: 60_000 });
  await run(page, 'Automatic');
  await status(page, 'Look at the table', 'success');
  await expect(scene(page).getByRole('table', { name: 'Detections' })).toContainText('ball', { timeout: 120_000 });
  const high = await inView(page, (view) => {
    const points = (
      view as unknown as { clouds: { object: { geometry: { drawRange: { count: number }; getAttribute(name: string): { array: Float32Array } } } } }
    ).clouds.object.geometry;
    const all = points.getAttribute('position').array.slice(0, points.drawRange.count * 3);
    const z = all.filter((_, index) => index % 3 === 2);
    // On the table, at its right edge: nothing stands between it and the eye.
    const table = [...z.keys()].filter((index) => (z[index] ?? 0) > 0.6 && (z[index] ?? 0) < 0.8).sort((a, b) => (all[a * 3 + 1] ?? 0) - (all[b * 3 + 1] ?? 0));
    const at = table[Math.floor(table.length / 20)] ?? 0;
    return {
      spot: [all[at * 3] ?? 0, all[at * 3 + 1] ?? 0, all[at * 3 + 2] ?? 0] as const,
      count: z.length,
      on: z.filter((value) => value > 0.6 && value < 1.1).length,
      far: z.filter((value) => value < -0.2 || value > 4).length,
    };
  });
  expect(high.count).toBeGreaterThan(1000);
  expect(high.on, 'points on the table and above it').toBeGreaterThan(100);
  expect(high.far / high.count, 'under the floor is only what is noise far away').toBeLessThan(0.02);

  await scene(page).getByRole('button', { name: 'Place…' }).click();
  await placing(page).getByLabel('Template or class').selectOption('');
  const [x, y, z] = high.spot;
  const seen = await canvas(page).evaluate((element, [x, y, z]) => {
    const { view } = element as unknown as { view: View };
    return view.project(view.camera.focus.clone().set(x, y, z));
  }, high.spot);
  await page.mouse.click(seen.x, seen.y);
  const near = async (label: string, wanted: number): Promise<void> =>
    expect.poll(async () => Math.abs(Number(await placing(page).getByLabel(label).inputValue()) - wanted)).toBeLessThan(0.08);
  await near('x (m)', x);
  await near('y (m)', y);
  await near('z (m)', z);
  await placing(page).getByRole('button', { name: 'Put it there' }).click();
  await expect(objectRow(page, 'object')).toBeVisible();
  await page.locator('.tab-title', { hasText: 'Camera' }).click();
  await expect(page.getByRole('img', { name: 'Picture of the camera' })).toBeVisible();
  const marked = page.locator('.camera-over');
  await expect
    .poll(() =>
      marked.evaluate((element: HTMLCanvasElement) =>
        element
          .getContext('2d')
          ?.getImageData(0, 0, element.width, element.height)
          .data.some((value) => value > 0),
      ),
    )
    .toBe(true);
  await page.getByRole('button', { name: 'World', exact: true }).click();
  await expect(page.getByText('Simulated world')).toBeHidden();
});

test('the door of the world opens in the 3D view', { tag: '@newcomer' }, async ({ begin }) => {
  test.setTimeout(300_000);
  const page = await inWorld(begin, 'examples/world/open-the-door.json', 'push-door-lever');
  const yaw = (): Promise<number> =>
    inView(page, (view) =>
      Math.max(
        0,
        ...view.around.world.children
          .filter(({ name }) => name.includes('panel'))
          .map(({ quaternion }) => Math.abs(2 * Math.atan2(quaternion.z, quaternion.w))),
      ),
    );
  await expect.poll(() => inView(page, (view) => view.around.world.children.length), { timeout: 60_000 }).toBeGreaterThan(3);
  const closed = await yaw();
  await run(page, 'Automatic');
  await expect.poll(async () => Math.abs((await yaw()) - closed), { timeout: 240_000 }).toBeGreaterThan(0.2);
});

import type { Page } from '@playwright/test';
import type { View } from '../src/three/view';
import { expect, field, row, run, status, test } from './station';

type Canvas = HTMLCanvasElement & { view: View };

const camera = (page: Page): Promise<{ focus: number[]; distance: number; longitude: number; latitude: number }> =>
  page.locator('.view canvas').evaluate((canvas) => {
    const { focus, distance, longitude, latitude } = (canvas as Canvas).view.camera;
    return { focus: focus.toArray(), distance, longitude, latitude };
  });

const arm = { type: 'arm', name: 'Reach', frame: 'world', pose: { x_m: 2, y_m: -0.3, z_m: 1.1 } };
const walk = { type: 'walk', name: 'Ahead', stance: { x_m: 0.8 }, focal: { x_m: 2 } };

test('F frames what is selected, views look from each side of the robot, and the focus shows only while it moves', async ({ begin }) => {
  const { page } = await begin({ name: 'Look', children: [arm] });
  const canvas = page.locator('.view canvas');
  const focus = (): Promise<boolean> =>
    canvas.evaluate((element) => ((element as Canvas).view as unknown as { screen: { focusBall: { visible: boolean } } }).screen.focusBall.visible);
  await row(page, 'Reach').click();
  expect(await focus()).toBe(false);
  await page.keyboard.press('f');
  await expect.poll(async () => (await camera(page)).focus[0]).toBeGreaterThan(1.8);
  await expect.poll(focus).toBe(true);
  await expect.poll(focus).toBe(false);
  const look = page.getByRole('combobox', { name: 'Look from' });
  const seen: number[][] = [];
  for (const side of ['The front', 'Behind', 'Its left', 'Its right', 'Above']) {
    await look.selectOption({ label: side });
    await expect.poll(async () => (await camera(page)).focus[0]).toBeLessThan(0.5);
    const { longitude, latitude } = await camera(page);
    seen.push([Math.round(((longitude * 180) / Math.PI + 720) % 360), Math.round((latitude * 180) / Math.PI)]);
    await page.keyboard.press('f');
    await expect.poll(async () => (await camera(page)).focus[0]).toBeGreaterThan(1.8);
  }
  expect(seen.map(([longitude]) => longitude).slice(0, 4)).toEqual([0, 180, 90, 270]);
  expect(seen[4]?.[1]).toBeGreaterThan(80);
});

test('the camera follows the robot while it walks', async ({ begin }) => {
  const { page } = await begin({ name: 'Follow', children: [walk] });
  const before = (await camera(page)).focus[0] ?? 0;
  await run(page, 'Step');
  await status(page, 'Ahead', 'success');
  await expect.poll(async () => ((await camera(page)).focus[0] ?? 0) - before).toBeGreaterThan(0.6);
  // Unless it is told to stay.
  const follow = page.getByRole('button', { name: 'Follow', exact: true });
  await follow.click();
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  const there = (await camera(page)).focus[0];
  await run(page, 'Run from start');
  await status(page, 'Ahead', 'success');
  expect((await camera(page)).focus[0]).toBe(there);
});

test('the robot has a shadow and its feet show where they stand', async ({ begin }) => {
  const { page } = await begin({ name: 'Shadow', children: [walk] });
  const dark = (): Promise<number> =>
    page.locator('.view canvas').evaluate((canvas) => {
      const view = (canvas as Canvas).view as unknown as {
        draw(): void;
        setColours(colours: object): void;
        screen: { renderer: { getContext(): WebGL2RenderingContext } };
      };
      view.setColours({ background: '#ffffff', grid: '#ffffff', gridStrong: '#ffffff' });
      view.draw();
      const gl = view.screen.renderer.getContext();
      const data = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, data);
      // Evenly grey, as black over white is: each pixel once, however many links are above it.
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
        if (r > 120 && r < 235 && Math.abs(r - g) < 2 && Math.abs(g - b) < 2) count++;
      }
      return count;
    });
  await expect(page.locator('.readout')).toContainText('pelvis');
  const shown = await dark();
  const rings = await page.locator('.view canvas').evaluate((canvas) => {
    const { contact } = (canvas as Canvas).view as unknown as { contact: { rings: Record<string, { visible: boolean; position: { z: number } }> } };
    return Object.values(contact.rings).map(({ visible, position }) => [visible, Math.abs(position.z) < 0.02]);
  });
  expect(rings).toEqual([
    [true, true],
    [true, true],
  ]);
  await page.getByRole('button', { name: 'Layers' }).click();
  await page.getByRole('dialog', { name: 'Layers' }).getByRole('checkbox', { name: 'Shadow and ground contact' }).uncheck();
  await expect.poll(async () => shown - (await dark())).toBeGreaterThan(1000);
});

test('names that would lie over each other are written below each other', async ({ begin }) => {
  const { page } = await begin({ name: 'Crowd' });
  // Those of all frames of the robot.
  await page.getByRole('button', { name: 'Frames', exact: true }).click();
  const crowd = (): Promise<{ names: number; over: number }> =>
    page.locator('.view canvas').evaluate((canvas) => {
      const { boxes } = ((canvas as Canvas).view as unknown as { screen: { labels: { boxes: [number, number, number, number][] } } }).screen.labels;
      let over = 0;
      boxes.forEach(([x, y, wide, high], index) => {
        for (const [left, top, width, height] of boxes.slice(0, index))
          over += x < left + width && left < x + wide && y < top + height - 0.01 && top < y + high - 0.01 ? 1 : 0;
      });
      return { names: boxes.length, over };
    });
  await expect.poll(async () => (await crowd()).names).toBeGreaterThan(8);
  expect((await crowd()).over).toBe(0);
});

test('names are written as sharp text above the picture, however it is drawn', async ({ begin }) => {
  const { page } = await begin({
    name: 'Names',
    children: [
      {
        type: 'walk',
        name: 'Walk',
        by: 'steps',
        frame: 'world',
        steps: [
          { side: 'left', pose: { x_m: 0.3, y_m: 0.1 } },
          { side: 'right', pose: { x_m: 0.3, y_m: -0.1 } },
        ],
      },
    ],
  });
  await row(page, 'Walk').click();
  await expect(field(page, 'steps').locator('.list > .list-item')).toHaveCount(2);
  const written = (): Promise<string[]> =>
    page
      .locator('.view canvas')
      .evaluate((canvas) => ((canvas as Canvas).view as unknown as { screen: { labels: { written: string[] } } }).screen.labels.written);
  await expect.poll(written).toEqual(['1', '2']);
  const sizes = await page.locator('.view canvas').evaluate((canvas) => {
    const { labels } = ((canvas as Canvas).view as unknown as { screen: { labels: { canvas: HTMLCanvasElement } } }).screen;
    const pixels = labels.canvas.getContext('2d')?.getImageData(0, 0, labels.canvas.width, labels.canvas.height).data ?? [];
    let ink = 0;
    for (let at = 3; at < pixels.length; at += 4) ink += (pixels[at] ?? 0) > 0 ? 1 : 0;
    return { ink, width: labels.canvas.width, shown: canvas.clientWidth * devicePixelRatio };
  });
  expect(sizes.ink).toBeGreaterThan(50);
  expect(sizes.width).toBe(Math.round(sizes.shown));
  await page.getByRole('button', { name: 'Layers' }).click();
  await page.getByRole('dialog', { name: 'Layers' }).getByRole('checkbox', { name: 'Names' }).uncheck();
  await expect.poll(written).toEqual([]);
});

test('layers tell how much of each there is and how old it is', async ({ begin }) => {
  const { page } = await begin({ name: 'Layers', children: [walk] }, ['--world', 'table-balls', '--robot', 'coact-one']);
  await page.getByRole('button', { name: 'Layers' }).click();
  const list = page.getByRole('dialog', { name: 'Layers' });
  const line = (name: string) => list.getByRole('row').filter({ hasText: name });
  await expect(line('Robot').first()).toContainText('live');
  await expect(line('Point cloud')).toContainText(/\d/);
  await expect(line('Point cloud')).toContainText(/live|old/);
  await expect(line('Simulated world')).toContainText(/\d/);
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
});

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { COACT, expect, ROOT, test } from './station';

type Canvas = HTMLCanvasElement & { view: import('../src/three/view').View };

const STAND = { name: 'Stand', children: [{ type: 'wait', name: 'Wait', duration_s: 1 }] };

interface Seen {
  /** Pixels of each hue: red, yellow, green, cyan, blue, magenta. */
  hues: number[];
  /** Pixels that change when the robot is taken away. */
  robot: number;
}

/** What is on the screen of the 3D view: drawn now and read at once, with the robot and without. */
const look = (page: Page): Promise<Seen> =>
  page.locator('.view canvas').evaluate((element) => {
    const view = (element as Canvas).view as unknown as {
      draw(): void;
      screen: { renderer: { getContext(): WebGL2RenderingContext } };
      robot: { object: { visible: boolean } } | null;
    };
    const gl = view.screen.renderer.getContext();
    const read = (): Uint8Array => {
      view.draw();
      const data = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, data);
      return data;
    };
    const robot = view.robot?.object;
    const withRobot = read();
    if (robot) robot.visible = false;
    const without = read();
    if (robot) robot.visible = true;
    const hues = [0, 0, 0, 0, 0, 0];
    let changed = 0;
    for (let at = 0; at < withRobot.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = withRobot.subarray(at, at + 3);
      if (Math.abs(red - (without[at] ?? 0)) + Math.abs(green - (without[at + 1] ?? 0)) + Math.abs(blue - (without[at + 2] ?? 0)) < 24) continue;
      changed++;
      const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
      if (most - least < 60) continue;
      const sector = most === red ? (green - blue) / (most - least) : most === green ? 2 + (blue - red) / (most - least) : 4 + (red - green) / (most - least);
      const hue = (Math.round(sector) + 6) % 6;
      hues[hue] = (hues[hue] ?? 0) + 1;
    }
    return { hues, robot: changed };
  });

/** When every mesh has come, or been refused: the robot in the middle of the view. */
async function settled(page: Page): Promise<void> {
  await expect
    .poll(
      () => page.locator('.view canvas').evaluate((element) => ((element as Canvas).view as unknown as { robot: { waiting: number } | null }).robot?.waiting),
      { timeout: 60_000 },
    )
    .toBe(0);
  await page.locator('.view canvas').evaluate((element) => (element as Canvas).view.lookFrom('corner'));
}

test('a robot with a mesh of each format is seen in the colours of its files', async ({ begin }) => {
  const folder = join(ROOT, 'crates/looks/tests/robot');
  const { page } = await begin(STAND, ['--robot', folder]);
  await settled(page);
  // Red and yellow by the URDF, green by the MTL, blue by COLLADA, magenta by a picture, orange by GLB.
  for (const [hue, name] of [
    [0, 'red or orange'],
    [1, 'yellow'],
    [2, 'green'],
    [4, 'blue'],
    [5, 'magenta'],
  ] as const) {
    await expect.poll(async () => (await look(page)).hues[hue], { message: name }).toBeGreaterThan(60);
  }
  await expect(page.locator('.notices, [role=alert]').filter({ hasText: 'not shown' })).toHaveCount(0);
});

test('what cannot be shown of a robot is told, with the reason', async ({ begin }) => {
  const folder = mkdtempSync(join(tmpdir(), 'coact-robot-'));
  const from = join(ROOT, 'crates/looks/tests/robot');
  mkdirSync(join(folder, 'urdf'));
  writeFileSync(join(folder, 'robot.json'), readFileSync(join(from, 'robot.json')));
  const urdf = readFileSync(join(from, 'urdf/robot.urdf'), 'utf8');
  writeFileSync(join(folder, 'urdf/robot.urdf'), urdf.replaceAll(/filename="[^"]*"/g, 'filename="../gone/away.stl"'));
  const { page } = await begin(STAND, ['--robot', folder]);
  await expect(page.getByText(/A mesh of the robot is not shown.*away\.stl.*there is no such file/)).toBeVisible();
  // What is left of it, its shapes, is seen all the same.
  await settled(page);
  await expect.poll(async () => (await look(page)).robot).toBeGreaterThan(2000);
  rmSync(folder, { recursive: true, force: true });
});

/** Folders of robots of others, as of PyPI `example-robot-data`; `./dev` says where it put them. */
const OTHERS = (process.env.COACT_ROBOTS ?? '').split(':').filter(Boolean);
const REAL = [
  'robots/talos_data/robots/talos_reduced.urdf',
  'robots/g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf',
  'robots/romeo_description/urdf/romeo.urdf',
  'h1_2/h1_2.urdf',
];

for (const path of REAL) {
  test(`${basename(path, '.urdf')} is seen whole`, async ({ begin }) => {
    test.slow();
    const urdf = OTHERS.map((folder) => join(folder, path)).find((file) => existsSync(file));
    if (!urdf) console.warn(`SKIPPED: ${path} is in no folder of COACT_ROBOTS`);
    test.skip(!urdf, `${path} is in no folder of COACT_ROBOTS`);
    const folder = mkdtempSync(join(tmpdir(), 'coact-robot-'));
    const guess = join(folder, 'robot.json');
    execFileSync(COACT, ['robot-check', resolve(urdf ?? ''), '--write', guess], { cwd: folder });
    const { page } = await begin(STAND, ['--robot', guess]);
    await settled(page);
    // Whole: with only the shapes of primitives nothing of these robots would be there.
    await expect.poll(async () => (await look(page)).robot, { timeout: 60_000 }).toBeGreaterThan(8000);
    await page.screenshot({ path: join(ROOT, 'web/test-results', `${basename(path, '.urdf')}.png`) });
    await expect(page.getByText('A mesh of the robot is not shown')).toHaveCount(0);
    rmSync(folder, { recursive: true, force: true });
  });
}

import type { Page, PageScreenshotOptions } from '@playwright/test';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROBOT_STATE } from '../src/api/binary';
import type { View } from '../src/three/view';
import { expect, open, ROOT, test as base } from '../tests/station';
import { Demo } from '../tests/processes';

/** Of the flags of a robot state: it takes no commands, as one that fell, or something else is wrong with it. */
const FAULTED = 8;
const HAS_FAULTS = 64;

type Canvas = HTMLCanvasElement & { view: View };

interface Fixtures {
  /** Starts a demo on a behavior of the repository, or on one that is given, and opens the page. */
  show: (behavior: object | string, more?: string[]) => Promise<Demo>;
  /** Takes a picture of the page, or the one that is given, which is kept if the test passes and the robot has not fallen by then. */
  take: (name: string, picture?: Buffer) => Promise<void>;
}

export const test = base.extend<Fixtures>({
  show: async ({ page }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'coact-picture-'));
    for (const part of ['skills', 'examples']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    const demo = new Demo(folder);
    await use(async (behavior, more) => {
      const file = typeof behavior === 'string' ? behavior : 'behavior.json';
      if (typeof behavior !== 'string') writeFileSync(join(folder, file), JSON.stringify({ version: 1, ...behavior }));
      await demo.start(file, 0, more);
      await open(page, demo, 'Anna');
      return demo;
    });
    await demo.end();
    demo.close();
    rmSync(folder, { recursive: true, force: true });
  },
  take: async ({ page }, use, info) => {
    const taken = new Map<string, Buffer>();
    let flags: number | null = null;
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload !== 'string' && payload[0] === ROBOT_STATE) flags = payload.readUInt16LE(37);
      });
    });
    await use(async (name, picture) => {
      taken.set(name, picture ?? (await sharp(page)));
    });
    // How the run went is known only now.
    if (info.status !== 'passed') return;
    expect(flags, 'the robot was heard of').not.toBeNull();
    expect((flags ?? 0) & (FAULTED | HAS_FAULTS), 'the robot stands').toBe(0);
    for (const [name, bytes] of taken) writeFileSync(join(ROOT, 'docs/pictures', `${name}.png`), bytes);
  },
});

/**
 * What moves is drawn coarsely where graphics are slow. For a picture it is drawn once as finely as can be, and not again
 * before the picture is taken.
 */
export async function sharp(page: Page, how?: PageScreenshotOptions): Promise<Buffer> {
  const views = page.locator('.view canvas');
  await views.evaluateAll((all) => {
    for (const { view } of all as Canvas[]) {
      view['pace'].next = () => null;
      view['setDetail'](true);
      view['draw']();
    }
  });
  const picture = await page.screenshot(how);
  await views.evaluateAll((all) => {
    for (const { view } of all as Canvas[]) delete (view['pace'] as { next?: unknown }).next;
  });
  return picture;
}

/** Where the 3D view is looked at from, about a point of the world. */
export const lookFrom = (page: Page, longitude: number, latitude: number, distance: number, focus: [number, number, number]): Promise<void> =>
  page.locator('.view canvas').evaluate(
    (element, { longitude, latitude, distance, focus }) => {
      const { view } = element as Canvas;
      Object.assign(view.camera, { longitude, latitude, distance });
      view.lookAt(view.camera.focus.clone().fromArray(focus));
    },
    { longitude, latitude, distance, focus },
  );

/** Where a place on the ground of the map is on the screen. */
export async function onGround(page: Page, x: number, y: number): Promise<{ x: number; y: number }> {
  const canvas = page.locator('.view canvas');
  await expect.poll(() => canvas.evaluate((element) => (element as Canvas).view.camera.fixed)).toBe('above');
  return canvas.evaluate(
    (element, [x, y]) => {
      const { view } = element as Canvas;
      return view.project(view.camera.focus.clone().set(x ?? 0, y ?? 0, 0));
    },
    [x, y],
  );
}

/** The run has ended, and behind its last step: what fails or is stopped stays before it. */
export async function succeeded(page: Page): Promise<void> {
  await expect(page.locator('.running-list')).toContainText('Nothing runs.', { timeout: 120_000 });
  await expect(page.locator('.runbar .outcome')).toContainText('Succeeded in');
}

export async function colours(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`Colours: ${name}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { XRDevice } from 'iwer';
import type { View } from '../src/three/view';

const IWER = readFileSync(join(import.meta.dirname, '../node_modules/iwer/build/iwer.min.js'), 'utf8');

export type Point = [number, number, number];
type Canvas = HTMLCanvasElement & { view: View };
/** `view`: the emulation takes the canvas out of its panel while a session lasts, so tests keep hold of it. */
type Emulated = Window & { headset: XRDevice; view: View; IWER: { XRDevice: typeof XRDevice; metaQuest3: never } };

/** A headset with two controllers that tests move; before the page is opened. */
export async function wear(page: Page): Promise<void> {
  await page.addInitScript({ content: IWER });
  await page.addInitScript(() => {
    const { IWER } = window as unknown as Emulated;
    const headset = new IWER.XRDevice(IWER.metaQuest3, { stereoEnabled: false });
    headset.installRuntime({ forceInstall: true });
    Object.assign(window, { headset });
  });
}

export async function enter(page: Page): Promise<void> {
  await page.locator('.view canvas').evaluate((canvas) => Object.assign(window, { view: (canvas as Canvas).view }));
  await page.getByRole('button', { name: 'VR', exact: true }).click();
  await expect
    .poll(() =>
      page.evaluate(() =>
        (window as unknown as Emulated).view.vr?.hands
          .map(({ side }) => side)
          .sort()
          .join(),
      ),
    )
    .toBe('left,right');
}

/** Puts a controller at a place in the world, pointing at another, and waits until the page has seen it. */
export async function hold(page: Page, side: 'left' | 'right', at: Point, towards: Point): Promise<void> {
  await page.evaluate(
    ({ side, at, towards }) => {
      const { view, headset } = window as unknown as Emulated;
      const { vr } = view;
      const controller = headset.controllers[side];
      if (!vr || !controller) throw new Error('nobody is in the headset');
      vr.rig.object.updateMatrixWorld(true);
      const point = (where: Point) => vr.rig.room.worldToLocal(vr.rig.object.position.clone().fromArray(where));
      const from = point(at);
      const ahead = point(towards).sub(from).normalize();
      const turn = vr.rig.camera.quaternion.clone().setFromUnitVectors(from.clone().set(0, 0, -1), ahead);
      controller.position.set(from.x, from.y, from.z);
      controller.quaternion.set(turn.x, turn.y, turn.z, turn.w);
    },
    { side, at, towards },
  );
  await expect.poll(async () => far(await pointer(page, side), at)).toBeLessThan(0.002);
}

const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

export const pointer = (page: Page, side: 'left' | 'right'): Promise<Point> =>
  page.evaluate((side) => {
    const hand = (window as unknown as Emulated).view.vr?.hands.find((one) => one.side === side);
    if (!hand) throw new Error(`no ${side} hand`);
    return hand.pointer.getWorldPosition(hand.pointer.position.clone()).toArray() as Point;
  }, side);

export const head = (page: Page): Promise<Point> => page.evaluate(() => ((window as unknown as Emulated).view.vr?.rig.head.toArray() ?? [0, 0, 0]) as Point);

export const gizmo = (page: Page): Promise<Point> => page.evaluate(() => (window as unknown as Emulated).view.gizmo.object.position.toArray() as Point);

export const dragging = (page: Page): Promise<boolean> => page.evaluate(() => (window as unknown as Emulated).view.gizmo.dragging);

export async function set(page: Page, side: 'left' | 'right', button: 'trigger' | 'squeeze', value: number): Promise<void> {
  await page.evaluate(({ side, button, value }) => (window as unknown as Emulated).headset.controllers[side]?.updateButtonValue(button, value), {
    side,
    button,
    value,
  });
}

export async function stick(page: Page, side: 'left' | 'right', x: number, y: number): Promise<void> {
  await page.evaluate(({ side, x, y }) => (window as unknown as Emulated).headset.controllers[side]?.updateAxes('thumbstick', x, y), { side, x, y });
}

export const teleports = (page: Page): Promise<boolean> => page.evaluate(() => (window as unknown as Emulated).view.vr?.teleports ?? false);

/** Lifts the left wrist before the eyes, a little to the side and this much above their middle. */
export async function lookAtWrist(page: Page, up = -0.24): Promise<void> {
  const [at, towards] = await page.evaluate((up) => {
    const { vr } = (window as unknown as Emulated).view;
    if (!vr) throw new Error('nobody is in the headset');
    const place = (x: number, y: number, z: number): Point => vr.rig.camera.localToWorld(vr.rig.object.position.clone().set(x, y, z)).toArray() as Point;
    return [place(-0.17, up, -0.42), place(-0.17, up, -2)];
  }, up);
  await hold(page, 'left', at, towards);
}

/** Points at a button of the panel on the left wrist and pulls the trigger. */
export async function pressWrist(page: Page, title: string): Promise<void> {
  const place = (): Promise<Point | null> =>
    page.evaluate((title) => ((window as unknown as Emulated).view.vr?.wrist.placeOf(title)?.toArray() ?? null) as Point | null, title);
  await expect.poll(place).not.toBeNull();
  const at = (await place()) ?? [0, 0, 0];
  const eye = await head(page);
  const away = far(at, eye);
  const from = at.map((value, axis) => value + (((eye[axis] ?? 0) - value) / away) * 0.25) as Point;
  await hold(page, 'right', from, at);
  await pull(page, 'right');
}

/** The trigger once: down, seen by the page, and up again. */
export async function pull(page: Page, side: 'left' | 'right'): Promise<void> {
  await page.evaluate(
    (side) =>
      new Promise<void>((done) => {
        const hand = (window as unknown as Emulated).view.vr?.hands.find((one) => one.side === side);
        const up = (): void => {
          hand?.pointer.removeEventListener('selectend', up);
          done();
        };
        hand?.pointer.addEventListener('selectend', up);
        hand?.pointer.addEventListener('disconnected', () => done()); // the press ended the session
        const controller = (window as unknown as Emulated).headset.controllers[side];
        const down = (): void => {
          hand?.pointer.removeEventListener('selectstart', down);
          controller?.updateButtonValue('trigger', 0);
        };
        hand?.pointer.addEventListener('selectstart', down);
        controller?.updateButtonValue('trigger', 1);
      }),
    side,
  );
}

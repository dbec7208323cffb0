import type { Page } from '@playwright/test';
import type { View } from '../src/three/view';
import { add, expect, field, row, run, status, test, tree } from './station';

type Canvas = HTMLCanvasElement & { view: View };

interface Ghost {
  visible: boolean;
  /** Of its hands' side joints and base: to tell one pose from another. */
  pose: number[];
  colour: string;
}

const ghost = (page: Page): Promise<Ghost> =>
  page.locator('.view canvas').evaluate((canvas) => {
    const layer = (
      (canvas as Canvas).view as unknown as {
        preview: {
          ghost: {
            object: { visible: boolean; matrixWorld: { elements: number[] } };
            meshes: { matrixWorld: { elements: number[] }; material: { color: { getHexString(): string } } }[];
          };
        };
      }
    ).preview;
    const { object, meshes } = layer.ghost;
    const pose = meshes.flatMap(({ matrixWorld }) => matrixWorld.elements.slice(12, 15)).map((value) => Math.round(value * 1e4) / 1e4);
    const colours = new Map<string, number>();
    for (const { material } of meshes) colours.set(material.color.getHexString(), (colours.get(material.color.getHexString()) ?? 0) + 1);
    return { visible: object.visible, pose, colour: [...colours].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '' };
  });

const BLUE = '4c8dff';
const RED = 'e5484d';

/** Pixels of the 3D view that are bluer, and redder, than grey. */
const pixels = (page: Page): Promise<{ blue: number; red: number }> =>
  page.locator('.view canvas').evaluate((canvas) => {
    const view = (canvas as Canvas).view as unknown as { draw(): void; screen: { renderer: { getContext(): WebGL2RenderingContext } } };
    view.draw();
    const gl = view.screen.renderer.getContext();
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const data = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    let [blue, red] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
      if (b > r + 45 && b > g + 20) blue++;
      if (r > b + 45 && r > g + 45) red++;
    }
    return { blue, red };
  });

const arm = { type: 'arm', name: 'Reach', side: 'right', frame: 'chest', pose: { x_m: 0.35, y_m: -0.25, z_m: 0 }, duration_s: 2 };

async function grip(page: Page, axis: string): Promise<void> {
  const canvas = page.locator('.view canvas');
  await expect.poll(() => canvas.evaluate((element) => (element as Canvas).view.gizmo.object.visible)).toBe(true);
  await expect
    .poll(async () => {
      const at = await canvas.evaluate((element, along) => {
        const { view } = element as Canvas;
        const { gizmo } = view;
        const tip = gizmo.object.position.clone();
        const direction = tip
          .clone()
          .set(along === 'x' ? 1 : 0, along === 'y' ? 1 : 0, along === 'z' ? 1 : 0)
          .applyQuaternion(gizmo.object.quaternion);
        return view.project(tip.addScaledVector(direction, gizmo.object.scale.x * 0.95));
      }, axis);
      await page.mouse.move(at.x, at.y);
      return canvas.evaluate((element) => (element as Canvas).view.gizmo.hovered);
    })
    .toBe(axis);
}

test('while the gizmo is dragged the ghost follows, and turns red where the hand does not get there @newcomer', async ({ begin }) => {
  const { page } = await begin({ name: 'Drag', children: [arm] });
  await row(page, 'Reach').click();
  expect((await ghost(page)).visible).toBe(false);
  const without = await pixels(page);
  await grip(page, 'z');
  const at = await page.locator('.view canvas').evaluate((element) => {
    const { view } = element as Canvas;
    const to = view.gizmo.object.position.clone();
    return [0, 0.1, 1.4].map((up) => view.project(to.clone().setZ(to.z + up + view.gizmo.object.scale.x * 0.95)));
  });
  const [from, near, far] = at as [{ x: number; y: number }, { x: number; y: number }, { x: number; y: number }];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(near.x, near.y, { steps: 4 });
  await expect.poll(() => ghost(page)).toMatchObject({ visible: true, colour: BLUE });
  const held = await ghost(page);
  expect((await pixels(page)).blue).toBeGreaterThan(without.blue + 500);
  await page.mouse.move(far.x, Math.max(5, far.y), { steps: 8 });
  await expect.poll(async () => (await ghost(page)).colour).toBe(RED);
  expect((await ghost(page)).pose).not.toEqual(held.pose);
  expect((await pixels(page)).red).toBeGreaterThan(without.red + 500);
  // Nothing was given yet, and Escape gives nothing.
  await expect(field(page, 'pose').locator('input[id$="-z_m"]')).toHaveValue('0');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(async () => (await ghost(page)).colour).toBe(BLUE);
  await expect(field(page, 'pose').locator('input[id$="-z_m"]')).toHaveValue('0');
});

test('while a slider is dragged the ghost follows; letting go is one edit', async ({ begin }) => {
  const { page } = await begin({ name: 'Slide', children: [{ type: 'neck', name: 'Look', yaw_deg: 0, pitch_deg: 0, duration_s: 1 }] });
  await row(page, 'Look').click();
  const slider = field(page, 'yaw_deg').locator('input[type=range]');
  const box = await slider.boundingBox();
  if (!box) throw new Error('no slider');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 3 });
  await expect.poll(async () => (await ghost(page)).visible).toBe(true);
  await expect.poll(async () => (await ghost(page)).pose.length).toBeGreaterThan(0);
  const first = await ghost(page);
  await page.mouse.move(box.x + box.width * 0.42, box.y + box.height / 2, { steps: 3 });
  await expect.poll(async () => JSON.stringify((await ghost(page)).pose) === JSON.stringify(first.pose)).toBe(false);
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
  await page.mouse.up();
  await expect(page.locator('.file-name .unsaved')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
});

test('the ghost of a later step begins where the robot is by then', async ({ begin }) => {
  const { page } = await begin({
    name: 'Later',
    children: [
      { type: 'walk', name: 'Ahead', stance: { x_m: 0.6 }, focal: { x_m: 1.6 } },
      { ...arm, name: 'Reach', pose: { x_m: 0.35, y_m: -0.2, z_m: 0.1 } },
    ],
  });
  await row(page, 'Reach').click();
  await page.keyboard.press('Control+p');
  const x = async (): Promise<number> => (await ghost(page)).pose[0] ?? 0;
  await expect.poll(async () => (await ghost(page)).visible).toBe(true);
  expect(await x()).toBeLessThan(0.2);
  await run(page, 'Step');
  // On its way, too.
  await expect.poll(x).toBeGreaterThan(0.2);
  expect(await row(page, 'Ahead').getAttribute('class')).toContain('running');
  await status(page, 'Ahead', 'success');
  await expect.poll(x).toBeGreaterThan(0.5);
});

test('the way of an arm is played in a loop, each moment in its colour', async ({ begin }) => {
  const { page } = await begin({ name: 'Play', children: [{ ...arm, name: 'Too far', pose: { x_m: 1.2, y_m: -0.25, z_m: 0.1 } }] });
  await row(page, 'Too far').click();
  await page.keyboard.press('Control+p');
  await expect(page.locator('.readout')).toContainText('not reached');
  await page.getByRole('button', { name: 'Play its way' }).click();
  const seen = new Set<string>();
  const poses = new Set<string>();
  await expect
    .poll(async () => {
      const now = await ghost(page);
      seen.add(now.colour);
      poses.add(JSON.stringify(now.pose));
      return seen.has(BLUE) && seen.has(RED) && poses.size > 6;
    })
    .toBe(true);
  await page.getByRole('button', { name: 'Pause the ghost' }).click();
  await page.getByRole('slider', { name: 'Along the way' }).fill('0');
  const begins = await ghost(page);
  expect(begins.colour).toBe(BLUE);
  await page.getByRole('slider', { name: 'Along the way' }).fill('1');
  await expect.poll(async () => (await ghost(page)).colour).toBe(RED);
});

test('fingers of the ghost are as the last hand step before leaves them', async ({ begin }) => {
  const { page } = await begin({
    name: 'Fingers',
    children: [
      { ...arm, name: 'Before' },
      { type: 'gripper', name: 'Open', side: 'right', opening_deg: 60 },
      { ...arm, name: 'After' },
    ],
  });
  const shown = async (step: string): Promise<number[]> => {
    await row(page, step).click();
    await page.waitForFunction((name) => document.querySelector('.settings-head h2')?.textContent?.includes(name), step);
    if (!(await ghost(page)).visible) await page.keyboard.press('Control+p');
    await expect.poll(async () => (await ghost(page)).visible).toBe(true);
    // The preview that is shown is of this step.
    await expect(page.locator('.readout')).toContainText('reached');
    return (await ghost(page)).pose;
  };
  const before = await shown('Before');
  await row(page, 'After').click();
  await expect.poll(async () => JSON.stringify((await ghost(page)).pose) === JSON.stringify(before)).toBe(false);
});

test('a new step of the body begins where the robot is, with its ghost; a walk half a metre ahead', async ({ begin }) => {
  const { page } = await begin({ name: 'New' });
  await tree(page).focus();
  await page.keyboard.press('ArrowDown');
  await add(page, 'walk');
  await expect(field(page, 'stance').locator('input[id$="-x_m"]')).toHaveValue('0.5');
  await expect.poll(async () => (await ghost(page)).visible).toBe(true);
  const feet = () =>
    page.locator('.view canvas').evaluate((canvas) => {
      let count = 0;
      ((canvas as Canvas).view as unknown as { preview: { object: { traverse(see: (part: { name: string }) => void): void } } }).preview.object.traverse(
        (part) => (count += part.name === 'footstep' ? 1 : 0),
      );
      return count;
    });
  await expect.poll(feet).toBeGreaterThan(1);
  const planned = await feet();

  // Its planned steps become its own, move together, and lie level again.
  await page.getByRole('button', { name: 'Make its planned steps its own' }).click();
  await expect(field(page, 'steps').locator('.list > .list-item')).toHaveCount(planned);
  await expect(page.getByRole('button', { name: 'Move all steps of a walk together' })).toHaveAttribute('aria-pressed', 'true');
  const x = () =>
    field(page, 'steps')
      .locator('input[id$="-pose-x_m"]')
      .evaluateAll((all) => all.map((input) => Number((input as HTMLInputElement).value)));
  const before = await x();
  await page.locator('.view canvas').focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await x()).every((value, index) => Math.abs(value - (before[index] ?? 0)) > 0.004)).toBe(true);
  const by = (await x()).map((value, index) => value - (before[index] ?? 0));
  for (const one of by) expect(one).toBeCloseTo(by[0] ?? 0, 3);
  await field(page, 'steps').locator('input[id$="-pose-z_m"]').first().fill('0.1');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Put its steps level on the ground' }).click();
  await expect(field(page, 'steps').locator('input[id$="-pose-z_m"]').first()).toHaveValue('0');
});

test('the page asks once whether a step may press the body into itself', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Touch', children: [{ ...arm, name: 'Into itself', pose: { x_m: 0.02, y_m: 0, z_m: -0.1 } }] });
  await row(page, 'Into itself').click();
  await page.keyboard.press('Control+p');
  const asks = page.getByRole('alertdialog', { name: 'It touches its own body' });
  await expect(asks).toContainText('Is that meant?');
  await asks.getByRole('button', { name: 'It may touch itself' }).click();
  await expect(asks).toBeHidden();
  await expect(field(page, 'may_touch_body').locator('input')).toBeChecked();
  await page.keyboard.press('Control+s');
  await expect.poll(() => demo.read('behavior.json')).toMatchObject({ children: [{ may_touch_body: true }] });
});

/** The names of goals in the scene graph that are seen. */
const goals = (page: Page): Promise<string[]> =>
  page
    .locator('.view canvas')
    .evaluate((canvas) =>
      ((canvas as Canvas).view as unknown as { goals: { object: { children: { name: string; visible: boolean }[] } } }).goals.object.children
        .filter(({ visible }) => visible)
        .map(({ name }) => name),
    );

test('waypoints, feet at the end, pelvis, chest, force and nominal poses are dragged in 3D', async ({ begin }) => {
  const { page } = await begin({
    name: 'Handles',
    children: [
      {
        ...arm,
        name: 'Way',
        waypoints: [
          { at: 0.3, pose: { x_m: 0.3, y_m: -0.3, z_m: 0 } },
          { at: 0.6, pose: { x_m: 0.3, y_m: -0.2, z_m: 0.1 } },
        ],
      },
      { type: 'walk', name: 'Feet', stance: { x_m: 0.6 }, focal: { x_m: 1.6 }, left_foot: { y_m: 0.12 }, right_foot: { y_m: -0.12 } },
      { type: 'pelvis', name: 'Squat', height_m: 0.7 },
      { type: 'spine', name: 'Turn', by: 'orientation', frame: 'walking', yaw_deg: 10 },
      { type: 'hand_wrench', name: 'Push', force: { x_n: 40 }, torque: { z_nm: 2 } },
      { type: 'setup_object', name: 'Find', class: 'mug', frame: 'world', nominal: { x_m: 0.8, z_m: 0.9 } },
    ],
  });
  const expected: [string, string[]][] = [
    ['Way', ['goal pose', 'goal waypoints 0', 'goal waypoints 1']],
    ['Feet', ['goal stance', 'goal focal', 'goal left_foot', 'goal right_foot']],
    ['Squat', ['goal height_m']],
    ['Turn', ['goal yaw_deg']],
    ['Push', ['goal force', 'goal torque']],
    ['Find', ['goal nominal']],
  ];
  for (const [step, all] of expected) {
    await row(page, step).click();
    await expect.poll(() => goals(page), step).toEqual(all);
  }
  // A way of poses has no angles to fill in.
  await row(page, 'Way').click();
  await expect(field(page, 'waypoints').locator('input[id$="-x_m"]')).toHaveCount(2);
  await expect(field(page, 'waypoints').locator('.joints')).toHaveCount(0);
  const nudge = async (step: string, key: string, of: string, part: string, changed: (value: number) => boolean): Promise<void> => {
    await row(page, step).click();
    await expect.poll(() => goals(page)).toContain(`goal ${of}`);
    await page.locator('.view canvas').focus();
    await page.keyboard.press(key);
    const input = part ? field(page, of).locator(`input[id$="-${part}"]`) : field(page, of).locator('input:not([type=range])');
    await expect.poll(async () => changed(Number(await input.inputValue())), `${step} ${of}`).toBe(true);
  };
  await nudge('Squat', 'Control+ArrowUp', 'height_m', '', (value) => Math.abs(value - 0.71) < 0.003);
  await nudge('Turn', 'Control+ArrowLeft', 'yaw_deg', '', (value) => Math.abs(value - 10) > 0.5);
  await nudge('Push', 'Control+ArrowUp', 'force', 'z_n', (value) => value > 1);
  await nudge('Find', 'Control+ArrowUp', 'nominal', 'z_m', (value) => Math.abs(value - 0.91) < 0.003);
});

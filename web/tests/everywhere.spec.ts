import type { Locator } from '@playwright/test';
import type { View } from '../src/three/view';
import { bars, expect, row, run, status, test, tree } from './station';

const steps = (names: string[], more: object = {}) => names.map((name) => ({ type: 'stand_in', name, duration_s: 0.5, ...more }));
const SIZES = [
  { width: 1024, height: 768 },
  { width: 820, height: 1180 },
  { width: 1180, height: 820 },
];

/** Whole in the window, and nothing over its middle. */
async function reachable(what: Locator): Promise<void> {
  await expect(what).toBeVisible();
  const within = await what.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && (over === element || element.contains(over));
  });
  expect(within, await what.evaluate((element) => element.outerHTML.slice(0, 120))).toBe(true);
}

test('on small windows and tablets in both directions all of the run bar, the layouts and Stop are there, and panels have room', { tag: '@newcomer' }, async ({
  begin,
}) => {
  test.slow();
  const { page } = await begin({ name: 'Small', children: steps(['A', 'B']) });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect(page.locator('[data-panel=view] canvas')).toBeVisible();
    for (const name of ['Automatic', 'Step', 'Pause', 'Run from start', 'Concurrency', 'Preview', 'Reset failures']) {
      await reachable(page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name, exact: true }));
    }
    for (const name of ['off', 'low', 'high', 'full'])
      await reachable(page.getByRole('group', { name: 'Autonomy level' }).getByRole('button', { name, exact: true }));
    for (const name of ['Author', 'Run', 'Review', 'Map']) await reachable(page.locator('.layouts').getByRole('button', { name, exact: true }));
    await reachable(page.locator('.status .stop'));
    await reachable(page.locator('.status .mode'));
    await expect(async () => {
      for (const panel of ['view', 'tree', 'settings', 'timeline']) {
        const box = await page.locator(`[data-panel=${panel}]`).boundingBox();
        expect(Math.min(box?.width ?? 0, (box?.height ?? 0) * 2), `${panel} at ${size.width}`).toBeGreaterThan(190);
      }
    }).toPass();
  }
});

test('what is said of the picture stands below its buttons, however many lines they take', async ({ begin }) => {
  const { page } = await begin({ name: 'Below', children: steps(['A']) }, ['--world', 'table-balls', '--robot', 'coact-one']);
  await expect(page.locator('.view-truth')).toBeVisible();
  for (const [size, layout] of [[{ width: 1440, height: 900 }, 3], ...SIZES.map((size) => [size, 1] as const)] as const) {
    await page.setViewportSize(size);
    await page.keyboard.press(`Alt+${layout}`);
    for (const button of await page.locator('.view-tools').locator('button, select').all()) await reachable(button);
    const [tools, truth] = await Promise.all(['.view-tools', '.view-truth'].map((one) => page.locator(one).boundingBox()));
    expect(truth?.y ?? 0, `at ${size.width}`).toBeGreaterThanOrEqual((tools?.y ?? 0) + (tools?.height ?? 0));
  }
});

test('numbers of a pose can be read and typed in at every size, and no button lies over another', async ({ begin }) => {
  const { page } = await begin({
    name: 'Pose',
    children: [
      { type: 'arm', name: 'Reach', frame: 'chest', pose: { x_m: -0.145, y_m: -0.145, z_m: -0.145, roll_deg: -90.5, pitch_deg: -90.5, yaw_deg: -90.5 } },
    ],
  });
  await row(page, 'Reach').click();
  const pose = page.locator('.panel-settings [data-field=pose]');
  for (const size of [{ width: 1440, height: 900 }, ...SIZES]) {
    await page.setViewportSize(size);
    await page.getByText('Settings', { exact: true }).first().click();
    const inputs = pose.locator('input:not([type=range])');
    await expect(inputs).toHaveCount(6);
    const cut = await inputs.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth || one.clientWidth < 36).map((one) => one.id));
    expect(cut, `at ${size.width}`).toEqual([]);
    const boxes = await pose
      .locator('input, button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, top, right, bottom] as const));
    const over = boxes.flatMap(([left, top, right, bottom], index) =>
      boxes.slice(0, index).filter(([l, t, r, b]) => left < r - 1 && l < right - 1 && top < b - 1 && t < bottom - 1),
    );
    expect(over, `at ${size.width}`).toEqual([]);
  }
});

test('what is pressed looks pressed under the mouse, too', async ({ begin }) => {
  const { page } = await begin({ name: 'Pressed', children: steps(['A']) });
  const fill = (name: string): Promise<string> =>
    page
      .locator('.layouts')
      .getByRole('button', { name, exact: true })
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const pressed = await fill('Author');
  await page.locator('.layouts').getByRole('button', { name: 'Run', exact: true }).click();
  expect(await fill('Run')).toBe(pressed);
  expect(await fill('Author')).not.toBe(pressed);
});

test('the log opens at what happened last', async ({ begin }) => {
  const { page } = await begin({
    name: 'Long',
    children: [{ type: 'loop', name: 'Often', count: 40, children: [{ type: 'log', name: 'Say', text: 'said' }] }],
  });
  await run(page, 'Automatic');
  await expect(page.locator('.outcome')).toHaveText(/Succeeded/);
  await page.locator('.dv-tab', { hasText: 'Log' }).click();
  await expect(page.locator('.log-line').filter({ hasText: 'The behavior succeeded' })).toBeInViewport();
});

test('there is one Stop and one Autonomy', async ({ begin }) => {
  const { page } = await begin({ name: 'One', children: steps(['A']) });
  await expect(page.getByRole('button', { name: /^Stop/ })).toHaveCount(1);
  await expect(page.getByText('Autonomy', { exact: true })).toHaveCount(1);
});

test('keys of commands work from the tabs of panels, and with Alt by the key that is pressed', async ({ begin }) => {
  const { page } = await begin({ name: 'Keys', children: steps(['A', 'B']) });
  await page.locator('.dv-tab', { hasText: 'Timeline' }).click();
  await page.locator('.dv-tab', { hasText: 'Timeline' }).focus();
  await page.keyboard.press('Control+Enter');
  await status(page, 'A', 'success');
  await row(page, 'B').click();
  // As a Mac and some layouts tell it: Alt and B write something else.
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '∫', code: 'KeyB', altKey: true, bubbles: true, cancelable: true })),
  );
  await expect(row(page, 'B').getByLabel('Breakpoint')).toBeVisible();
  // AltGr writes letters and is told as Ctrl and Alt on some systems.
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key: '“', code: 'KeyV', ctrlKey: true, altKey: true, modifierAltGraph: true, bubbles: true, cancelable: true }),
    ),
  );
  await expect(page.getByRole('status', { name: 'Preview mode' })).toBeHidden();
});

test('a breakpoint is seen as a filled mark and a bar at the row, a failure blinks, an arm by joints says so', async ({ begin }) => {
  const { page } = await begin({
    name: 'Marks',
    children: [...steps(['B']), { type: 'always_fail', name: 'Breaks', reason: 'no' }, { type: 'arm', name: 'Arm', by: 'angles' }],
  });
  await expect(row(page, 'Arm').locator('.detail')).toContainText('joints');
  await row(page, 'B').click();
  await page.keyboard.press('Alt+b');
  const mark = row(page, 'B').getByLabel('Breakpoint');
  await expect(mark).toBeVisible();
  expect(await mark.evaluate((element) => getComputedStyle(element).fill)).toBe('rgb(217, 44, 56)');
  expect(await row(page, 'B').evaluate((element) => getComputedStyle(element, '::before').width)).toBe('4px');
  await page.keyboard.press('Alt+b');
  await run(page, 'Automatic');
  await status(page, 'Breaks', 'failure');
  expect(await row(page, 'Breaks').evaluate((element) => getComputedStyle(element).animationName)).toBe('fails');
  expect(
    await bars(page)
      .filter({ hasText: 'Breaks' })
      .evaluate((element) => getComputedStyle(element).animationName),
  ).toBe('fails');
});

test('time in which nothing ran is cut out of the timeline, with a mark that says how long', async ({ begin }) => {
  const { page } = await begin({ name: 'Idle', children: steps(['A', 'B']) });
  await run(page, 'Step');
  await status(page, 'A', 'success');
  const clock = () =>
    page
      .locator('.readout .mono')
      .textContent()
      .then((text) => Number.parseFloat(text ?? ''));
  const from = await clock();
  await expect.poll(clock).toBeGreaterThan(from + 6);
  await run(page, 'Step');
  await status(page, 'B', 'success');
  const cut = page.locator('.idle-cut');
  await expect(cut).toHaveCount(1);
  expect(Number.parseFloat(((await cut.getAttribute('title')) ?? '').replace(/[^\d.]*([\d.]+).*/, '$1'))).toBeGreaterThan(6);
  const [a, mark, b] = await Promise.all(
    [bars(page).filter({ hasText: 'A' }), cut, bars(page).filter({ hasText: 'B' })].map((one) => one.first().boundingBox()),
  );
  expect(mark?.width).toBeLessThan(30);
  expect((mark?.x ?? 0) - ((a?.x ?? 0) + (a?.width ?? 0))).toBeLessThan(3);
  expect((b?.x ?? 0) - ((mark?.x ?? 0) + (mark?.width ?? 0))).toBeLessThan(3);
});

test('names in narrow tables break between words, and marks stand apart', async ({ begin }) => {
  const { page } = await begin({ name: 'Words', variables: { a_variable_with_a_very_long_name_that_has_no_room_at_all: 1 }, children: steps(['A']) });
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByText('Variables', { exact: true }).click();
  const name = page.getByRole('rowheader', { name: /a_variable_with/ });
  const lines = await name.evaluate((element) => {
    const range = document.createRange();
    const ends: string[] = [];
    const texts = [...(element.querySelector('span') ?? element).childNodes].filter((node): node is Text => node.nodeType === Node.TEXT_NODE);
    for (const [index, text] of texts.entries()) {
      range.selectNodeContents(text);
      const next = texts[index + 1];
      const top = range.getClientRects()[0]?.top;
      if (range.getClientRects().length > 1) ends.push(`cut: ${text.data}`);
      if (!next) continue;
      range.selectNodeContents(next);
      if (range.getClientRects()[0]?.top !== top) ends.push(text.data.slice(-1));
    }
    return ends;
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines)).toEqual(new Set(['_']));
});

test.describe('with fingers', () => {
  test.use({ hasTouch: true, viewport: { width: 820, height: 1180 } });

  test('a tap selects, a finger that rests opens the menu, one turns the view and two come closer', async ({ begin, context }) => {
    const { page } = await begin({ name: 'Touch', children: steps(['A', 'B']) });
    await row(page, 'A').tap();
    await expect(row(page, 'A')).toHaveAttribute('aria-selected', 'true');
    const device = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      device.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });

    const at = await row(page, 'B').boundingBox();
    if (!at) throw new Error('no row');
    await touch('touchStart', [at.x + 90, at.y + at.height / 2]);
    await expect(page.getByRole('menu')).toBeVisible();
    await touch('touchEnd');
    await page.getByRole('menu').getByText('Make it next', { exact: true }).tap();
    await expect(row(page, 'B')).toHaveClass(/next/);

    const canvas = page.locator('.view canvas');
    const camera = () =>
      canvas.evaluate((element) => {
        const { distance, longitude } = (element as HTMLCanvasElement & { view: View }).view.camera;
        return { distance, longitude };
      });
    const box = await canvas.boundingBox();
    if (!box) throw new Error('no view');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const before = await camera();
    await touch('touchStart', [x, y]);
    for (let step = 1; step <= 5; step++) await touch('touchMove', [x + 20 * step, y]);
    await touch('touchEnd');
    await expect.poll(async () => (await camera()).longitude).not.toBe(before.longitude);
    const turned = await camera();
    await touch('touchStart', [x - 40, y]);
    await touch('touchStart', [x - 40, y], [x + 40, y]);
    for (let step = 1; step <= 5; step++) await touch('touchMove', [x - 40 - 12 * step, y], [x + 40 + 12 * step, y]);
    await touch('touchEnd');
    await expect.poll(async () => (await camera()).distance).toBeLessThan(turned.distance * 0.6);
    expect((await camera()).longitude).toBe(turned.longitude);
    for (const button of ['Automatic', 'Step']) {
      const size = await page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: button, exact: true }).boundingBox();
      expect(size?.height).toBeGreaterThanOrEqual(36);
    }
    await expect(tree(page)).toBeVisible();
  });
});

test('however long the name of what is next, nothing is wider than the window', async ({ begin }) => {
  const long = 'A step with a name that somebody wrote to say everything that there is to say of it';
  const { page } = await begin({
    children: [
      { type: 'wait', name: `${long}, first`, duration_s: 30 },
      { type: 'wait', name: `${long}, second`, duration_s: 30 },
    ],
  });
  await run(page, 'Automatic');
  await expect(page.locator('.next-line')).toContainText('waits until');
  const over = (selector: string): Promise<number> =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => one.getBoundingClientRect().right - innerWidth);
  for (const selector of ['.runbar', '.app', '.status .stop']) expect(await over(selector), selector).toBeLessThanOrEqual(0);
  await expect(page.getByRole('button', { name: 'full', exact: true })).toBeInViewport({ ratio: 1 });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { bars, Demo, expect, mode, names, row, run, test as base, tree } from './station';

/** As a newcomer has it: `coact demo` in an empty folder, nothing else. */
const test = base.extend<{ fresh: Demo }>({
  fresh: async ({ page }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'coact-demo-'));
    const demo = new Demo(folder);
    await demo.startFresh();
    await page.goto(demo.address);
    await page.getByLabel('Your name').fill('Nina');
    await page.keyboard.press('Enter');
    await expect(tree(page)).toBeVisible();
    await use(demo);
    await demo.end();
    demo.close();
    rmSync(folder, { recursive: true, force: true });
  },
});

const pelvis = (page: Page) =>
  page
    .locator('.readout .mono')
    .textContent()
    .then((text) => Number(/pelvis (-?[\d.]+)/.exec(text ?? '')?.[1]));
const tour = (page: Page) => page.getByLabel('Guided tour');

test('the demo opens on a door that is walked through with several things at once; from the start runs it again in a world that begins anew', {
  tag: '@newcomer',
}, async ({ page, fresh }) => {
  test.setTimeout(240_000);
  expect(fresh.port).toBeGreaterThan(0);
  await tour(page).getByRole('button', { name: 'Skip the tour' }).click();
  await expect(tour(page)).toBeHidden();
  await expect(row(page, 'Push door')).toBeVisible();
  for (const again of [false, true]) {
    await run(page, 'Run from start');
    // The robot stands before the door again.
    await expect.poll(() => pelvis(page)).toBeLessThan(0.3);
    await expect(bars(page).filter({ hasText: 'Push it open' })).toHaveClass(/running/, { timeout: 40_000 });
    // Arms, spine and legs at once: rows below each other at one time.
    const lanes = await bars(page).evaluateAll(
      (all) => new Set(all.filter((bar) => bar.classList.contains('running')).map((bar) => (bar as HTMLElement).style.top)).size,
    );
    expect(lanes, again ? 'again' : 'first').toBeGreaterThanOrEqual(3);
    await expect(page.locator('.outcome')).toHaveText(/^Succeeded in \d+\.\d s$/, { timeout: 90_000 });
    expect(await pelvis(page)).toBeGreaterThan(1.8);
  }
  // The world and the run begin anew together, once each time.
  await page.locator('.dv-tab', { hasText: 'Log' }).click();
  await page.getByLabel('Search the log').fill('all begins anew');
  await expect(page.locator('.log-line').filter({ hasText: 'All begins anew.' })).toHaveCount(2);
});

test('the tour points at what it speaks of and ends with an edit of the running tree', { tag: '@newcomer' }, async ({ page, fresh }) => {
  test.setTimeout(180_000);
  expect(fresh.port).toBeGreaterThan(0);
  /** Its card is beside what is outlined, not over it, unless there is no room beside. */
  const points = async (at: string): Promise<void> => {
    await expect(async () => {
      const target = await page.locator(at).first().boundingBox();
      const card = await tour(page).boundingBox();
      const arrow = await page.locator('.tour-arrow').boundingBox();
      if (!target || !card || !arrow) throw new Error(`nothing at ${at}`);
      expect(
        await page
          .locator(at)
          .first()
          .evaluate((element) => getComputedStyle(element).outlineWidth),
      ).toBe('2px');
      const apart =
        card.x >= target.x + target.width || card.x + card.width <= target.x || card.y >= target.y + target.height || card.y + card.height <= target.y;
      expect(apart, at).toBe(true);
      const [x, y] = [arrow.x + arrow.width / 2, arrow.y + arrow.height / 2];
      const away = Math.max(target.x - x, x - target.x - target.width, target.y - y, y - target.y - target.height);
      expect(away, `the arrow of ${at}`).toBeLessThan(30);
    }).toPass();
  };
  await points('[data-panel=view]');
  await tour(page).getByRole('button', { name: 'Go on' }).click();
  await points('[data-panel=tree]');
  await tour(page).getByRole('button', { name: 'Go on' }).click();
  await points('.run-button[title^="Run from the start"]');
  // Doing it is going on.
  await run(page, 'Run from start');
  // A run of twenty seconds may be over before the tour is, where drawing is slow.
  await mode(page, 'Automatic');
  await expect(tour(page)).toContainText('What runs');
  await points('[data-panel=timeline]');
  await tour(page).getByRole('button', { name: 'Go on' }).click();
  await points('.stop');
  await tour(page).getByRole('button', { name: 'Go on' }).click();
  await expect(tour(page)).toContainText('Change it while it runs');
  await row(page, 'How high the shoulders are').click();
  await page.getByRole('button', { name: 'Add…' }).click();
  await page.getByRole('dialog', { name: 'Add step' }).getByRole('combobox').fill('wait');
  await page.keyboard.press('Enter');
  await expect(tour(page)).toContainText('That was an edit');
  await tour(page).getByRole('button', { name: 'Close' }).click();
  await expect(tour(page)).toBeHidden();
});

test('other scenes are one click away, each in its world', { tag: '@newcomer' }, async ({ page, fresh }) => {
  test.setTimeout(180_000);
  expect(fresh.port).toBeGreaterThan(0);
  await tour(page).getByRole('button', { name: 'Skip the tour' }).click();
  const scenes = page.getByRole('navigation', { name: 'Scenes of the demo' });
  const solids = () =>
    page.locator('.view canvas').evaluate((element) => {
      const found = new Set<string>();
      (element as unknown as { view: { around: { world: { traverse: (see: (one: { name: string }) => void) => void } } } }).view.around.world.traverse((one) =>
        found.add(one.name),
      );
      return [...found].join(' ');
    });
  await expect.poll(solids).toContain('door');
  /** Whether a world was ever shown with the tree of another one, from here on. */
  const mixed = await page.locator('.view canvas').evaluateHandle((element) => {
    const seen = { mixed: false };
    const look = (): void => {
      const worlds: string[] = [];
      (element as unknown as { view: { around: { world: { traverse: (see: (one: { name: string }) => void) => void } } } }).view.around.world.traverse((one) =>
        worlds.push(one.name),
      );
      const door = document.querySelector('[role=treeitem] .name')?.textContent?.includes('door') ?? false;
      if (door && worlds.length > 1 && !worlds.some((name) => name.includes('door'))) seen.mixed = true;
      requestAnimationFrame(look);
    };
    look();
    return seen;
  });
  for (const [title, first] of [
    ['Sorting balls', 'Sort by colour'],
    ['A valve', 'Valve'],
    ['The tour', 'Tour'],
  ] as const) {
    await scenes.getByRole('button', { name: title }).click();
    await expect(scenes.getByRole('button', { name: title })).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(async () => (await names(page))[0]?.toLowerCase()).toContain(first.toLowerCase().split(' ')[0]);
  }
  expect(await mixed.evaluate((seen) => seen.mixed)).toBe(false);
  await scenes.getByRole('button', { name: 'Sorting balls' }).click();
  await expect.poll(solids).not.toContain('door');
  // They come one after the other.
  await expect.poll(solids).toContain('ball');
  await run(page, 'Automatic');
  await expect(page.locator('.running-line').first()).toBeVisible();
  await expect(scenes.getByRole('button', { name: 'A valve' })).toBeDisabled();
  await page.locator('.status .stop').click();
  await scenes.getByRole('button', { name: 'An empty world' }).click();
  await expect(page.getByRole('treeitem')).toHaveCount(1);
  await expect.poll(solids).not.toContain('ball');
});

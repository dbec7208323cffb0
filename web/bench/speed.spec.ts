import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, run, test, tree } from '../tests/station';

const DIST = resolve(import.meta.dirname, '../dist');
const say = (what: string, figure: string): void => console.log(`${what.padEnd(72)} ${figure}`);
const steps = (count: number): object => ({
  name: `${count} nodes`,
  children: Array.from({ length: count / 10 }, (_, group) => ({
    type: 'sequence',
    name: `Group ${group}`,
    children: Array.from({ length: 9 }, (_, step) => ({ type: 'stand_in', name: `Step ${group}.${step}`, duration_s: 1 })),
  })),
});

/** From a key to the frame after what it changed, as the browser itself measures it; median and worst. */
async function keyToFrame(page: Page, keys: number): Promise<string> {
  await tree(page).focus();
  await page.keyboard.press('Home');
  await page.evaluate(() => {
    const took: number[] = [];
    Object.assign(window, { took });
    window.addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => took.push(performance.now() - timeStamp);
        channel.port2.postMessage(null);
      });
    }, true);
  });
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => (window as unknown as { took: number[] }).took.length)).toBe(key + 1);
  }
  const took = (await page.evaluate(() => (window as unknown as { took: number[] }).took)).sort((a, b) => a - b);
  return `median ${took[Math.floor(took.length / 2)]?.toFixed(0)} ms, worst ${took.at(-1)?.toFixed(0)} ms`;
}

test('first load', async ({ begin }) => {
  const files = readdirSync(join(DIST, 'assets')).map((name) => join(DIST, 'assets', name));
  const bytes = [join(DIST, 'index.html'), ...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  say('first load, gzipped', `${Math.round(bytes / 1000)} kB`);
  const { page } = await begin('examples/first/walk-and-wave.json');
  const start = Date.now();
  await page.reload();
  await expect(tree(page).getByRole('treeitem').first()).toBeVisible();
  say('from reload to the tree shown', `${Date.now() - start} ms`);
});

test('keys with 1,000 nodes', async ({ begin }) => {
  const { page } = await begin(steps(1000));
  say('key to frame, 1,000 nodes, 3D view drawing in software', await keyToFrame(page, 30));
  await page.getByRole('tab', { name: '3D' }).hover();
  await page.evaluate(() => document.querySelectorAll<HTMLElement>('.view').forEach((view) => (view.style.display = 'none')));
  await page.evaluate(() => ((window as unknown as { took: number[] }).took.length = 0));
  say('key to frame, 1,000 nodes, 3D view hidden', await keyToFrame(page, 30));
});

test('scrolling 2,000 nodes', async ({ begin }) => {
  const { page } = await begin(steps(2000));
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] });
  });
  await tree(page).hover();
  for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 800);
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  say('tasks above 50 ms while scrolling 2,000 nodes', `${tasks.length}${tasks.length > 0 ? `, longest ${Math.max(...tasks).toFixed(0)} ms` : ''}`);
});

test('memory over ten minutes', async ({ begin }) => {
  const { page } = await begin({ name: 'Runs on', children: [{ type: 'loop', name: 'Again', children: [{ type: 'stand_in', name: 'A', duration_s: 0.5 }, { type: 'stand_in', name: 'B', duration_s: 0.5 }] }] });
  const client = await page.context().newCDPSession(page);
  const heap = async (): Promise<number> => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  await run(page, 'Automatic');
  const minutes = Number(process.env.MINUTES ?? 10);
  for (let minute = 0; minute <= minutes; minute++) {
    say(`heap after ${minute} min of a run`, `${(await heap()).toFixed(1)} MB`);
    if (minute < minutes) await page.waitForTimeout(60_000);
  }
});

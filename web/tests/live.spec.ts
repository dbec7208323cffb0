import type { Locator, Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, mode, run, test } from './station';

const tab = (page: Page, name: string): Promise<void> => page.locator('.dv-tab').filter({ hasText: name }).click();
const panel = (page: Page): Locator => page.getByRole('region', { name: 'State of the robot' });

interface Told {
  push: string;
  hands?: { world_force: number[] }[];
}

/** What the page is told of the body, as it comes. */
function listen(page: Page): { told: Told[]; asked: string[] } {
  const heard: { told: Told[]; asked: string[] } = { told: [], asked: [] };
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string' && payload.includes('"push":"body"')) heard.told.push(JSON.parse(payload) as Told);
    });
    socket.on('framesent', ({ payload }) => {
      if (typeof payload === 'string' && payload.includes('"body_hz"')) heard.asked.push(payload);
    });
  });
  return heard;
}

test('a push is seen live: arrows, forces, load and balance; what is not told is said so; any value is plotted', async ({ begin, page: before }) => {
  test.slow(); // a door, in physics
  const heard = listen(before);
  const { page } = await begin('examples/world/open-the-door.json', ['--world', 'push-door-lever']);
  await page.getByRole('group', { name: 'Layouts' }).getByRole('button', { name: 'Run', exact: true }).click();
  await tab(page, 'Robot');
  await expect(panel(page)).toContainText('inside of the edge of its feet');
  await expect(panel(page).getByRole('row', { name: /Temperature/ })).toContainText('not told');
  await expect(panel(page).getByRole('row', { name: /Battery/ })).toContainText('not told');
  await expect(panel(page).getByRole('row', { name: /State on board/ })).toContainText('a second');
  await expect(panel(page).getByRole('table', { name: 'Load of the joints' }).getByRole('progressbar').first()).toBeVisible();

  await tab(page, 'Plots');
  const force = panel(page).getByRole('button', { name: /^Plot hand\/(left|right)\/force_x/ });
  await force.first().dragTo(page.locator('.plot-new'));
  await force.last().dragTo(page.locator('.plot-one'));
  await expect(page.locator('.plot-one')).toHaveCount(1);
  await panel(page).getByRole('button', { name: 'Plot pressure/margin' }).click();
  await expect(page.locator('.plot-one')).toHaveCount(2);

  await run(page, 'Automatic');
  const newtons = (): number =>
    Math.max(0, ...heard.told.map(({ hands }) => Math.max(0, ...(hands ?? []).map(({ world_force }) => Math.hypot(...world_force)))));
  await expect.poll(newtons, { timeout: 80_000 }).toBeGreaterThan(8);
  await page.screenshot({ path: 'test-results/robot-live.png' });
  const arrows = await page.locator('.view canvas').evaluate((element) => {
    const { view } = element as HTMLCanvasElement & { view: { forces: { object: { children: { name: string }[] } } } };
    return view.forces.object.children.map(({ name }) => name);
  });
  expect(arrows).toContain('centre of pressure');
  expect(arrows.length).toBeGreaterThan(3);
  const hand = page.locator('.plot-one').first().locator('tbody tr');
  await expect.poll(async () => Number(await hand.first().locator('td').nth(5).textContent())).toBeGreaterThan(20);
  await page.locator('.status .stop').click();
  await mode(page, 'Stopped');
});

test('nothing of it is sent that nobody looks at', async ({ begin, page: before }) => {
  const heard = listen(before);
  const { page } = await begin({ name: 'Stand', children: [{ type: 'wait', name: 'Wait', duration_s: 1 }] });
  const asked = (hz: number): Promise<void> => expect.poll(() => heard.asked.at(-1) ?? '').toContain(`"body_hz":${hz}`);
  const type = async (command: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(command);
    await page.keyboard.press('Enter');
  };
  await asked(10); // for the arrows
  await expect.poll(() => heard.told.length).toBeGreaterThan(3);
  await type('Show forces, support');
  await asked(0);
  await expect
    .poll(async () => {
      const count = heard.told.length;
      await page.waitForTimeout(500);
      return heard.told.length - count;
    })
    .toBe(0);
  await type('Show Robot');
  await asked(5);
  await expect(panel(page).getByRole('row', { name: /State on board/ })).toContainText('a second');
  await panel(page).getByRole('button', { name: 'Plot foot/left/load' }).click();
  await asked(10);
  await page.getByRole('button', { name: 'Take foot/left/load out' }).click();
  await expect.poll(() => heard.asked.at(-1) ?? '').not.toContain('"body_hz":10');
});

test('a suite is started, its table grows, a failed seed is opened beside its tree; another is stopped', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Nothing', children: [{ type: 'wait', name: 'Wait', duration_s: 1 }] });
  mkdirSync(join(demo.folder, 'suites'));
  const behavior = (name: string, children: object[]): void => writeFileSync(join(demo.folder, `${name}.json`), JSON.stringify({ version: 1, name, children }));
  behavior('good', [{ type: 'wait', name: 'Short', duration_s: 0.1 }]);
  behavior('bad', [
    { type: 'wait', name: 'Before', duration_s: 0.2 },
    { type: 'always_fail', name: 'Slips', reason: 'it slipped' },
  ]);
  const suite = (name: string, cases: object[]): void => writeFileSync(join(demo.folder, 'suites', `${name}.json`), JSON.stringify({ version: 1, cases }));
  suite('tiny', [
    { name: 'good', behavior: '../good.json', runs: 2 },
    { name: 'bad', behavior: '../bad.json', runs: 1 },
  ]);
  suite('wrong', [{ name: 'lost', behavior: 5 }]);
  await page.getByRole('group', { name: 'Layouts' }).getByRole('button', { name: 'Review' }).click();
  await tab(page, 'Trials');
  const trials = page.getByRole('region', { name: 'Suites and their trials' });
  await expect(trials.getByRole('combobox', { name: 'Suite' })).toContainText('suites/wrong.json (cannot be run)');
  await trials.getByRole('combobox', { name: 'Suite' }).selectOption('suites/tiny.json');
  await trials.getByRole('textbox', { name: 'First seed' }).fill('40');
  await trials.getByRole('button', { name: 'Start 3 runs' }).click();
  await expect(trials.getByRole('status', { name: 'State of the trial' })).toContainText('3 of 3, all made', { timeout: 80_000 });
  await expect(trials.getByRole('table', { name: 'Cases' }).getByRole('row', { name: /^good/ })).toContainText('2/2');
  const failed = trials.getByRole('table', { name: 'Runs of the trial' }).getByRole('row', { name: /bad seed 40/ });
  await expect(failed).toContainText('it slipped');
  await page.screenshot({ path: 'test-results/trials.png' });
  await failed.getByRole('button', { name: 'Review' }).click();
  await expect(page.getByRole('region', { name: 'Review of a recording' })).toContainText('bad.json');
  await expect(page.getByRole('tree', { name: 'Behavior' })).toContainText('Slips');
  await page.screenshot({ path: 'test-results/trial-review.png' });
  await page.getByRole('region', { name: 'Review of a recording' }).getByRole('button', { name: 'Back to live' }).click();

  await tab(page, 'Trials');
  await trials.getByRole('textbox', { name: 'Runs of each case' }).fill('2000');
  await trials.getByRole('button', { name: 'Start 4000 runs' }).click();
  await trials.getByRole('button', { name: 'Stop the trial' }).click();
  await expect(trials).toContainText('It ended early: it was stopped', { timeout: 60_000 });
});

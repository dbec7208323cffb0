import type { Page } from '@playwright/test';
import type { Scene } from 'three';
import { another, bars, expect, mode, row, run, status, test } from './station';

const long = {
  name: 'Apart',
  children: [
    { type: 'stand_in', name: 'Long', duration_s: 600 },
    { type: 'wait', name: 'Last' },
  ],
};
const quick = (names: string[]) => names.map((name) => ({ type: 'stand_in', name, duration_s: 0.5 }));
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Run' });
const button = (page: Page, name: string) => toolbar(page).getByRole('button', { name, exact: true });
const grey = (page: Page, panel: string) =>
  page.locator(`[data-panel=${panel}]`).evaluate((element) => getComputedStyle(element).filter + getComputedStyle(element.closest('.dock') ?? element).filter);
type Canvas = HTMLCanvasElement & { view: { screen: { scene: Scene } } };
/** Whether the robot is drawn: shapes of its body that are seen. */
const drawn = (page: Page) =>
  page.locator('.view canvas').evaluate((element) => {
    let shapes = 0;
    (element as unknown as Canvas).view.screen.scene.traverseVisible((one) => {
      if ((one as { isMesh?: boolean }).isMesh) shapes += 1;
    });
    return shapes;
  });

test('the robot is out of reach: mode unknown since when, all of it grey, run buttons off, the stop not delivered and what to do', {
  tag: '@newcomer',
}, async ({ beginApart }) => {
  const { page, pair } = await beginApart(long);
  await run(page, 'Automatic');
  await status(page, 'Long', 'running');
  await expect(page.locator('.readout')).toContainText('pelvis');
  pair.holdRobot();

  await expect(page.getByRole('alert', { name: 'Connection lost' })).toContainText('does not hear the robot since');
  await mode(page, 'Unknown since');
  await expect(page.locator('.status')).not.toContainText('Stopped');
  await expect(page.locator('.status')).toContainText('Control unknown');
  expect(await grey(page, 'view')).toContain('grayscale(1)');
  for (const name of ['Automatic', 'Step', 'Pause', 'Run from start']) await expect(button(page, name)).toBeDisabled();
  // What is no button of the run bar is off, too, and says so.
  await row(page, 'Long').getByRole('button', { name: 'Make it next' }).click();
  await expect(page.getByRole('log', { name: 'Notices' })).toContainText('There is no contact with the robot');
  // The last pose stays, and says how old it is.
  await expect(page.locator('.readout')).toContainText(/pelvis .* old/);
  await page.locator('.status .stop').click();
  const undelivered = page.getByRole('alert', { name: 'Stop was not delivered' });
  await expect(undelivered).toContainText('NOT DELIVERED');
  await expect(undelivered).toContainText('emergency stop at the robot');
  await expect(undelivered).toContainText('again and again until the robot has it');

  pair.letRobotGo();
  await expect(undelivered).toBeHidden();
  await status(page, 'Long', 'halted');
  await mode(page, 'Stopped');
  await expect(page.getByRole('alert', { name: 'Connection lost' })).toBeHidden();
  expect(await grey(page, 'view')).not.toContain('grayscale(1)');
});

test('the operator process is gone: the same, and nobody sends the stop on; another one begins with nothing of the first', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Gone', children: [...quick(['A']), { type: 'always_fail', name: 'Breaks', reason: 'it broke' }] });
  await run(page, 'Automatic');
  await status(page, 'Breaks', 'failure');
  await expect(bars(page)).toHaveCount(2);
  const shapes = await drawn(page);
  const { port } = demo;
  await demo.end();

  await expect(page.getByRole('alert', { name: 'Connection lost' })).toContainText('does not hear the operator process since');
  await mode(page, 'Unknown since');
  await expect(page.locator('.status')).toContainText('Control unknown');
  expect(await grey(page, 'view')).toContain('grayscale(1)');
  await expect(page.locator('.readout')).toContainText(/pelvis .* old/);
  expect(await drawn(page)).toBeGreaterThanOrEqual(shapes);
  await page.locator('.status .stop').click();
  await expect(page.getByRole('alert', { name: 'Stop was not delivered' })).toContainText('nobody sends the stop on');
  await expect(page.locator('.status .stop')).toContainText('NOT DELIVERED');
  // A command in the palette is off, too.
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('log', { name: 'Notices' })).toHaveText('');

  await demo.start('behavior.json', port);
  await expect(page.getByRole('alert', { name: 'Connection lost' })).toBeHidden();
  await mode(page, 'Stopped');
  await expect(
    bars(page)
      .filter({ hasNotText: /expected/ })
      .and(page.locator(':not(.expected)')),
  ).toHaveCount(0);
  await expect(row(page, 'Breaks')).not.toHaveClass(/failure/);
});

test('another robot process begins with nothing of the one before: neither bars nor marks nor notices', async ({ beginApart }) => {
  const { page, pair } = await beginApart({ name: 'Anew', children: [...quick(['A']), { type: 'always_fail', name: 'Breaks', reason: 'it broke' }] });
  await run(page, 'Automatic');
  await status(page, 'Breaks', 'failure');
  await expect(page.locator('.time-bar:not(.expected)')).toHaveCount(2);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Continue what breakpoints');
  await page.keyboard.press('Enter');
  const notices = page.getByRole('log', { name: 'Notices' });
  await expect(notices).toContainText('nothing waits for continue');
  await pair.killRobot();
  await mode(page, 'Unknown since');
  await expect(row(page, 'Breaks')).toHaveClass(/failure/);
  await pair.startRobot();
  await mode(page, 'Stopped');
  await expect(page.locator('.time-bar:not(.expected)')).toHaveCount(0);
  await expect(row(page, 'Breaks')).not.toHaveClass(/failure/);
  await expect(notices).toHaveText('');
  await expect(page.locator('.outcome')).toBeHidden();
});

test('a socket that is open and dead is a connection that is lost', async ({ beginApart }) => {
  const { page, pair } = await beginApart(long);
  pair.holdOperator();
  await expect(page.getByRole('alert', { name: 'Connection lost' })).toContainText('does not hear the operator process');
  await expect(button(page, 'Automatic')).toBeDisabled();
  pair.letOperatorGo();
  await expect(page.getByRole('alert', { name: 'Connection lost' })).toBeHidden();
  await expect(button(page, 'Automatic')).toBeEnabled();
});

test('looking back is one moment for tree, list of what runs, log, variables and readout', async ({ begin }) => {
  const { page } = await begin({
    name: 'Back',
    variables: { count: 0 },
    children: [
      { type: 'stand_in', name: 'First', duration_s: 1.5 },
      { type: 'set', name: 'Counts', values: { count: '7' } },
      { type: 'stand_in', name: 'Second', duration_s: 1.5 },
      { type: 'always_fail', name: 'Breaks', reason: 'it broke' },
    ],
  });
  await run(page, 'Automatic');
  await status(page, 'Breaks', 'failure');
  await expect(page.locator('.outcome')).toContainText('Failed after 3.0 s');
  const first = await bars(page).filter({ hasText: 'First' }).boundingBox();
  const timeline = page.getByRole('region', { name: 'Timeline of the run' });
  const box = await timeline.boundingBox();
  if (!first || !box) throw new Error('no timeline');
  await page.mouse.click(first.x + first.width / 2, box.y + box.height - 12);

  await status(page, 'First', 'running');
  await expect(row(page, 'Second')).not.toHaveClass(/running|success/);
  await expect(row(page, 'Breaks')).not.toHaveClass(/failure/);
  await expect(page.locator('.running-line')).toHaveCount(1);
  const said = (await page.locator('.view-past').textContent())?.match(/[\d.]+/)?.[0] ?? '?';
  expect(Number(said)).toBeCloseTo(0.75, 0);
  await expect(page.getByRole('status', { name: 'Looking back' })).toContainText(`As at ${said} s`);
  await expect(page.locator('.readout')).toContainText(`${said} s`);
  await page.getByText('Variables', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Variables and tokens' })).toContainText(`As at ${said} s`);
  await expect(page.getByRole('row', { name: /count/ })).toContainText('0');
  await page.getByText('Log', { exact: true }).click();
  const failed = page.locator('.log-line.kind-failure');
  await expect(failed).toContainText('Failed: it broke');
  await expect(failed).toHaveClass(/later/);

  await page.getByRole('status', { name: 'Looking back' }).getByRole('button').click();
  await status(page, 'Breaks', 'failure');
  await expect(page.getByRole('textbox', { name: 'count', exact: true })).toHaveValue('7');
});

test('after a run it says how it went; from the start runs it again, automatic at the end leaves the marks', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({ name: 'Again', children: quick(['A', 'B']) });
  await run(page, 'Automatic');
  await expect(page.locator('.outcome')).toHaveText(/^Succeeded in 1\.\d s$/);
  await status(page, 'A', 'success');
  await run(page, 'Automatic');
  await expect(page.getByRole('log', { name: 'Notices' })).toContainText('the end is reached: run it from the start');
  await status(page, 'A', 'success');
  await status(page, 'B', 'success');
  await expect(page.locator('.outcome')).toBeVisible();
  await run(page, 'Run from start');
  await expect(page.locator('.outcome')).toBeHidden();
  await expect(button(page, 'Run from start')).toBeDisabled();
  await expect(page.locator('.outcome')).toHaveText(/^Succeeded in 1\.\d s$/);
  await expect(bars(page)).toHaveCount(2);
});

test('from the start the simulated world begins anew, too', async ({ begin }) => {
  const { page } = await begin({ name: 'Walks', children: [{ type: 'walk', name: 'Walk', frame: 'walking', stance: { x_m: 0.3 } }] });
  const far = () =>
    page
      .locator('.readout .mono')
      .textContent()
      .then((text) => Number(/pelvis (-?[\d.]+)/.exec(text ?? '')?.[1]));
  await run(page, 'Automatic');
  await status(page, 'Walk', 'success');
  await expect.poll(far).toBeGreaterThan(0.2);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('begin anew');
  await page.keyboard.press('Enter');
  await expect.poll(far).toBeLessThan(0.1);
});

test('the log says who did what in words, and why something was refused', async ({ begin, browser }) => {
  const { page, demo } = await begin(long);
  await run(page, 'Automatic');
  await status(page, 'Long', 'running');
  await row(page, 'Last').click();
  await page.keyboard.press('Alt+b');
  await page.getByText('Log', { exact: true }).click();
  const log = page.getByRole('log', { name: 'Log' });
  for (const text of ['Anna: switch automatic on', 'Anna: take run control', 'Anna: put a breakpoint at “Last”']) await expect(log).toContainText(text);
  const ben = await another(browser, demo, 'Ben');
  await run(ben, 'Pause');
  await expect(log).toContainText('Ben: pause: refused: Anna is in control');
  await expect(log).not.toContainText('{');
  await ben.context().close();
});

test('a name is asked once and kept; another browser is somebody else', { tag: '@newcomer' }, async ({ begin, browser }) => {
  const { demo } = await begin(long);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('coact.ui', '{"toured":true}'));
  await page.goto(demo.address);
  await page.getByRole('dialog', { name: 'Who are you?' }).getByLabel('Your name').fill('Dora');
  await page.keyboard.press('Enter');
  await expect(page.locator('.status .people')).toContainText('Dora');
  await expect(page.locator('.status .people')).toContainText('Anna');
  await page.reload();
  await expect(page.locator('.status .people')).toContainText('Dora');
  await expect(page.getByRole('dialog', { name: 'Who are you?' })).toBeHidden();
  await page.locator('.own-name').click();
  await page.getByRole('dialog', { name: 'Who you are here' }).getByLabel('Your name').fill('Dorothy');
  await page.keyboard.press('Enter');
  await expect(page.locator('.status .people')).toContainText('Dorothy');
  await context.close();
});

test('run control is asked for, and given', async ({ begin, browser }) => {
  const { page: anna, demo } = await begin(long);
  await run(anna, 'Automatic');
  await status(anna, 'Long', 'running');
  const ben = await another(browser, demo, 'Ben');
  const control = (page: Page) => page.locator('.status').getByTitle(/Who may run the robot/);
  await expect(control(ben)).toHaveText('Anna has control');
  await control(ben).click();
  await ben.getByRole('menu').getByText('Ask for run control', { exact: true }).click();
  await expect(control(ben)).toHaveText('Anna has control: asked');
  const asked = anna.getByRole('alertdialog', { name: 'Run control is asked for' });
  await expect(asked).toContainText('Ben asks for run control');
  await asked.getByRole('button', { name: 'Give it to Ben' }).click();
  await expect(control(ben)).toHaveText('You have control');
  await expect(control(anna)).toHaveText('Ben has control');
  await expect(asked).toBeHidden();
  await ben.context().close();
});

test('clouds and pictures say how old they are', async ({ begin }) => {
  const { page } = await begin('examples/world/open-the-door.json', ['--world', 'push-door-lever']);
  await expect(page.locator('.readout')).toContainText(/points [\d.]+ s old/);
  await page.keyboard.press('Alt+2');
  await page.getByText('Camera', { exact: true }).click();
  await expect(page.locator('.camera-age')).toHaveText(/[\d.]+ s old/);
});

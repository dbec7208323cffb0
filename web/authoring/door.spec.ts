import { expect } from '@playwright/test';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Demo, names, open, row, rows, run, status, test, tree, ROOT } from '../tests/station';
import { OPERATION_S, Person } from './person';

/** How often the finished behavior opens the door before it is stopped. */
const OPENINGS = 3;

const folder = mkdtempSync(join(tmpdir(), 'coact-authoring-'));
let demo = new Demo(folder);
test.afterEach(() => demo.end());
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

function begin(file: string): Demo {
  mkdirSync(join(folder, 'skills'), { recursive: true });
  copyFileSync(join(ROOT, 'skills/go-home.json'), join(folder, 'skills/go-home.json'));
  if (file === 'opening.json') writeFileSync(join(folder, file), JSON.stringify({ version: 1, name: 'Door opening' }));
  return new Demo(folder);
}

/** Palm down, fingers to the door. */
async function turnHand(person: Person): Promise<void> {
  await person.number('pose', -90, 'roll_deg');
  await person.number('pose', 0, 'pitch_deg');
  await person.number('pose', 90, 'yaw_deg');
}

async function handGoal(person: Person, name: string, frame: string): Promise<void> {
  await person.add('arm, right');
  await person.rename(name);
  await person.text('frame', frame);
  await person.menu(name, 'Set goal to where the robot is now');
}

async function repeat(person: Person): Promise<void> {
  await person.select('Go home');
  await person.press('next: Go home', async () => {
    await tree(person.page).focus();
    await person.page.keyboard.press('Alt+n');
  });
  await person.press('automatic', () => run(person.page, 'Automatic'));
  await person.watch(async () => {
    for (let opening = 0; opening < OPENINGS; opening++) {
      await status(person.page, 'Open', 'running');
      await status(person.page, 'Open', 'success');
    }
  });
  await person.press('stop', () => person.page.locator('.status .stop').click());
}

function report(title: string, person: Person, at_most_min: number): void {
  const minutes = person.total_s / 60;
  console.log(
    `${title}: ${person.operations} operations of ${OPERATION_S} s, ${person.executing_s.toFixed(0)} s of execution: ` +
      `${minutes.toFixed(1)} min (wanted: less than ${at_most_min})`,
  );
  if (process.env.TELL) console.log(person.told.join('\n'));
}

test.describe.configure({ mode: 'serial' });

test('the standing door opening, from an empty tree', async ({ page }) => {
  demo = begin('opening.json');
  await demo.start('opening.json', 0, ['--world', join(ROOT, 'web/authoring/door.json')]);
  await open(page, demo, 'Anna');
  const person = new Person(page);
  await person.select('Door opening');

  await person.add('skills/go-home');
  await person.rename('Go home');

  await person.add('neck');
  await person.rename('Look down');
  await person.number('pitch_deg', 40);
  await person.number('yaw_deg', -15);
  await person.number('duration_s', 1);
  await person.execute('Look down');

  await person.add('setup object');
  await person.rename('Lock on');
  await person.text('class', 'door_handle');
  await person.execute('Lock on');
  await person.add('setup object');
  await person.rename('Lock on to the panel');
  await person.text('class', 'door_panel');
  await person.execute('Lock on to the panel');

  await person.add('wait');
  await person.rename('See it');
  await person.add('freeze object');
  await person.rename('Before the hand covers it');
  await person.text('object', 'door_handle');
  await person.execute('Before the hand covers it');

  await person.add('hand, right');
  await person.rename('Flat hand');
  await person.text('grip', 'open');
  await person.execute('Flat hand');

  // Up, and a hand's breadth above and before the handle, where the page shows it to be.
  const handle = await person.sees('door_handle');
  const panel = await person.sees('door_panel');
  const pelvis = await person.pelvis();
  await handGoal(person, 'Arm ready', 'pelvis');
  await person.number('pose', round(handle.x - pelvis.x - 0.25), 'x_m');
  await person.number('pose', round(handle.y - pelvis.y - 0.08), 'y_m');
  await person.number('pose', round(handle.z - pelvis.z + 0.2), 'z_m');
  await turnHand(person);
  await person.number('duration_s', 2);
  await person.execute('Arm ready');

  // Above the handle, fingertips over it; then down.
  await handGoal(person, 'Pre-grasp 1', 'door_handle');
  await person.number('pose', -0.09, 'x_m');
  await person.number('pose', 0, 'y_m');
  await person.number('pose', 0.08, 'z_m');
  await turnHand(person);
  await person.number('duration_s', 2);
  await person.execute('Pre-grasp 1');
  await person.duplicate('Pre-grasp 1');
  await person.rename('Pre-grasp 2');
  await person.number('pose', 0.01, 'z_m');
  await person.number('duration_s', 1);
  await person.execute('Pre-grasp 2');

  // About the end of the lever that is away from the hinge; first too little, then enough.
  await person.add('screw, right');
  await person.rename('Turn');
  await person.text('frame', 'door_handle');
  await person.number('axis', -0.06, 'y_m');
  await person.number('translation_m', 0);
  await person.number('rotation_deg', -30);
  await person.execute('Turn');
  await person.execute('Pre-grasp 2');
  await person.select('Turn');
  await person.number('rotation_deg', -50);
  await person.execute('Turn');

  // About the hinge: as far from the middle of the panel as the handle, on its other side.
  await person.add('screw, right');
  await person.rename('Open');
  await person.text('frame', 'door_handle');
  await person.number('axis', round(panel.x - handle.x), 'x_m');
  await person.number('axis', round(2 * (panel.y - handle.y)), 'y_m');
  await person.number('axis', -90, 'pitch_deg');
  await person.number('translation_m', 0);
  await person.number('rotation_deg', 25);
  await person.choose('reach', 'arm and spine');
  await person.execute('Open');

  const open_panel = await person.sees('door_panel');
  expect(open_panel.x, 'the door is seen to be open').toBeGreaterThan(panel.x + 0.03);

  await person.duplicate('Arm ready');
  await person.rename('Let go');
  await person.press('drag it to the end', async () => {
    await row(page, 'Let go').dragTo(row(page, 'Open'), { targetPosition: { x: 60, y: 21 } });
    await expect.poll(async () => (await names(page)).slice(-2)).toEqual(['Open', 'Let go']);
  });
  await person.execute('Let go');
  await person.add('goto');
  await person.rename('Again');
  await person.choose('target', 'Go home');
  await person.press('save', () => page.keyboard.press('Control+s'));
  await repeat(person);
  report('authored from an empty tree', person, 15);
});

test('the mirrored version, before a door hinged on the other side', async ({ page }) => {
  writeFileSync(join(folder, 'mirrored.json'), readFileSync(join(folder, 'opening.json')));
  demo = begin('mirrored.json');
  await demo.start('mirrored.json', 0, ['--world', join(ROOT, 'web/authoring/door-right.json')]);
  await open(page, demo, 'Anna');
  const person = new Person(page);
  const count = await rows(page).count();
  await person.select('Look down');
  await person.press('select all after it', () => row(page, 'Let go').click({ modifiers: ['Shift'] }));
  await person.press('mirror', () => menuOn(page, 'Let go', 'Mirror with its objects: for a door hinged on the other side'));
  expect(await rows(page).count()).toBe(count);
  for (const name of [
    'Look down',
    'Lock on',
    'Lock on to the panel',
    'Before the hand covers it',
    'Flat hand',
    'Arm ready',
    'Pre-grasp 1',
    'Pre-grasp 2',
    'Turn',
    'Open',
    'Let go',
  ]) {
    await person.execute(name);
  }
  await person.press('save', () => page.keyboard.press('Control+s'));
  await repeat(person);
  report('mirrored', person, 10);
});

const round = (value: number): number => Math.round(value * 1000) / 1000;

async function menuOn(page: import('@playwright/test').Page, step: string, item: string): Promise<void> {
  await row(page, step).click({ button: 'right' });
  await page.getByRole('menu').getByText(item, { exact: true }).click();
}

// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { BodyView, LinkView } from '../../api/types';
import { loadsOf } from '../../state/loads';
import { health, limitsOf, nearLimits, worst, type Known } from './health';

const good: LinkView = {
  quality: 'good',
  round_trip_ms: 3,
  loss: 0,
  state_age_ms: 10,
  stop_pending: false,
  waiting_bytes: 0,
  channels: [],
  narrow: false,
  budget_left_bytes: null,
};
const known = (flags: number, more: Partial<Known> = {}): Known => ({
  state: { timeS: 1, base: new Float32Array(7), joints: new Float32Array(0), flags },
  link: good,
  late: null,
  rates: { states: 30, pictures: 2, clouds: 1 },
  ages: { state: 0, picture: 0.4, cloud: null },
  warned: null,
  recorded: false,
  body: null,
  loads: [],
  ...more,
});
const levels = (items: ReturnType<typeof health>): Record<string, string> => Object.fromEntries(items.map((item) => [item.name, item.level]));
const BOTH_FEET = 16 + 32;

test('all is well: green, and what a robot does not have is no fault', () => {
  const items = health(known(BOTH_FEET));
  expect(worst(items)).toBe('good');
  expect(levels(items)).toMatchObject({ Robot: 'good', Feet: 'good', Link: 'good', States: 'good', Pictures: 'good', Points: 'none' });
});

test('what is wrong is yellow or red, and says what to do', () => {
  expect(levels(health(known(BOTH_FEET + 64, { warned: 'left elbow: hot' }))).Faults).toBe('warn');
  expect(levels(health(known(BOTH_FEET + 8 + 64)))).toMatchObject({ Robot: 'bad', Faults: 'bad' });
  expect(levels(health(known(4 + BOTH_FEET))).Robot).toBe('bad');
  expect(levels(health(known(0))).Feet).toBe('bad');
  expect([levels(health(known(16))).Feet, levels(health(known(1 + 16))).Feet]).toEqual(['warn', 'good']);
  expect(
    levels(
      health(
        known(BOTH_FEET, { link: { ...good, quality: 'down' }, rates: { states: 0, pictures: 0, clouds: 0 }, ages: { state: 4, picture: 9, cloud: null } }),
      ),
    ),
  ).toMatchObject({ Link: 'bad', States: 'bad', Pictures: 'warn' });
  const all = [known(8 + 64), known(4), known(0), known(2), known(16), known(0, { state: null })].flatMap(health);
  for (const item of all.filter(({ level }) => level === 'warn' || level === 'bad')) expect(item.remedy, item.text).toBeTruthy();
});

test('ticks that were late lately need a look, those of long ago do not', () => {
  const late = { count: 2, worst_ms: 40, last_ms: 30, last_at_s: 0 };
  const at = (timeS: number): string | undefined =>
    levels(health({ ...known(BOTH_FEET, { late }), state: { timeS, base: new Float32Array(7), joints: new Float32Array(0), flags: BOTH_FEET } })).Ticks;
  expect([at(2), at(60)]).toEqual(['warn', 'good']);
});

test('of a recording there are no rates of now', () => {
  expect(health(known(BOTH_FEET, { recorded: true })).map((item) => item.name)).toEqual([
    'Robot',
    'Faults',
    'Feet',
    'Balance',
    'Joint load',
    'Temperature',
    'Battery',
    'Ticks',
  ]);
});

test('joints are listed by how near they are to their ends', () => {
  const limits = limitsOf(
    '<robot><joint name="a" type="revolute"><limit lower="-1" upper="1"/></joint><joint name="b" type="revolute"><limit lower="0" upper="2"/></joint><joint name="c" type="continuous"><limit lower="-1" upper="1"/></joint><joint name="d" type="fixed"/></robot>',
  );
  expect([...limits.keys()]).toEqual(['a', 'b']);
  expect(nearLimits(['a', 'b', 'c'], [0.5, 1.98, 5], limits).map(({ joint, level }) => [joint, level])).toEqual([
    ['b', 'warn'],
    ['a', 'good'],
  ]);
  expect(nearLimits(['a'], [1.1], limits)[0]?.level).toBe('bad');
});

const felt: BodyView = {
  at_s: 1,
  velocities: [],
  efforts: [],
  hands: [],
  feet: [],
  pressure: null,
  support: [],
  ground_m: 0,
  faults: [],
  more_faults: 0,
  temperatures: [],
  battery: null,
  sources: [],
};

test('what the robot does not tell is said to be not told, never well', () => {
  const items = levels(health(known(BOTH_FEET, { body: felt })));
  expect([items.Balance, items['Joint load'], items.Temperature, items.Battery]).toEqual(['none', 'none', 'none', 'none']);
});

test('a push outside of the feet, a joint at its end, heat, an empty battery and faults are red, and say what to do', () => {
  const body: BodyView = {
    ...felt,
    pressure: { at: [0, 0], margin: -0.01 },
    temperatures: [
      { place: 'left_knee', celsius: 40 },
      { place: 'right_knee', celsius: 85 },
    ],
    battery: 0.05,
    faults: [{ place: 'left_knee', text: '4.0 degrees off' }],
    sources: [
      { kind: 'state', name: 'robot', per_s: 100, delay_ms: 2 },
      { kind: 'camera', name: 'head', per_s: 5, delay_ms: 900 },
    ],
  };
  const loads = loadsOf(
    ['left_knee', 'right_knee', 'neck'],
    { efforts: [-95, 10, 3], velocities: [0, 0, 0] },
    new Map([
      ['left_knee', 100],
      ['right_knee', 100],
    ]),
  );
  expect(loads.map(({ joint, level }) => [joint, level])).toEqual([
    ['left_knee', 'bad'],
    ['right_knee', 'good'],
    ['neck', 'none'],
  ]);
  const items = health(known(BOTH_FEET, { body, loads }));
  expect(levels(items)).toMatchObject({
    Faults: 'warn',
    Balance: 'bad',
    'Joint load': 'bad',
    Temperature: 'bad',
    Battery: 'bad',
    'State on board': 'good',
    'Camera head': 'warn',
    Synchronisation: 'warn',
  });
  for (const item of items.filter(({ level }) => level === 'warn' || level === 'bad')) expect(item.remedy, item.text).toBeTruthy();
  expect(items.find(({ name }) => name === 'Temperature')?.text).toContain('right_knee');
});

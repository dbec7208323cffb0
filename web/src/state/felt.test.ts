import { expect, test } from 'vitest';
import type { BodyView } from '../api/types';
import { feltChannels, feltNumbers, isFelt } from './felt';

const body: BodyView = {
  at_s: 1,
  velocities: [0.1, -0.2],
  efforts: [5, -80],
  hands: [
    { force: [1, 2, 3], torque: [0, 0, 0], at: [0, 0, 1], world_force: [3, 2, 1] },
    { force: [0, 0, 0], torque: [0, 0, 0], at: [0, 0, 1], world_force: [0, 0, 0] },
  ],
  feet: [
    { contact: true, load: 300, at: [0, 0.1, 0] },
    { contact: true, load: 310, at: [0, -0.1, 0] },
  ],
  pressure: { at: [0.01, 0], margin: 0.04 },
  support: [],
  ground_m: 0,
  faults: [{ place: 'left_knee', text: 'hot' }],
  more_faults: 1,
  temperatures: [{ place: 'left_knee', celsius: 71 }],
  battery: 0.5,
  sources: [],
};

test('every number has the name of a recorded channel, and comes only when it is wanted', () => {
  const all = feltNumbers(body, ['left_knee', 'right_knee']);
  expect(Object.fromEntries(all.map(([name, , value]) => [name, value]))).toMatchObject({
    'joint/right_knee/effort': -80,
    'hand/left/force_z': 3,
    'foot/right/load': 310,
    'pressure/margin': 0.04,
    faults: 2,
    'temperature/left_knee': 71,
    battery: 0.5,
  });
  expect(all.every(([name]) => isFelt(name))).toBe(true);
  expect(['joint/left_knee/position', 'base/x', 'link/loss', 'variable/count'].some(isFelt)).toBe(false);
  const offered = feltChannels(['left_knee', 'right_knee']).map(({ name }) => name);
  expect(offered).toContain('hand/right/torque_y');
  expect(offered.every((name) => all.some(([told]) => told === name))).toBe(true);
});

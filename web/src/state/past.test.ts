import { beforeEach, expect, test } from 'vitest';
import { forgetPast, momentAt, remember } from './past';

const at = (timeS: number, x = timeS): Parameters<typeof remember>[0] => ({
  state: { timeS, base: new Float32Array([x, 0, 0, 0, 0, 0, 1]), flags: 0, joints: new Float32Array(2) },
  objects: [],
  solids: [],
});

beforeEach(forgetPast);

test('the moment at a time is the last one not after it', () => {
  expect(momentAt(3)).toBeNull();
  for (const timeS of [1, 1.1, 1.2, 1.25, 2]) remember(at(timeS));
  expect(momentAt(1.19)?.state.timeS).toBe(1.1);
  expect(momentAt(1.9)?.state.timeS).toBe(1.2); // 1.25 is too near to be kept
  expect(momentAt(9)?.state.timeS).toBe(2);
  expect(momentAt(0)?.state.timeS).toBe(1);
});

test('a robot that starts anew has no past, and the past does not grow without end', () => {
  for (let tick = 0; tick < 7000; tick++) remember(at(tick / 10));
  expect(momentAt(0)?.state.timeS).toBeGreaterThan(70);
  // Coarser further back, but no part of it is gone.
  for (let timeS = 150; timeS < 690; timeS += 30) expect(Math.abs((momentAt(timeS)?.state.timeS ?? 0) - timeS)).toBeLessThan(6);
  expect(momentAt(699.9)?.state.timeS).toBe(699.9);
  remember(at(0.5));
  expect(momentAt(500)?.state.timeS).toBe(0.5);
});

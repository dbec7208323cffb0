import { expect, test } from 'vitest';
import { Pace } from './pace';

/** Frames that come each so many milliseconds, all with something new. */
function moving(pace: Pace, fromMs: number, everyMs: number, frames: number): (boolean | null)[] {
  return Array.from({ length: frames }, (_, frame) => pace.next(fromMs + frame * everyMs, true));
}

test('as fast as the browser, and with all detail, where that is fast', () => {
  expect(moving(new Pace(), 0, 16, 40).every((full) => full === true)).toBe(true);
});

test('where it is slow: with less detail, with rests, and with all of it again when nothing moves', () => {
  const pace = new Pace();
  moving(pace, 0, 90, 40);
  expect(pace.slow).toBe(true);
  const drawn = moving(pace, 4000, 20, 20).filter((full) => full !== null);
  expect(drawn.length).toBeLessThan(8);
  expect(drawn).not.toContain(true);
  expect(pace.next(4500, false)).toBeNull();
  expect(pace.next(5200, false)).toBe(true);
  expect(pace.next(5600, false)).toBeNull();
});

test('what a key changed comes first, but no picture waits for ever', () => {
  const pace = new Pace();
  pace.next(0, true);
  const drawn: number[] = [];
  for (let ms = 16; ms < 1000; ms += 16) {
    pace.key(ms);
    if (pace.next(ms, true) !== null) drawn.push(ms);
  }
  expect(drawn.length).toBeGreaterThanOrEqual(3);
  expect(drawn[0]).toBeGreaterThanOrEqual(300);
});

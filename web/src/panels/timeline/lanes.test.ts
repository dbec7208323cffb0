import { expect, test } from 'vitest';
import type { Bar } from '../../state/run';
import { laneBars, thin, ticksOf } from './lanes';

const bar = (node: string, startS: number, endS: number | null): Bar => ({
  key: node,
  step: { uses: [], node },
  startS,
  endS,
  result: endS === null ? null : 'success',
  reason: null,
});

test('what ran at once lies below each other, what ran later does not', () => {
  const laid = laneBars([bar('walk', 0, 7), bar('wait', 0, 1), bar('arm', 1, 3), bar('last', 7, null)], 8);
  expect(laid.map(({ key, lane }) => [key, lane])).toEqual([
    ['walk', 0],
    ['wait', 1],
    ['arm', 1],
    ['last', 0],
  ]);
  expect(laid.at(-1)?.shownEndS).toBe(8);
});

test('ticks keep their distance', () => {
  expect(ticksOf(10, 14, 60)).toEqual([10, 11, 12, 13, 14]);
  expect(ticksOf(0, 100, 5)).toEqual([0, 20, 40, 60, 80, 100]);
});

test('of thousands of bars no more are drawn than there are pixels for', () => {
  const laid = laneBars(
    Array.from({ length: 2000 }, (_, index) => bar(`s${index}`, index, index + 1)),
    2000,
  );
  expect(thin(laid, 700 / 2000).length).toBeLessThan(240);
  expect(thin(laid, 20)).toHaveLength(2000);
  const failed = laid.map((one, index) => (index === 1001 ? { ...one, result: 'failure' as const } : one));
  expect(thin(failed, 700 / 2000).filter((one) => one.result === 'failure')).toHaveLength(1);
});

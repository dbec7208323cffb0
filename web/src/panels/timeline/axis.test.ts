import { expect, test } from 'vitest';
import { axisOf, CUT_PX, idleCuts } from './axis';

const span = (startS: number, shownEndS: number) => ({ startS, shownEndS });

test('only long times in which nothing ran are cut', () => {
  expect(idleCuts([span(0, 4), span(1, 2), span(6, 7), span(60, 61)])).toEqual([{ fromS: 7, toS: 60 }]);
  // Something long that goes on under what ends is not idle.
  expect(idleCuts([span(0, 100), span(1, 2), span(50, 51)])).toEqual([]);
  expect(idleCuts([])).toEqual([]);
});

test('a cut is as wide as its mark, and pixels lead back to times', () => {
  const cuts = [{ fromS: 10, toS: 610 }];
  const axis = axisOf({ fromS: 0, toS: 620, width: 1000, zoom: 1 }, cuts);
  expect(axis.x(610) - axis.x(10)).toBeCloseTo(CUT_PX);
  expect(axis.x(620)).toBeLessThan(1000);
  expect(axis.x(5) - axis.x(0)).toBeCloseTo(axis.x(620) - axis.x(615));
  for (const atS of [0, 3, 10, 200, 610, 615, 620]) expect(axis.timeAt(axis.x(atS))).toBeCloseTo(atS);
});

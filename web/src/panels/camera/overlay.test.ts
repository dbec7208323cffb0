import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { lensOf, project } from './overlay';

const views = [{ name: 'head', horizontal_view_deg: 90 }];
const poses = [{ name: 'head', pose: [1, 0, 1.5, 0, 0, 0, 1] }];

test('a point is where the camera sees it: forward is the middle, left is left, up is up', () => {
  const lens = lensOf('head', 2, views, poses);
  if (!lens) throw new Error('no lens');
  const near = (got: [number, number] | null, wanted: [number, number]): void =>
    got?.forEach((value, index) => expect(value).toBeCloseTo(wanted[index] ?? NaN)) ?? expect(got).not.toBeNull();
  near(project(lens, new Vector3(3, 0, 1.5)), [0.5, 0.5]);
  near(project(lens, new Vector3(3, 2, 1.5)), [0, 0.5]);
  near(project(lens, new Vector3(3, 0, 2.5)), [0.5, 0]);
  expect(project(lens, new Vector3(0, 0, 1.5))).toBeNull();
  expect(lensOf('foot', 2, views, poses)).toBeNull();
});

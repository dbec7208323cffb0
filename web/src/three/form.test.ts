import { Matrix4 } from 'three';
import { expect, test } from 'vitest';
import { AroundLayer } from './around';
import { footprintOf, geometryOf, halfHeight, hull } from './form';
import type { Form, SolidView } from '../api/types';

const box: Form = { box: { size_m: [2, 1, 0.5] } };

test('what is around points is around all of them, and only the corners stay', () => {
  expect(
    hull([
      [0, 0],
      [2, 0],
      [1, 0.5],
      [2, 2],
      [0, 2],
      [1, 0],
    ]),
  ).toHaveLength(4);
});

test('the footprint of a turned box is turned', () => {
  const print = footprintOf(box, new Matrix4().makeRotationZ(Math.PI / 2).setPosition(3, 0, 1));
  const xs = print?.outline.map(([x]) => x) ?? [];
  const ys = print?.outline.map(([, y]) => y) ?? [];
  expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)].map((value) => Math.round(value * 100) / 100)).toEqual([2.5, 3.5, -1, 1]);
  expect([print?.bottom, print?.top]).toEqual([0.75, 1.25]);
  expect(footprintOf({ plane: { size_m: [0, 0] } }, new Matrix4())).toBeNull();
});

test('every form can be drawn and stands on its lowest point', () => {
  const forms: Form[] = [box, { sphere: { radius_m: 0.1 } }, { capsule: { radius_m: 0.1, length_m: 0.4 } }, { cylinder: { radius_m: 0.1, length_m: 0.4 } }];
  for (const form of forms) {
    const geometry = geometryOf(form);
    geometry.computeBoundingBox();
    expect(geometry.boundingBox?.min.z).toBeCloseTo(-halfHeight(form));
  }
});

const solid = (number: number, x: number): SolidView => ({ number, name: 'door', form: box, colour: [200, 10, 10, 255], pose: [x, 0, 0.5, 0, 0, 0, 1] });

test('what moves in the world keeps its mesh, what is gone is gone, and the map has outlines', () => {
  const layer = new AroundLayer();
  layer.setSolids([solid(0, 1), solid(1, 2)]);
  const [first, second] = layer.world.children;
  layer.setSolids([solid(0, 1), solid(1, 5)]);
  expect(layer.world.children).toEqual([first, second]);
  expect(second?.position.x).toBe(5);
  expect(layer.outlines.children).toHaveLength(2);
  layer.setSolids([solid(0, 1)]);
  expect(layer.world.children).toEqual([first]);
  layer.setShown(false);
  expect(layer.outlines.children, 'the truth is switched off').toHaveLength(0);
  layer.setKnown(
    [
      {
        number: 0,
        name: 'crate',
        obstacle: true,
        corners: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
    ],
    [],
    [],
  );
  expect(layer.outlines.children, 'what the robot was given is not').toHaveLength(1);
});

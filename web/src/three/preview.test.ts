import { Quaternion, Vector3, type Group } from 'three';
import { expect, test, vi } from 'vitest';
import type { PreviewView } from '../api/types';
import { PreviewLayer } from './preview';
import walk from './walkPreview.json';

// Labels are drawn on a canvas, which tests do not have.
vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) });

const feetOf = (layer: PreviewLayer): Group[] => {
  const feet: Group[] = [];
  layer.object.traverse((object) => {
    if (object.name === 'footstep') feet.push(object as Group);
  });
  return feet;
};

test('every footstep that the server plans is in the scene, where and as it was planned', () => {
  const preview = walk as PreviewView;
  const layer = new PreviewLayer();
  layer.put(preview);
  const feet = feetOf(layer);
  expect(feet).toHaveLength(preview.footsteps.length);
  expect(feet.length).toBeGreaterThan(4);
  preview.footsteps.forEach(({ pose: [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] }, index) => {
    const foot = feet[index];
    expect(foot?.position.distanceTo(new Vector3(x, y, z))).toBeLessThan(1e-9);
    expect(foot?.quaternion.angleTo(new Quaternion(qx, qy, qz, qw))).toBeLessThan(1e-6);
  });
  // It walks ahead and turns to its left: a quaternion read in another order would lie on its side.
  const last = feet.at(-1);
  expect(last?.position.x).toBeGreaterThan(0.4);
  const ahead = new Vector3(1, 0, 0).applyQuaternion(last?.quaternion ?? new Quaternion());
  expect([ahead.x, ahead.y, ahead.z].map((part) => Math.round(part * 100) / 100 + 0)).toEqual([0, 1, 0]);
  layer.put(null);
  expect(feetOf(layer)).toEqual([]);
});

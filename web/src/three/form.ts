import { BoxGeometry, type BufferGeometry, CapsuleGeometry, CylinderGeometry, type Matrix4, PlaneGeometry, SphereGeometry, Vector3 } from 'three';
import type { Form } from '../api/types';

const ENDLESS_M = 40;

/** About its middle; long ones along z. */
export function geometryOf(form: Form): BufferGeometry {
  if ('box' in form) return new BoxGeometry(...form.box.size_m);
  if ('sphere' in form) return new SphereGeometry(form.sphere.radius_m, 20, 14);
  if ('capsule' in form) return new CapsuleGeometry(form.capsule.radius_m, form.capsule.length_m, 6, 16).rotateX(Math.PI / 2);
  if ('cylinder' in form) return new CylinderGeometry(form.cylinder.radius_m, form.cylinder.radius_m, form.cylinder.length_m, 24).rotateX(Math.PI / 2);
  const [x, y] = form.plane.size_m;
  return new PlaneGeometry(x || ENDLESS_M, y || ENDLESS_M);
}

/** How far it reaches below its middle when it stands upright. */
export function halfHeight(form: Form): number {
  if ('box' in form) return form.box.size_m[2] / 2;
  if ('sphere' in form) return form.sphere.radius_m;
  if ('capsule' in form) return form.capsule.length_m / 2 + form.capsule.radius_m;
  return 'cylinder' in form ? form.cylinder.length_m / 2 : 0;
}

/** Points that hold all of it between them. */
function corners(form: Form): Vector3[] {
  const ring = (radius: number, z: number): Vector3[] =>
    Array.from({ length: 20 }, (_, index) => new Vector3(radius * Math.cos((index * Math.PI) / 10), radius * Math.sin((index * Math.PI) / 10), z));
  if ('box' in form) {
    const [x, y, z] = form.box.size_m;
    return [-1, 1].flatMap((i) => [-1, 1].flatMap((j) => [-1, 1].map((k) => new Vector3((i * x) / 2, (j * y) / 2, (k * z) / 2))));
  }
  if ('sphere' in form) return [...ring(form.sphere.radius_m, 0), new Vector3(0, 0, form.sphere.radius_m), new Vector3(0, 0, -form.sphere.radius_m)];
  if ('plane' in form) return [];
  const { radius_m, length_m } = 'capsule' in form ? form.capsule : form.cylinder;
  return [...ring(radius_m, -length_m / 2), ...ring(radius_m, length_m / 2)];
}

export interface Footprint {
  /** Around it, seen from above: x and y in the world. */
  outline: [number, number][];
  bottom: number;
  top: number;
}

/** Null: it has no edge, as the floor. */
export function footprintOf(form: Form, worldFromForm: Matrix4): Footprint | null {
  const points = corners(form).map((point) => point.applyMatrix4(worldFromForm));
  if (points.length === 0) return null;
  const heights = points.map(({ z }) => z);
  return { outline: hull(points.map(({ x, y }) => [x, y])), bottom: Math.min(...heights), top: Math.max(...heights) };
}

/** Around all of them, by Andrew's chain. */
export function hull(points: [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: [number, number][]): [number, number][] => {
    const chain: [number, number][] = [];
    for (const point of list) {
      while (chain.length > 1) {
        const a = chain[chain.length - 2] ?? point;
        const b = chain[chain.length - 1] ?? point;
        if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 1e-12) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

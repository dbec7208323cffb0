import { AxesHelper, Group, type Matrix4, Mesh, MeshStandardMaterial, type Points, SphereGeometry, Vector3, type Object3D, type Raycaster } from 'three';
import type { Form } from '../api/types';
import { geometryOf, halfHeight } from './form';
import { label } from './label';
import { clear } from './layers';
import { matrixOfSeven } from './pose';

/** An object that is about to be put into the scene. */
export interface Ghost {
  name: string;
  form: Form | null;
  formAt: number[];
  /** x, y, z, qx, qy, qz, qw in the world. */
  pose: number[];
}

/** Shows it, see-through, where it would be. */
export class GhostLayer {
  readonly object = new Group();
  private now: Ghost | null = null;

  put(ghost: Ghost | null): void {
    const drawn = this.now;
    this.now = ghost;
    if (!ghost || drawn?.form !== ghost.form || drawn.name !== ghost.name) this.draw(ghost);
    if (ghost) matrixOfSeven(ghost.pose).decompose(this.object.position, this.object.quaternion, new Vector3());
  }

  get worldFromGhost(): Matrix4 | null {
    return this.now && matrixOfSeven(this.now.pose);
  }

  /** The height of its origin over what it stands on. */
  get above(): number {
    if (!this.now?.form) return 0;
    return halfHeight(this.now.form) - (this.now.formAt[2] ?? 0);
  }

  private draw(ghost: Ghost | null): void {
    clear(this.object);
    if (!ghost) return;
    const material = new MeshStandardMaterial({ color: 0x58c089, transparent: true, opacity: 0.55, depthWrite: false });
    const shape = new Mesh(ghost.form ? geometryOf(ghost.form) : new SphereGeometry(0.04, 16, 12), material);
    matrixOfSeven(ghost.formAt).decompose(shape.position, shape.quaternion, new Vector3());
    const text = label(`${ghost.name} ?`, '#c9f5dc', 0.022);
    text.position.z = 0.12;
    this.object.add(shape, new AxesHelper(0.16), text);
  }
}

/** The first thing under the mouse: a seen point, or a surface of the simulated world where that is shown. */
export function surfaceAt(ray: Raycaster, cloud: Points, world: Object3D): Vector3 | null {
  ray.params.Points.threshold = 0.025;
  const points = cloud.visible ? ray.intersectObject(cloud, false) : [];
  const first = points[0];
  // Of those at about the same depth the one nearest to the ray: the first is only the nearest to the eye.
  const near = points.filter(({ distance }) => first && distance < first.distance + 0.05);
  const seen = near.sort((a, b) => (a.distanceToRay ?? 0) - (b.distanceToRay ?? 0))[0];
  const solid = world.visible ? ray.intersectObject(world, true).find(({ object }) => object.visible) : undefined;
  if (seen && solid) return (seen.distance < solid.distance + 0.05 ? seen : solid).point;
  return seen?.point ?? solid?.point ?? null;
}

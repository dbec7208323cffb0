import { Group, Mesh, MeshBasicMaterial, Plane, RingGeometry, SphereGeometry, Vector3, type Raycaster } from 'three';
import { clear, footstep } from '../layers';

const GROUND = new Plane(new Vector3(0, 0, 1), 0);
const FARTHEST_M = 10;

/** What is shown on the ground: what would be put there, or the one who wears the headset. */
export type Shown = 'left_foot' | 'right_foot' | 'spot' | 'ball' | 'person';

/** Where a ray meets the ground, as far as a person can judge it. */
export function groundUnder(ray: Raycaster): Vector3 | null {
  const hit = ray.ray.intersectPlane(GROUND, new Vector3());
  return hit && hit.distanceTo(ray.ray.origin) <= FARTHEST_M ? hit : null;
}

/** Shows what would be put where the hand points, or where one would stand. */
export class Ghost {
  readonly object = new Group();
  private what: Shown | null = null;

  show(what: Shown | null, at: Vector3 | null, yaw: number): void {
    if (what !== this.what) {
      this.what = what;
      clear(this.object);
      if (what) this.object.add(looks(what));
    }
    this.object.visible = what !== null && at !== null;
    if (at) this.object.position.copy(at);
    this.object.rotation.z = yaw;
  }
}

function looks(what: Shown): Group | Mesh {
  const paint = (color: number): MeshBasicMaterial => new MeshBasicMaterial({ color, transparent: true, opacity: 0.7 });
  switch (what) {
    case 'left_foot':
      return footstep('left', 'left', 0.6);
    case 'right_foot':
      return footstep('right', 'right', 0.6);
    case 'spot':
      return new Mesh(new RingGeometry(0.18, 0.22, 32).translate(0, 0, 0.01), paint(0x4fb0d4));
    case 'ball':
      return new Mesh(new SphereGeometry(0.04, 16, 12), paint(0x4cc38a));
    case 'person':
      return new Mesh(new RingGeometry(0.25, 0.3, 32).translate(0, 0, 0.01), paint(0xffd84d));
  }
}

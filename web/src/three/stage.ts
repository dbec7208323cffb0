import type { Matrix4, Raycaster, Scene, Vector3, WebGLRenderer } from 'three';
import type { FocusCamera } from './camera';
import type { Gizmo } from './gizmo';
import type { Goal } from './goals';
import type { Ground } from './ground';

/** The scene of the 3D view as whoever draws it in another way gets it: a headset. */
export interface Stage {
  scene: Scene;
  renderer: WebGLRenderer;
  gizmo: Gizmo;
  /** Where the person looked from before. */
  camera: FocusCamera;
  pick(ray: Raycaster): Goal | null;
  choose(goal: Goal): void;
  /** The goal with the gizmo was put there: one edit. */
  put(worldFromGoal: Matrix4): void;
  /** The goal is drawn where the gizmo is while it is dragged. */
  followGizmo(): void;
  ground(world: Vector3, yaw?: number): Ground;
  /** True: the view no longer draws it. */
  lend(on: boolean): void;
}

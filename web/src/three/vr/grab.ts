import { type Matrix4, Vector3, type Camera } from 'three';
import type { Stage } from '../stage';
import type { Hand } from './hands';

/** So near, a hand takes hold of a goal without pointing at it. */
const NEAR_M = 0.12;

/** Goals in the hands: the trigger drags an axis of the gizmo, a squeeze takes the goal whole. */
export class Grab {
  private by: { hand: Hand; handFromGoal: Matrix4 | null } | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly camera: Camera,
  ) {}

  get hand(): Hand | null {
    return this.by?.hand ?? null;
  }

  /** Whether there was something to take hold of. */
  squeeze(hand: Hand): boolean {
    const { gizmo } = this.stage;
    if (this.by) return false;
    const near = gizmo.object.visible && hand.grip.getWorldPosition(new Vector3()).distanceTo(gizmo.object.position) < NEAR_M;
    if (!near && !this.pointsAt(hand)) return false;
    const pose = gizmo.take();
    this.by = { hand, handFromGoal: hand.grip.matrixWorld.clone().invert().multiply(pose) };
    return true;
  }

  trigger(hand: Hand): boolean {
    const { gizmo } = this.stage;
    if (this.by) return false;
    const ray = hand.aim();
    gizmo.hover(ray);
    if (gizmo.begin(ray.ray, this.camera, false)) {
      this.by = { hand, handFromGoal: null };
      return true;
    }
    const goal = this.stage.pick(ray);
    if (goal) this.stage.choose(goal);
    return goal !== null;
  }

  /** Another goal than the one with the gizmo becomes the one. */
  private pointsAt(hand: Hand): boolean {
    const { gizmo } = this.stage;
    const ray = hand.aim();
    if (gizmo.hover(ray)) return true;
    const goal = this.stage.pick(ray);
    if (goal) this.stage.choose(goal);
    return goal !== null && gizmo.object.visible;
  }

  move(): void {
    if (!this.by) return;
    const { hand, handFromGoal } = this.by;
    const { gizmo } = this.stage;
    if (handFromGoal) gizmo.carry(hand.grip.matrixWorld.clone().multiply(handFromGoal));
    else gizmo.move(hand.aim().ray, this.camera);
    this.stage.followGizmo();
  }

  release(hand: Hand): void {
    if (this.by?.hand !== hand) return;
    this.by = null;
    const put = this.stage.gizmo.end();
    if (put) this.stage.put(put);
  }

  /** A hand that is gone leaves things where they were. */
  cancel(): void {
    this.by = null;
    this.stage.gizmo.cancel();
  }
}

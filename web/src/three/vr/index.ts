import type { Vector3 } from 'three';
import type { Stage } from '../stage';
import type { Ground } from '../ground';
import { Ghost, groundUnder, type Shown } from './ghost';
import { Grab } from './grab';
import { handsOf, type Hand, type Handedness } from './hands';
import type { Line } from './panel';
import { Rig } from './rig';
import { Wrist } from './wrist';

export type { Line } from './panel';
export type { Shown } from './ghost';

export interface VrHooks {
  /** What stands on the wrist now. */
  lines(placing: string | null): Line[];
  /** A button of it was pressed; those of this module do not get there. */
  press(id: string): void;
  place(what: string, ground: Ground): void;
  /** As what it is shown where the hand points. */
  shown(what: string): Shown;
  ended(): void;
}

const WALK_M_S = 1.4;
const SNAP = Math.PI / 6;
const PANEL_EVERY_MS = 100;

/** One stay in the headset, from entering to leaving. */
export class Vr {
  readonly rig = new Rig();
  readonly wrist = new Wrist();
  readonly hands: Hand[];
  placing: string | null = null;
  private readonly grab: Grab;
  private readonly ghost = new Ghost();
  private wristOf: Handedness = 'left';
  private lastMs = 0;
  private panelMs = -Infinity;
  private pointed: string | null = null;
  private snapped = false;
  /** The stick is held forward: letting it go brings one where the hand points. */
  teleports = false;

  static async enter(stage: Stage, hooks: VrHooks): Promise<Vr> {
    const { xr } = navigator;
    if (!xr) throw new Error('this browser has no WebXR');
    const session = await xr.requestSession('immersive-vr', { requiredFeatures: ['local-floor'] });
    return new Vr(stage, hooks, session);
  }

  private constructor(
    private readonly stage: Stage,
    private readonly hooks: VrHooks,
    private readonly session: XRSession,
  ) {
    const { renderer, scene, camera } = stage;
    this.grab = new Grab(stage, this.rig.camera);
    this.hands = handsOf(renderer, this.rig, {
      trigger: (hand, down) => (down ? this.trigger(hand) : this.grab.release(hand)),
      squeeze: (hand, down) => void (down ? this.grab.squeeze(hand) : this.grab.release(hand)),
    });
    stage.lend(true);
    scene.add(this.rig.object, this.ghost.object);
    // Two steps back from what was looked at, and looking there.
    const { forward } = camera.axes();
    this.rig.stand(camera.focus.clone().addScaledVector(forward, -1.5), Math.atan2(forward.y, forward.x));
    session.addEventListener('end', () => this.ended());
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType('local-floor');
    void renderer.xr.setSession(session).then(() => renderer.setAnimationLoop((nowMs) => this.frame(nowMs)));
  }

  async leave(): Promise<void> {
    await this.session.end();
  }

  private ended(): void {
    const { renderer, scene } = this.stage;
    this.grab.cancel();
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    scene.remove(this.rig.object, this.ghost.object);
    this.wrist.dispose();
    for (const hand of this.hands) hand.dispose();
    this.stage.lend(false);
    this.hooks.ended();
  }

  private frame(nowMs: number): void {
    const seconds = Math.min(0.1, Math.max(0, (nowMs - this.lastMs) / 1000));
    this.lastMs = nowMs;
    this.rig.object.updateMatrixWorld(true);
    this.carryWrist();
    this.move(seconds);
    this.grab.move();
    this.point();
    if (nowMs - this.panelMs >= PANEL_EVERY_MS) {
      this.panelMs = nowMs;
      this.wrist.show(this.hooks.lines(this.placing), this.pointed);
    }
    this.stage.gizmo.paint(Math.min(2.5, Math.max(1, this.rig.head.distanceTo(this.stage.gizmo.object.position))));
    this.stage.renderer.render(this.stage.scene, this.rig.camera);
  }

  private hand(side: Handedness): Hand | undefined {
    return this.hands.find((hand) => hand.side === side);
  }

  private carryWrist(): void {
    const grip = this.hand(this.wristOf)?.grip;
    if (grip && this.wrist.object.parent !== grip) grip.add(this.wrist.object);
  }

  /** Left stick walks; right stick turns, and pushed forward shows where letting go brings one. */
  private move(seconds: number): void {
    const left = this.hand('left')?.stick() ?? { x: 0, y: 0 };
    this.rig.walk(left.y * WALK_M_S * seconds, -left.x * WALK_M_S * seconds);
    const hand = this.hand('right');
    const { x, y } = hand?.stick() ?? { x: 0, y: 0 };
    if (Math.abs(x) < 0.5) this.snapped = false;
    else if (!this.snapped) {
      this.snapped = true;
      this.rig.turn(-Math.sign(x) * SNAP);
    }
    if (y > 0.7) this.teleports = true;
    else if (this.teleports && y < 0.3) {
      this.teleports = false;
      const to = hand && groundUnder(hand.aim());
      if (to) this.rig.teleport(to);
    }
  }

  /** The beams end where they meet something; what they would do there is shown. */
  private point(): void {
    this.pointed = null;
    const placed = this.placing === null ? null : this.hooks.shown(this.placing);
    let ghost: { what: Shown; at: Vector3 } | null = null;
    for (const hand of this.hands) {
      const ray = hand.aim();
      const panel = hand.side === this.wristOf ? undefined : this.wrist.at(ray);
      const ground = groundUnder(ray);
      hand.reach(panel?.distance ?? ground?.distanceTo(ray.ray.origin) ?? 2);
      if (panel) this.pointed = panel.button ?? this.pointed;
      const what = hand.side === 'right' && this.teleports ? 'person' : hand.side === this.wristOf ? null : placed;
      if (what && ground && !panel) ghost = { what, at: ground };
    }
    this.ghost.show(ghost?.what ?? null, ghost?.at ?? null, this.rig.heading);
    if (!this.stage.gizmo.dragging) for (const hand of this.hands) if (hand.side !== this.wristOf) this.stage.gizmo.hover(hand.ray);
  }

  private trigger(hand: Hand): void {
    const ray = hand.aim();
    const panel = hand.side === this.wristOf ? undefined : this.wrist.at(ray);
    if (panel) {
      if (panel.button) this.press(panel.button);
      return;
    }
    const ground = this.placing && groundUnder(ray);
    if (this.placing && ground) this.hooks.place(this.placing, this.stage.ground(ground, this.rig.heading));
    else this.grab.trigger(hand);
  }

  private press(id: string): void {
    this.panelMs = -Infinity;
    if (id.startsWith('place.')) {
      const what = id.slice('place.'.length);
      this.placing = this.placing === what ? null : what;
    } else if (id === 'vr.leave') void this.leave();
    else if (id === 'vr.other_wrist') this.wristOf = this.wristOf === 'left' ? 'right' : 'left';
    else this.hooks.press(id);
  }
}

import { Plane, Raycaster, Vector3, type Matrix4, type Object3D, type Points } from 'three';
import { MapBox } from './box';
import type { FocusCamera } from './camera';
import type { Frames } from './frames';
import { surfaceAt, type GhostLayer } from './ghost';
import type { Gizmo } from './gizmo';
import type { GoalLayer } from './goalLayer';
import type { Goal } from './goals';
import { areaOf, groundAt } from './ground';
import type { Nudge } from './keys';
import { sevenOf } from './pose';
import type { Screen } from './screen';
import type { LinkPicker, ViewEvents } from './told';
import { listenToTouch } from './touch';

const GROUND = new Plane(new Vector3(0, 0, 1), 0);
/** Less is a click. */
const DRAG_PX = 4;
/** The same for a finger, which never rests. */
const FINGER_PX = 10;

/** What mouse, fingers and keys get hold of. */
export interface Held {
  readonly gizmo: Gizmo;
  readonly goals: GoalLayer;
  /** What is about to be placed. */
  readonly placing: GhostLayer;
  readonly frames: Frames;
  /** What something is put onto, beside the ground: what was seen, and what is there. */
  readonly points: Points;
  readonly world: Object3D;
  readonly events: ViewEvents;
  /** Links of the robot are to be clicked. */
  picker(): LinkPicker | null;
  linkAt(ray: Raycaster): string | null;
  choose(goal: Goal): void;
  /** The gizmo was moved, and is not let go. */
  follow(): void;
  /** It was let go here. */
  put(worldFromGoal: Matrix4): void;
  /** It was let go without effect. */
  putBack(): void;
}

/** Mouse, fingers and keys in the 3D view. */
export class Pointing {
  /** A box that is dragged on the map. */
  readonly box = new MapBox();
  /** The camera of the picture under the mouse. */
  private under: FocusCamera;
  private button = -1;
  /** How far the mouse has gone since it was pressed. */
  private moved = 0;
  private fine = false;
  private nudging = false;
  private nudged: ReturnType<typeof setTimeout> | undefined;
  private readonly ray = new Raycaster();
  private readonly forget: (() => void)[] = [];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly screen: Screen,
    private readonly held: Held,
  ) {
    this.under = screen.camera;
    this.forget.push(listenToTouch(canvas, screen.camera, () => screen.invalidate()));
    this.listen();
  }

  dispose(): void {
    for (const forget of this.forget) forget();
  }

  /** The camera moves on while its keys are down. */
  advance(seconds: number): void {
    const { camera } = this.screen;
    if (!camera.moving) return;
    camera.advance(seconds, this.fine);
    this.screen.cameraMoved();
  }

  /** Ends a drag without its effect; true if there was one. */
  cancel(): boolean {
    if (!this.held.gizmo.cancel() && !this.box.cancel()) return false;
    this.button = -1;
    this.held.putBack();
    return true;
  }

  /** Whether the key was for the view. */
  key(event: KeyboardEvent, nudge: Nudge | null): boolean {
    this.fine = event.shiftKey;
    if (nudge && this.held.gizmo.object.visible) {
      this.nudge(nudge, event.shiftKey);
      return true;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const taken = this.screen.camera.press(event.key);
    if (taken) this.screen.invalidate();
    return taken;
  }

  private on<K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void, passive = true): void {
    this.canvas.addEventListener(name, act as EventListener, { passive });
    this.forget.push(() => this.canvas.removeEventListener(name, act as EventListener));
  }

  private listen(): void {
    this.on('pointerdown', (event) => this.down(event));
    this.on('pointermove', (event) => this.move(event));
    this.on('pointerup', (event) => this.up(event));
    this.on('pointercancel', () => {
      this.cancel();
      this.button = -1;
    });
    this.on('contextmenu', (event) => this.rest(event), false);
    this.on('wheel', (event) => this.wheel(event), false);
    this.on('blur', () => {
      this.screen.camera.releaseAll();
      this.endNudge();
    });
    this.on('keyup', (event) => {
      this.fine = event.shiftKey;
      this.screen.camera.release(event.key);
      if (event.key.startsWith('Arrow')) this.endNudge();
    });
  }

  private aim(event: { clientX: number; clientY: number }): void {
    this.under = this.screen.aim(this.ray, event, this.button >= 0 ? this.under : null);
    this.held.gizmo.update(this.under);
    this.held.gizmo.object.updateMatrixWorld(true);
  }

  private down(event: PointerEvent): void {
    this.canvas.focus();
    this.canvas.setPointerCapture(event.pointerId);
    this.endNudge();
    this.aim(event);
    this.button = event.button;
    this.moved = 0;
    const { gizmo } = this.held;
    gizmo.hover(this.ray);
    if (this.button === 0 && !gizmo.begin(this.ray.ray, this.under.camera, event.shiftKey) && this.under.fixed === 'above') this.dragBox();
  }

  private move(event: PointerEvent): void {
    this.aim(event);
    const { gizmo } = this.held;
    if (this.button < 0) {
      this.held.picker()?.hover(this.held.linkAt(this.ray));
      const before = gizmo.hovered;
      if (gizmo.hover(this.ray) !== before) this.screen.invalidate();
      return;
    }
    this.moved += Math.abs(event.movementX) + Math.abs(event.movementY);
    if (gizmo.dragging) {
      gizmo.move(this.ray.ray, this.under.camera);
      this.held.follow();
    } else if (this.box.dragging) this.dragBox();
    else this.moveCamera(event);
    this.screen.invalidate();
  }

  private moveCamera(event: PointerEvent): void {
    if (this.button === 0 && !this.under.fixed) this.under.orbit(event.movementX, event.movementY, event.shiftKey);
    else if (this.button === 1 || this.button === 0) this.under.pan(event.movementX, event.movementY, event.shiftKey);
    else return;
    this.screen.cameraMoved();
  }

  private up(event: PointerEvent): void {
    this.aim(event);
    const dragged = this.held.gizmo.end();
    const box = this.box.end();
    const isClick = this.moved < DRAG_PX;
    if (dragged && this.moved > 0) this.held.put(dragged);
    else if (box && !isClick) this.held.events.box({ x: event.clientX, y: event.clientY }, areaOf(this.held.frames, box));
    else if (this.button === 0 && isClick) this.click();
    if (this.button === 2 && isClick) this.openMenu(event);
    this.button = -1;
    this.screen.invalidate();
  }

  /** A finger that rests; the right button opens the menu when it is let go. */
  private rest(event: MouseEvent): void {
    event.preventDefault();
    if (this.button !== 0 || this.moved > FINGER_PX) return;
    this.cancel();
    this.button = -1;
    this.openMenu(event);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const by = Math.sign(event.deltaY);
    if (event.ctrlKey && this.held.gizmo.object.visible) {
      this.nudge({ turn: [0, 0, by] }, event.shiftKey);
      // Nothing tells when a wheel is let go.
      this.nudged = setTimeout(() => this.endNudge(), 400);
    } else {
      this.screen.camera.zoom(by, event.shiftKey);
      this.screen.cameraMoved();
    }
    this.screen.invalidate();
  }

  private onGround(): Vector3 | null {
    return this.ray.ray.intersectPlane(GROUND, new Vector3());
  }

  private openMenu(event: MouseEvent): void {
    const { gizmo, goals, frames, events } = this.held;
    const world = this.onGround();
    const goal = gizmo.hovered ? (goals.active?.goal ?? null) : goals.pick(this.ray);
    events.menu({ x: event.clientX, y: event.clientY }, world && groundAt(frames, world), goal);
  }

  private dragBox(): void {
    const at = this.onGround();
    if (!at) return;
    if (this.box.dragging) this.box.move(at);
    else this.box.begin(at);
  }

  private click(): void {
    const picker = this.held.picker();
    const link = picker && this.held.linkAt(this.ray);
    if (picker && link) {
      picker.pick(link);
      return;
    }
    if (this.held.placing.worldFromGhost) {
      this.putGhost();
      return;
    }
    const goal = this.held.goals.pick(this.ray);
    if (goal) this.held.choose(goal);
  }

  /** Onto what is under the mouse: a seen point, a surface, else the ground. */
  private putGhost(): void {
    const { placing, points, world, events } = this.held;
    const at = surfaceAt(this.ray, points, world) ?? this.onGround();
    const ghost = placing.worldFromGhost;
    if (at && ghost) events.ghostMoved(sevenOf(ghost.setPosition(at.x, at.y, at.z + placing.above)));
  }

  /** A key held down moves on and on: one edit when it is let go, not one each time. */
  private nudge(by: Nudge, fine: boolean): void {
    const { gizmo } = this.held;
    if (!gizmo.dragging) gizmo.take();
    gizmo.nudge(by, this.screen.camera, fine);
    this.held.follow();
    this.screen.invalidate();
    clearTimeout(this.nudged);
    this.nudging = true;
  }

  private endNudge(): void {
    clearTimeout(this.nudged);
    if (!this.nudging) return;
    this.nudging = false;
    const to = this.held.gizmo.end();
    if (to) this.held.put(to);
  }
}

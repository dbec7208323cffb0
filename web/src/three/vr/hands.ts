import {
  BufferGeometry,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshStandardMaterial,
  Raycaster,
  SphereGeometry,
  Vector3,
  type Group,
  type WebGLRenderer,
  type XRTargetRaySpace,
} from 'three';
import type { Rig } from './rig';

export type Handedness = 'left' | 'right';

interface XRHandEvents {
  connected: { data: XRInputSource };
  disconnected: object;
  selectstart: object;
  selectend: object;
  squeezestart: object;
  squeezeend: object;
}

export interface HandEvents {
  trigger(hand: Hand, down: boolean): void;
  squeeze(hand: Hand, down: boolean): void;
}

/** One controller: its ray, its grip, its thumbstick. */
export class Hand {
  side: Handedness | null = null;
  readonly ray = new Raycaster();
  private pad: Gamepad | null = null;
  private readonly beam: Line<BufferGeometry, LineBasicMaterial>;
  private readonly ball = new Mesh(new SphereGeometry(0.022, 16, 12), new MeshStandardMaterial({ color: 0x5b6975 }));
  private readonly forget: (() => void)[] = [];

  constructor(
    readonly pointer: XRTargetRaySpace,
    readonly grip: Group,
    events: HandEvents,
  ) {
    this.beam = new Line(
      new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]),
      new LineBasicMaterial({ color: 0x9fd8ff, transparent: true, opacity: 0.7 }),
    );
    this.beam.visible = false;
    pointer.add(this.beam);
    grip.add(this.ball);
    this.on('connected', ({ data }) => {
      this.side = data.handedness === 'none' ? null : data.handedness;
      this.pad = data.gamepad ?? null;
      this.beam.visible = true;
    });
    this.on('disconnected', () => {
      this.side = this.pad = null;
      this.beam.visible = false;
    });
    this.on('selectstart', () => events.trigger(this, true));
    this.on('selectend', () => events.trigger(this, false));
    this.on('squeezestart', () => events.squeeze(this, true));
    this.on('squeezeend', () => events.squeeze(this, false));
  }

  private on<K extends keyof XRHandEvents>(name: K, act: (event: XRHandEvents[K]) => void): void {
    const listener = act as (event: object) => void;
    this.pointer.addEventListener(name, listener);
    this.forget.push(() => this.pointer.removeEventListener(name, listener));
  }

  /** The renderer gives the same controllers to the next stay. */
  dispose(): void {
    for (const forget of this.forget) forget();
    for (const part of [this.beam, this.ball]) {
      part.removeFromParent();
      part.geometry.dispose();
      part.material.dispose();
    }
    this.pointer.removeFromParent();
    this.grip.removeFromParent();
  }

  /** x to the right, y forward; small moves of a worn stick are none. */
  stick(): { x: number; y: number } {
    const axes = this.pad?.axes ?? [];
    const dead = (value: number): number => (Math.abs(value) < 0.15 ? 0 : value);
    return { x: dead(axes[2] ?? 0), y: dead(-(axes[3] ?? 0)) };
  }

  aim(): Raycaster {
    const from = this.pointer.getWorldPosition(new Vector3());
    this.ray.set(from, new Vector3(0, 0, -1).transformDirection(this.pointer.matrixWorld));
    return this.ray;
  }

  /** How far the beam is drawn. */
  reach(distance: number): void {
    this.beam.scale.z = distance;
  }
}

export function handsOf(renderer: WebGLRenderer, rig: Rig, events: HandEvents): Hand[] {
  return [0, 1].map((index) => {
    const pointer = renderer.xr.getController(index);
    const grip = renderer.xr.getControllerGrip(index);
    rig.room.add(pointer, grip);
    return new Hand(pointer, grip, events);
  });
}

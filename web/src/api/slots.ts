import type { BodyView } from './types';

/**
 * Values that come 30 times a second. They are read by whoever draws, never kept in React state: a render for each
 * would take the main thread.
 */
export interface RobotState {
  timeS: number;
  /** x, y, z, qx, qy, qz, qw in the world. */
  base: Float32Array;
  flags: number;
  /** In the order of the robot's joints. */
  joints: Float32Array;
}

export interface Cloud {
  timeS: number;
  count: number;
  /** x, y, z of each point in metres in the world. */
  positions: Float32Array;
  /** red, green, blue, alpha of each. */
  colours: Uint8Array;
}

export interface Picture {
  timeS: number;
  camera: string;
  width: number;
  height: number;
  /** red, green, blue, alpha of each. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
}

type Listener = () => void;

export class Slot<T> {
  private value: T | null = null;
  private readonly listeners = new Set<Listener>();
  /** What is live, while something else is shown in its place. */
  private live: { value: T | null; atMs: number } | null = null;
  count = 0;
  /** When the value came, in milliseconds since 1970. */
  atMs = 0;

  get(): T | null {
    return this.value;
  }

  put(value: T): void {
    this.count += 1;
    if (this.live) this.live = { value, atMs: Date.now() };
    else this.set(value, Date.now());
  }

  clear(): void {
    if (this.live) this.live = { value: null, atMs: this.live.atMs };
    else this.set(null, this.atMs);
  }

  /** Of a recording: shown in place of what is live until `release`; what comes meanwhile is kept. */
  show(value: T | null): void {
    this.live ??= { value: this.value, atMs: this.atMs };
    this.set(value, this.atMs);
  }

  release(): void {
    const { live } = this;
    this.live = null;
    if (live) this.set(live.value, live.atMs);
  }

  /** What is in it is not of now. */
  get isRecorded(): boolean {
    return this.live !== null;
  }

  private set(value: T | null, atMs: number): void {
    this.value = value;
    this.atMs = atMs;
    for (const listener of this.listeners) listener();
  }

  /** Called at each new value, which is to set a dirty flag and no more. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export const robotState = new Slot<RobotState>();
/** What the robot feels and how it is; it comes while somebody looks at it. */
export const bodyState = new Slot<BodyView>();
/** The robot of a preview; none: there is no preview. */
export const previewState = new Slot<RobotState>();
export const cloud = new Slot<Cloud>();
export const picture = new Slot<Picture>();

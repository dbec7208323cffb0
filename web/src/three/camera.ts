import { OrthographicCamera, PerspectiveCamera, Vector3, type Camera } from 'three';

const MOST_LATITUDE = Math.PI / 2 - 0.001;
export type Side = 'above' | 'front' | 'left';

/** Longitude and latitude of the fixed ones. From above, forward is up on the screen. */
const SIDES: Record<Side, [number, number]> = { above: [Math.PI, MOST_LATITUDE], front: [0, 0], left: [Math.PI / 2, 0] };

const UP = new Vector3(0, 0, 1);
const HELD = new Set(['w', 'a', 's', 'd', 'q', 'z', 'e', 'c']);

/**
 * A camera that always faces a focus point, which moves over the ground; it orbits by longitude and latitude and never
 * turns upside down. Mouse and keys are those of the thesis' table 1.
 */
export class FocusCamera {
  longitude = Math.PI * -0.72;
  latitude = 0.28;
  distance = 3;
  /** Looks from there without perspective. */
  fixed: Side | null = null;
  private readonly perspective = new PerspectiveCamera(45, 1, 0.02, 200);
  private readonly flat = new OrthographicCamera(-1, 1, 1, -1, 0.01, 200);
  private readonly held = new Set<string>();
  private aspect = 1;

  constructor(readonly focus = new Vector3(0.3, 0, 0.9)) {}

  get camera(): Camera {
    return this.fixed ? this.flat : this.perspective;
  }

  private direction(): [number, number] {
    return this.fixed ? SIDES[this.fixed] : [this.longitude, this.latitude];
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
  }

  /** Puts the camera where the numbers say. */
  update(): void {
    const [longitude, latitude] = this.direction();
    const away = new Vector3(Math.cos(latitude) * Math.cos(longitude), Math.cos(latitude) * Math.sin(longitude), Math.sin(latitude));
    const camera = this.camera;
    camera.up.set(0, 0, 1);
    camera.position.copy(this.focus).addScaledVector(away, this.fixed ? 50 : this.distance);
    camera.lookAt(this.focus);
    if (this.fixed) {
      const half = this.distance * 0.6;
      this.flat.left = -half * this.aspect;
      this.flat.right = half * this.aspect;
      this.flat.top = half;
      this.flat.bottom = -half;
      this.flat.updateProjectionMatrix();
    } else {
      this.perspective.aspect = this.aspect;
      this.perspective.updateProjectionMatrix();
    }
    camera.updateMatrixWorld();
  }

  /** Forward and left over the ground, as seen. */
  axes(): { forward: Vector3; left: Vector3 } {
    const [longitude] = this.direction();
    const forward = new Vector3(-Math.cos(longitude), -Math.sin(longitude), 0);
    return { forward, left: new Vector3(-forward.y, forward.x, 0) };
  }

  orbit(dx: number, dy: number, fine: boolean): void {
    const rate = fine ? 0.001 : 0.006;
    this.longitude -= dx * rate;
    this.latitude = Math.min(MOST_LATITUDE, Math.max(-MOST_LATITUDE, this.latitude + dy * rate));
  }

  /** The ground follows the mouse. */
  pan(dx: number, dy: number, fine: boolean): void {
    const rate = this.distance * (fine ? 0.0003 : 0.0015);
    const { forward, left } = this.axes();
    const upright = this.fixed === 'front' || this.fixed === 'left';
    this.focus.addScaledVector(left, dx * rate).addScaledVector(upright ? UP : forward, dy * rate);
  }

  zoom(by: number, fine: boolean): void {
    this.distance = Math.min(60, Math.max(0.15, this.distance * Math.exp(by * (fine ? 0.02 : 0.12))));
  }

  press(key: string): boolean {
    const name = key.toLowerCase();
    if (!HELD.has(name)) return false;
    this.held.add(name);
    return true;
  }

  release(key: string): void {
    this.held.delete(key.toLowerCase());
  }

  releaseAll(): void {
    this.held.clear();
  }

  get moving(): boolean {
    return this.held.size > 0;
  }

  /** Moves on by the keys that are held down. */
  advance(seconds: number, fine: boolean): void {
    const far = this.distance * seconds * (fine ? 0.15 : 0.9);
    const { forward, left } = this.axes();
    const on = (key: string): number => (this.held.has(key) ? 1 : 0);
    this.focus.addScaledVector(forward, (on('w') - on('s')) * far).addScaledVector(left, (on('a') - on('d')) * far);
    this.focus.z += (on('q') - on('z')) * far;
    this.zoom((on('e') - on('c')) * seconds * 10, fine);
  }
}

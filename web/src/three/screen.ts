import {
  AmbientLight,
  Color,
  DirectionalLight,
  Fog,
  GridHelper,
  Mesh,
  MeshBasicMaterial,
  Scene,
  SphereGeometry,
  Sprite,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Box3,
  type Raycaster,
} from 'three';
import { FocusCamera } from './camera';
import { fitLabel, labelsIn, LabelSheet } from './label';
import type { Colours, ViewFrom } from './told';

/** How far about the vertical from where the robot looks, and how high. */
const VIEW_FROM: Record<ViewFrom, [number, number]> = {
  front: [0, 0.15],
  behind: [Math.PI, 0.25],
  left: [Math.PI / 2, 0.1],
  right: [-Math.PI / 2, 0.1],
  above: [Math.PI, 1.5],
  corner: [Math.PI * -0.72, 0.28],
};
/** So long after the camera was moved. */
const FOCUS_SHOWN_MS = 900;

/** One picture on the canvas, as shares of it from its top left. */
interface Part {
  camera: FocusCamera;
  x: number;
  y: number;
  size: number;
}

/** The canvas: the cameras that look at the scene, and how it is drawn on it. */
export class Screen {
  readonly scene = new Scene();
  readonly renderer: WebGLRenderer;
  readonly labels: LabelSheet;
  readonly camera = new FocusCamera();
  /** Of four views: above, front and left, about the same focus. */
  private readonly sides = (['above', 'front', 'left'] as const).map((side) => {
    const camera = new FocusCamera(this.camera.focus);
    camera.fixed = side;
    return camera;
  });
  four = false;
  showLabels = true;
  /** A headset draws the scene. */
  lent = false;
  private readonly focusBall: Mesh;
  /** When the camera was moved last: the focus point is shown for a moment. */
  private movedMs = -1e9;
  private grid: GridHelper | null = null;
  private fog: Fog | null = null;
  private dirty = true;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: window.devicePixelRatio < 2 && !navigator.webdriver, powerPreference: 'low-power', stencil: true });
    this.labels = new LabelSheet(canvas);
    this.focusBall = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xe5484d }));
    this.focusBall.name = 'focus point';
    this.focusBall.visible = false;
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(2, -3, 5);
    const fill = new DirectionalLight(0xbfd4e6, 0.8);
    fill.position.set(-3, 2, 2);
    this.scene.add(new AmbientLight(0xffffff, 1.3), sun, fill, this.focusBall);
  }

  setColours(colours: Colours): void {
    const background = new Color(colours.background);
    this.scene.background = background;
    this.fog = new Fog(background, 14, 40);
    if (this.grid) this.scene.remove(this.grid);
    this.grid = new GridHelper(40, 80, new Color(colours.gridStrong), new Color(colours.grid));
    this.grid.rotation.x = Math.PI / 2;
    this.scene.add(this.grid);
    this.invalidate();
  }

  invalidate(): void {
    this.dirty = true;
  }

  /** Whether there is something new to draw by this time; `take` when it is about to be. */
  changed(nowMs: number): boolean {
    return this.dirty || this.focused(nowMs) !== this.focusBall.visible;
  }

  take(nowMs: number): void {
    this.dirty = false;
    this.focusBall.visible = this.focused(nowMs);
    this.focusBall.position.copy(this.camera.focus);
  }

  private focused(nowMs: number): boolean {
    return nowMs - this.movedMs < FOCUS_SHOWN_MS;
  }

  cameraMoved(): void {
    this.movedMs = performance.now();
    this.invalidate();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0 || this.lent) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    for (const camera of [this.camera, ...this.sides]) camera.resize(clientWidth, clientHeight);
    this.invalidate();
  }

  private parts(): Part[] {
    if (!this.four) return [{ camera: this.camera, x: 0, y: 0, size: 1 }];
    return [this.camera, ...this.sides].map((camera, index) => ({ camera, x: (index % 2) / 2, y: Math.floor(index / 2) / 2, size: 0.5 }));
  }

  /** `before`: what is drawn otherwise for each camera. */
  draw(before: (camera: FocusCamera) => void): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setScissorTest(this.four);
    this.labels.begin(clientWidth, clientHeight);
    const labels = labelsIn(this.scene);
    for (const { camera, x, y, size } of this.parts()) {
      if (camera !== this.camera) camera.distance = this.camera.distance;
      camera.update();
      before(camera);
      this.focusBall.scale.setScalar(camera.distance * 0.006);
      // A view without perspective is drawn from far away: it would lie in the fog.
      this.scene.fog = camera.fixed ? null : this.fog;
      if (this.grid) this.grid.visible = camera.fixed === null || camera.fixed === 'above';
      const box = [x * clientWidth, (1 - y - size) * clientHeight, size * clientWidth, size * clientHeight] as const;
      this.renderer.setViewport(...box);
      this.renderer.setScissor(...box);
      for (const sprite of labels) sprite.visible = false;
      this.renderer.render(this.scene, camera.camera);
      for (const sprite of labels) sprite.visible = true;
      if (this.showLabels) this.labels.write(labels, camera.camera, [x * clientWidth, y * clientHeight, size * clientWidth, size * clientHeight]);
    }
  }

  /** The camera whose picture is under the mouse; `kept`: a drag stays in the one where it began. */
  aim(ray: Raycaster, event: { clientX: number; clientY: number }, kept: FocusCamera | null): FocusCamera {
    const box = this.canvas.getBoundingClientRect();
    const at = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
    const parts = this.parts();
    const inside = parts.find(({ x, y, size }) => at.x >= x && at.x < x + size && at.y >= y && at.y < y + size);
    const { camera, x, y, size } = (kept ? parts.find((part) => part.camera === kept) : inside) ?? { camera: this.camera, x: 0, y: 0, size: 1 };
    camera.update();
    ray.setFromCamera(new Vector2(((at.x - x) / size) * 2 - 1, 1 - ((at.y - y) / size) * 2), camera.camera);
    return camera;
  }

  /** On the screen, in pixels of the page; tests press there. */
  project(point: Vector3): { x: number; y: number } {
    this.camera.update();
    const seen = point.clone().project(this.camera.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((seen.x + 1) / 2) * box.width, y: box.top + ((1 - seen.y) / 2) * box.height };
  }

  /** It fills the view. */
  frame(box: Box3): void {
    if (box.isEmpty()) return;
    box.getCenter(this.camera.focus);
    this.camera.distance = Math.max(0.6, box.getSize(new Vector3()).length() * 1.5);
    this.cameraMoved();
  }

  /** From a side of somebody who stands there and looks ahead. */
  lookFrom(side: ViewFrom, ahead: Vector3, box: Box3 | null): void {
    const [turned, latitude] = VIEW_FROM[side];
    Object.assign(this.camera, { longitude: Math.atan2(ahead.y, ahead.x) + turned, latitude });
    if (box) {
      box.getCenter(this.camera.focus);
      this.camera.distance = box.getSize(new Vector3()).length() * 1.6;
    }
    this.cameraMoved();
  }

  /** The map shows this much around a place. */
  showArea(centre: Vector3, size: [number, number]): void {
    this.camera.focus.set(centre.x, centre.y, this.camera.focus.z);
    this.camera.distance = Math.max(0.5, size[0], size[1]);
    this.invalidate();
  }

  /** A headset draws the scene from when it takes it until it gives it back. */
  lend(on: boolean): void {
    this.lent = on;
    this.focusBall.visible = !on;
    this.scene.fog = this.fog;
    if (this.grid) this.grid.visible = true;
    this.scene.traverse((part) => part instanceof Sprite && fitLabel(part, 1));
    this.resize();
  }

  dispose(): void {
    this.labels.remove();
    this.renderer.dispose();
  }
}

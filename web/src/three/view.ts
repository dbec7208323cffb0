import {
  AmbientLight, AxesHelper, Box3, Color, DirectionalLight, Fog, GridHelper, Group, type Matrix4, Mesh, MeshBasicMaterial, Object3D, Plane, Raycaster, Scene, SphereGeometry, Sprite,
  Vector2, Vector3, WebGLRenderer,
} from 'three';
import { cloud, robotState, type RobotState } from '../api/slots';
import type { DetectionView, ObjectView, PreviewView } from '../api/types';
import { AroundLayer } from './around';
import { MapBox } from './box';
import { FocusCamera } from './camera';
import { DetectionLayer } from './detections';
import { Frames } from './frames';
import { GhostLayer, surfaceAt, type Ghost } from './ghost';
import { Gizmo } from './gizmo';
import { areaOf, groundAt, type Area, type Ground } from './ground';
import { GoalLayer, type ShownStep } from './goalLayer';
import type { Goal } from './goals';
import type { Nudge } from './keys';
import { clear, CloudLayer, drawObject } from './layers';
import { fitLabel, label, labelsIn, LabelSheet } from './label';
import { sevenOf } from './pose';
import { PreviewLayer } from './preview';
import { PreviewRobot } from './previewRobot';
import { Pace } from './pace';
import type { Stage } from './stage';
import { GroundContact } from './shadow';
import { RobotModel } from './urdf';
import type { Vr } from './vr';
import { keepShaders } from './warm';
import { listenToTouch } from './touch';

export interface Options {
  topDown: boolean;
  four: boolean;
  showCloud: boolean;
  showFrames: boolean;
  showWorld: boolean;
  gizmo: boolean;
  together: boolean;
  showShadows: boolean;
  showLabels: boolean;
  /** The camera goes with the robot. */
  follow: boolean;
}

export interface Colours {
  background: string;
  grid: string;
  gridStrong: string;
}

export interface ViewEvents {
  /** A goal was dragged or nudged to another pose; answers whether it was taken. */
  goalMoved(node: string, settings: Record<string, unknown>): Promise<boolean>;
  /** A goal is being dragged: these settings it would have here. */
  goalDragged(node: string, settings: Record<string, unknown>): void;
  /** What is about to be placed was dragged or put somewhere: a pose in the world. */
  ghostMoved(pose: number[]): void;
  /** The right button was clicked without a drag. */
  menu(place: { x: number; y: number }, ground: Ground | null, goal: Goal | null): void;
  /** A box was dragged with the left button on the map. */
  box(place: { x: number; y: number }, area: Area): void;
}

// Before anything is made: z is up in this view.
Object3D.DEFAULT_UP.set(0, 0, 1);

export type ViewFrom = 'front' | 'behind' | 'left' | 'right' | 'above' | 'corner';

/** How far about the vertical from where the robot looks, and how high. */
const VIEW_FROM: Record<ViewFrom, [number, number]> = {
  front: [0, 0.15], behind: [Math.PI, 0.25], left: [Math.PI / 2, 0.1], right: [-Math.PI / 2, 0.1], above: [Math.PI, 1.5], corner: [Math.PI * -0.72, 0.28],
};
/** So long after the camera was moved. */
const FOCUS_SHOWN_MS = 900;

const GROUND = new Plane(new Vector3(0, 0, 1), 0);
/** Everything in the 3D view. Knows nothing of React: panels tell it what there is, it tells what was dragged. */
export class View {
  readonly camera = new FocusCamera();
  /** Of four views: above, front and left, about the same focus. */
  private readonly sides = (['above', 'front', 'left'] as const).map((side) => {
    const camera = new FocusCamera(this.camera.focus);
    camera.fixed = side;
    return camera;
  });
  /** The one under the mouse. */
  private under = this.camera;
  private button = -1;
  readonly gizmo = new Gizmo();
  private readonly scene = new Scene();
  private readonly renderer: WebGLRenderer;
  private robot: RobotModel | null = null;
  private readonly frames = new Frames();
  private readonly goals = new GoalLayer(this.frames, () => this.moveGoals());
  private readonly sceneLayer = new Group();
  private readonly preview = new PreviewLayer();
  private readonly previewRobot = new PreviewRobot(() => this.invalidate());
  private readonly frameLayer = new Group();
  readonly around = new AroundLayer();
  private readonly placing = new GhostLayer();
  private readonly detections = new DetectionLayer();
  /** Shown in place of the robot as it is now. */
  private past: RobotState | null = null;
  /** The robot as it was drawn last. */
  private posed: { robot: RobotModel; values: number[] } | null = null;
  private readonly clouds = new CloudLayer();
  private readonly box = new MapBox();
  private readonly pace = new Pace();
  private detail = true;
  private readonly contact = new GroundContact(this.frames);
  private readonly labels: LabelSheet;
  /** When the camera was moved last: the focus point is shown for a moment. */
  private movedMs = -1e9;
  private readonly focusBall: Mesh;
  private grid: GridHelper | null = null;
  private options: Options = { topDown: false, four: false, showCloud: true, showFrames: false, showWorld: true, gizmo: true, together: false, showShadows: true, showLabels: true, follow: false };
  private fog: Fog | null = null;
  private dirty = true;
  private seen = true;
  /** A headset draws the scene. */
  private lent = false;
  /** Whoever is in it. */
  vr: Vr | null = null;
  private ended = false;
  private lastMs = 0;
  private fine = false;
  private nudged: ReturnType<typeof setTimeout> | undefined;
  private readonly pointer = new Vector2();
  private readonly ray = new Raycaster();
  private readonly forget: (() => void)[] = [];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly events: ViewEvents,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: window.devicePixelRatio < 2 && !navigator.webdriver, powerPreference: 'low-power', stencil: true });
    this.labels = new LabelSheet(canvas);
    this.focusBall = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ color: 0xe5484d }));
    this.focusBall.name = 'focus point';
    this.focusBall.visible = false;
    this.scene.add(new AmbientLight(0xffffff, 1.3));
    const sun = new DirectionalLight(0xffffff, 2.2);
    sun.position.set(2, -3, 5);
    const fill = new DirectionalLight(0xbfd4e6, 0.8);
    fill.position.set(-3, 2, 2);
    this.scene.add(sun, this.contact.object, fill, this.goals.object, this.sceneLayer, this.preview.object, this.previewRobot.object, this.frameLayer, this.clouds.object, this.around.world, this.around.outlines, this.placing.object, this.detections.object, this.gizmo.object, this.focusBall);
    this.scene.add(keepShaders(), this.box.object);
    this.listen();
    this.frame = this.frame.bind(this);
    requestAnimationFrame(this.frame);
  }

  setRobot(urdf: string | null, joints: string[]): void {
    if (this.robot) this.scene.remove(this.robot.object);
    this.robot = urdf ? new RobotModel(urdf, joints) : null;
    if (this.robot) this.scene.add(this.robot.object);
    this.preview.setRobot(urdf ? new RobotModel(urdf, joints) : null);
    this.previewRobot.setRobot(urdf ? new RobotModel(urdf, joints) : null);
    this.frames.setRobot(this.robot);
    this.contact.setRobot(this.robot);
    this.takeState();
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

  setOptions(options: Options): void {
    this.options = options;
    this.camera.fixed = options.topDown ? 'above' : null;
    this.resize();
    this.showCloud();
    this.goals.together = options.together;
    this.contact.pose(options.showShadows ? (this.past ?? robotState.get()) : null);
    this.frameLayer.visible = options.showFrames;
    this.around.setShown(options.showWorld);
    this.drawFrames();
    this.placeGizmo();
    this.invalidate();
  }

  setSteps(steps: ShownStep[]): void {
    this.goals.setSteps(steps);
  }

  setScene(objects: ObjectView[]): void {
    this.frames.setObjects(objects);
    clear(this.sceneLayer);
    for (const object of objects) this.addTo(this.sceneLayer, drawObject(object));
    this.moveGoals();
  }

  setDetections(detections: DetectionView[]): void {
    this.detections.put(detections);
    this.invalidate();
  }

  setFrames(frames: { name: string; pose: number[] }[]): void {
    this.frames.setPoses(frames);
    this.moveGoals();
  }

  /** What is about to be placed has the gizmo. */
  setPlacing(ghost: Ghost | null): void {
    this.placing.put(ghost);
    this.placeGizmo();
  }

  /** Another moment of the run; none: live. */
  setPast(past: RobotState | null): void {
    this.past = past;
    this.showCloud();
    this.takeState();
  }

  /** Points are not kept: those of now would lie about a moment before. */
  private showCloud(): void {
    this.clouds.object.visible = this.options.showCloud && this.past === null;
  }

  setPreview(preview: PreviewView | null): void {
    this.preview.put(preview);
    this.invalidate();
  }

  setPlaying(on: boolean): void {
    this.preview.setPlaying(on);
    this.invalidate();
  }

  setPlay(share: number | null): void {
    this.preview.play(share);
    this.invalidate();
  }

  setSeen(seen: boolean): void {
    this.seen = seen;
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

  /** With less, light is simpler and every second point is left out: where software draws, that is what takes long. */
  private setDetail(full: boolean): void {
    if (full === this.detail) return;
    this.detail = full;
    this.robot?.setDetail(full);
    this.preview.setDetail(full);
    this.previewRobot.setDetail(full);
    this.clouds.setDetail(full);
  }

  /** What is drawn and where, as shares of the canvas from its top left. */
  private views(): { camera: FocusCamera; x: number; y: number; size: number }[] {
    if (!this.options.four) return [{ camera: this.camera, x: 0, y: 0, size: 1 }];
    return [this.camera, ...this.sides].map((camera, index) => ({ camera, x: (index % 2) / 2, y: Math.floor(index / 2) / 2, size: 0.5 }));
  }

  private draw(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.renderer.setScissorTest(this.options.four);
    this.labels.begin(clientWidth, clientHeight);
    const labels = labelsIn(this.scene);
    for (const { camera, x, y, size } of this.views()) {
      if (camera !== this.camera) camera.distance = this.camera.distance;
      camera.update();
      this.gizmo.update(camera);
      this.focusBall.scale.setScalar(camera.distance * 0.006);
      // A view without perspective is drawn from far away: it would lie in the fog.
      this.scene.fog = camera.fixed ? null : this.fog;
      if (this.grid) this.grid.visible = camera.fixed === null || camera.fixed === 'above';
      this.around.outlines.visible = camera.fixed === 'above';
      const box = [x * clientWidth, (1 - y - size) * clientHeight, size * clientWidth, size * clientHeight] as const;
      this.renderer.setViewport(...box);
      this.renderer.setScissor(...box);
      for (const sprite of labels) sprite.visible = false;
      this.renderer.render(this.scene, camera.camera);
      for (const sprite of labels) sprite.visible = true;
      if (this.options.showLabels) this.labels.write(labels, camera.camera, [x * clientWidth, y * clientHeight, size * clientWidth, size * clientHeight]);
    }
  }

  /** Ends a drag without its effect; true if there was one. */
  cancel(): boolean {
    if (!this.gizmo.cancel() && !this.box.cancel()) return false;
    this.button = -1;
    this.moveGoals();
    const active = this.goals.active?.goal.node;
    // The ghost goes back, too.
    if (active !== undefined && !this.placing.worldFromGhost) this.events.goalDragged(active, {});
    return true;
  }

  lookAt(point: Vector3): void {
    this.camera.focus.copy(point);
    this.invalidate();
  }

  /** What is selected fills the view; with nothing selected, the robot. */
  frameSelection(): void {
    const box = new Box3();
    for (const object of this.goals.litObjects()) box.expandByObject(object);
    if (box.isEmpty() && this.robot) box.setFromObject(this.robot.object);
    if (box.isEmpty()) return;
    box.getCenter(this.camera.focus);
    this.camera.distance = Math.max(0.6, box.getSize(new Vector3()).length() * 1.5);
    this.cameraMoved();
  }

  /** From a side of the robot, wherever it stands and whatever way it looks. */
  lookFrom(side: ViewFrom): void {
    const walking = this.frames.find('walking');
    const ahead = walking ? new Vector3(1, 0, 0).transformDirection(walking) : new Vector3(1, 0, 0);
    const yaw = Math.atan2(ahead.y, ahead.x);
    const [turned, latitude] = VIEW_FROM[side];
    Object.assign(this.camera, { longitude: yaw + turned, latitude });
    if (this.robot) {
      const box = new Box3().setFromObject(this.robot.object);
      box.getCenter(this.camera.focus);
      this.camera.distance = box.getSize(new Vector3()).length() * 1.6;
    }
    this.cameraMoved();
  }

  private cameraMoved(): void {
    this.movedMs = performance.now();
    this.invalidate();
  }

  /** What is drawn, for whoever lists it. */
  counts(): Record<'objects' | 'detections' | 'solids' | 'goals' | 'points' | 'labels', number> {
    return {
      objects: this.sceneLayer.children.length,
      detections: this.detections.object.children.length,
      solids: this.around.world.children.length,
      goals: this.goals.object.children.length,
      points: cloud.get()?.count ?? 0,
      labels: this.labels.written.length,
    };
  }

  invalidate(): void {
    this.dirty = true;
  }

  /** On the screen, in pixels of the page; tests press there. */
  project(point: Vector3): { x: number; y: number } {
    this.camera.update();
    const seen = point.clone().project(this.camera.camera);
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + ((seen.x + 1) / 2) * box.width, y: box.top + ((1 - seen.y) / 2) * box.height };
  }

  /** The scene for a headset, which draws it from when it takes it until it gives it back. */
  stage(): Stage {
    return {
      scene: this.scene,
      renderer: this.renderer,
      gizmo: this.gizmo,
      camera: this.camera,
      pick: (ray) => this.goals.pick(ray),
      choose: (goal) => this.setActive(goal),
      put: (worldFromGoal) => this.goalAt(worldFromGoal),
      followGizmo: () => this.followGizmo(),
      ground: (world, yaw) => groundAt(this.frames, world, yaw),
      lend: (on) => {
        this.lent = on;
        this.focusBall.visible = !on;
        this.scene.fog = this.fog;
        if (this.grid) this.grid.visible = true;
        this.scene.traverse((part) => part instanceof Sprite && fitLabel(part, 1));
        this.resize();
      },
    };
  }

  dispose(): void {
    this.ended = true;
    for (const forget of this.forget) forget();
    this.previewRobot.forget();
    this.labels.remove();
    this.renderer.dispose();
  }

  private addTo(group: Group, object: Object3D | null): void {
    if (object) group.add(object);
  }

  private takeState(): void {
    const state = this.past ?? robotState.get();
    // A robot that stands still is told 30 times a second all the same: nothing is drawn for it.
    if (this.robot && this.robot === this.posed?.robot && state && same(this.posed.values, [...state.base, ...state.joints])) return;
    if (this.robot) {
      this.robot.object.visible = state !== null;
      if (state) this.robot.pose(state.base, state.joints);
    }
    this.contact.pose(this.options.showShadows ? state : null);
    this.followRobot(state);
    this.posed = this.robot && state && { robot: this.robot, values: [...state.base, ...state.joints] };
    this.invalidate();
  }

  /** As far over the ground as the robot went. */
  private followRobot(state: RobotState | null): void {
    const was = this.posed?.values;
    if (!this.options.follow || !state || !was) return;
    this.camera.focus.x += (state.base[0] ?? 0) - (was[0] ?? 0);
    this.camera.focus.y += (state.base[1] ?? 0) - (was[1] ?? 0);
  }

  private moveGoals(): void {
    this.goals.follow();
    this.followGizmo();
    this.placeGizmo();
    this.drawFrames();
    this.invalidate();
  }

  private drawFrames(): void {
    clear(this.frameLayer);
    if (!this.options.showFrames) return;
    for (const [name, pose] of this.frames.all()) {
      const axes = new AxesHelper(0.12);
      pose.decompose(axes.position, axes.quaternion, new Vector3());
      const text = label(name, '#c3cbd3', 0.018);
      text.position.z = 0.03;
      axes.add(text);
      this.frameLayer.add(axes);
    }
  }

  private placeGizmo(): void {
    const placed = this.placing.worldFromGhost;
    if (placed) {
      this.gizmo.show(placed);
    } else {
      this.gizmo.show(this.options.gizmo ? this.goals.worldFromActive() : null, this.goals.active?.goal.axes);
    }
    this.invalidate();
  }

  private goalAt(worldFromGoal: Matrix4): void {
    if (this.placing.worldFromGhost) this.events.ghostMoved(sevenOf(worldFromGoal));
    else this.goals.put(worldFromGoal, (node, settings) => this.events.goalMoved(node, settings));
  }

  private frame(nowMs: number): void {
    if (this.ended) return;
    requestAnimationFrame(this.frame);
    const seconds = Math.min(0.1, (nowMs - this.lastMs) / 1000);
    this.lastMs = nowMs;
    if (this.camera.moving) {
      this.camera.advance(seconds, this.fine);
      this.cameraMoved();
    }
    if (this.preview.advance(seconds)) this.dirty = true;
    if (!this.seen || this.lent) return;
    const focused = nowMs - this.movedMs < FOCUS_SHOWN_MS;
    if (focused !== this.focusBall.visible) this.dirty = true;
    const full = this.pace.next(nowMs, this.dirty);
    if (full === null) return;
    this.dirty = false;
    this.setDetail(full);
    this.focusBall.visible = focused;
    this.focusBall.position.copy(this.camera.focus);
    this.draw();
  }

  private aim(event: { clientX: number; clientY: number }): void {
    const box = this.canvas.getBoundingClientRect();
    const at = { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
    const views = this.views();
    const inside = views.find(({ x, y, size }) => at.x >= x && at.x < x + size && at.y >= y && at.y < y + size);
    // A drag stays in the view where it began.
    const view = (this.button >= 0 ? views.find(({ camera }) => camera === this.under) : inside) ?? views[0];
    if (!view) return;
    this.under = view.camera;
    this.pointer.set(((at.x - view.x) / view.size) * 2 - 1, 1 - ((at.y - view.y) / view.size) * 2);
    this.under.update();
    this.gizmo.update(this.under);
    this.gizmo.object.updateMatrixWorld(true);
    this.ray.setFromCamera(this.pointer, this.under.camera);
  }

  private on<K extends keyof HTMLElementEventMap>(target: HTMLElement | Window, name: K, act: (event: HTMLElementEventMap[K]) => void, passive = true): void {
    target.addEventListener(name, act as EventListener, { passive });
    this.forget.push(() => target.removeEventListener(name, act as EventListener));
  }

  private listen(): void {
    this.on(window, 'keydown', (event) => {
      if (event.target !== this.canvas) this.pace.key(performance.now());
    });
    this.forget.push(robotState.listen(() => this.takeState()));
    this.forget.push(cloud.listen(() => {
      this.clouds.put(cloud.get());
      this.invalidate();
    }));
    this.clouds.put(cloud.get());
    this.forget.push(listenToTouch(this.canvas, this.camera, () => this.invalidate()));
    let moved = 0;
    this.on(this.canvas, 'pointerdown', (event) => {
      this.canvas.focus();
      this.canvas.setPointerCapture(event.pointerId);
      this.endNudge();
      this.aim(event);
      this.button = event.button;
      moved = 0;
      this.gizmo.hover(this.ray);
      if (this.button === 0 && !this.gizmo.begin(this.ray.ray, this.under.camera, event.shiftKey) && this.under.fixed === 'above') this.dragBox();
    });
    this.on(this.canvas, 'pointermove', (event) => {
      this.aim(event);
      if (this.button < 0) {
        const before = this.gizmo.hovered;
        if (this.gizmo.hover(this.ray) !== before) this.invalidate();
        return;
      }
      moved += Math.abs(event.movementX) + Math.abs(event.movementY);
      if (this.gizmo.dragging) {
        this.gizmo.move(this.ray.ray, this.under.camera);
        this.followGizmo();
      } else if (this.box.dragging) this.dragBox();
      else if (this.button === 0 && !this.under.fixed) {
        this.under.orbit(event.movementX, event.movementY, event.shiftKey);
        this.cameraMoved();
      } else if (this.button === 1 || (this.button === 0 && this.under.fixed)) {
        this.under.pan(event.movementX, event.movementY, event.shiftKey);
        this.cameraMoved();
      }
      this.invalidate();
    });
    this.on(this.canvas, 'pointerup', (event) => {
      this.aim(event);
      const dragged = this.gizmo.end();
      const box = this.box.end();
      if (dragged && moved > 0) this.goalAt(dragged);
      else if (box && moved >= 4) this.events.box({ x: event.clientX, y: event.clientY }, areaOf(this.frames, box));
      else if (this.button === 0 && moved < 4) this.choose();
      if (this.button === 2 && moved < 4) this.openMenu(event);
      this.button = -1;
      this.invalidate();
    });
    this.on(this.canvas, 'pointercancel', () => {
      this.cancel();
      this.button = -1;
    });
    this.on(
      this.canvas,
      'contextmenu',
      (event) => {
        event.preventDefault();
        // The finger that rests; the right button opens it when it is let go.
        if (this.button !== 0 || moved > 10) return;
        this.cancel();
        this.button = -1;
        this.openMenu(event);
      },
      false,
    );
    this.on(
      this.canvas,
      'wheel',
      (event) => {
        event.preventDefault();
        const by = Math.sign(event.deltaY);
        if (event.ctrlKey && this.gizmo.object.visible) this.nudge({ turn: [0, 0, by] }, event.shiftKey);
        else {
          this.camera.zoom(by, event.shiftKey);
          this.cameraMoved();
        }
        this.invalidate();
      },
      false,
    );
    this.on(this.canvas, 'blur', () => {
      this.camera.releaseAll();
      this.endNudge();
    });
    this.on(this.canvas, 'keyup', (event) => {
      this.fine = event.shiftKey;
      this.camera.release(event.key);
      if (event.key.startsWith('Arrow')) this.endNudge();
    });
  }

  private openMenu(event: MouseEvent): void {
    const world = this.ray.ray.intersectPlane(GROUND, new Vector3());
    const goal = this.gizmo.hovered ? (this.goals.active?.goal ?? null) : this.goals.pick(this.ray);
    this.events.menu({ x: event.clientX, y: event.clientY }, world && groundAt(this.frames, world), goal);
  }

  private dragBox(): void {
    const at = this.ray.ray.intersectPlane(GROUND, new Vector3());
    if (!at) return;
    if (this.box.dragging) this.box.move(at);
    else this.box.begin(at);
  }

  /** The map shows this much around a place. */
  showArea(centre: Vector3, size: [number, number]): void {
    this.camera.focus.set(centre.x, centre.y, this.camera.focus.z);
    this.camera.distance = Math.max(0.5, size[0], size[1]);
    this.invalidate();
  }

  private choose(): void {
    if (this.placing.worldFromGhost) {
      this.putGhost();
      return;
    }
    const goal = this.goals.pick(this.ray);
    if (goal) this.setActive(goal);
  }

  private setActive(goal: Goal): void {
    this.goals.choose(goal);
    this.placeGizmo();
  }

  /** Onto what is under the mouse: a seen point, a surface, else the ground. */
  private putGhost(): void {
    const at = surfaceAt(this.ray, this.clouds.object, this.around.world) ?? this.ray.ray.intersectPlane(GROUND, new Vector3());
    const ghost = this.placing.worldFromGhost;
    if (at && ghost) this.events.ghostMoved(sevenOf(ghost.setPosition(at.x, at.y, at.z + this.placing.above)));
  }

  /** What is dragged is seen where it is dragged to. */
  private followGizmo(): void {
    if (!this.gizmo.dragging) return;
    this.goals.show(this.gizmo.pose);
    if (this.placing.worldFromGhost) return;
    const active = this.goals.active?.goal.node;
    const settings = this.goals.settingsAt(this.gizmo.pose);
    if (active !== undefined && settings) this.events.goalDragged(active, settings);
  }

  /** A key held down moves on and on: one edit when it is let go, not one each time. */
  private nudge(by: Nudge, fine: boolean): void {
    if (!this.gizmo.dragging) this.gizmo.take();
    this.gizmo.nudge(by, this.camera, fine);
    this.followGizmo();
    this.invalidate();
    clearTimeout(this.nudged);
    this.nudged = setTimeout(() => this.endNudge(), 400);
  }

  private endNudge(): void {
    clearTimeout(this.nudged);
    if (this.nudged === undefined) return;
    this.nudged = undefined;
    const to = this.gizmo.end();
    if (to) this.goalAt(to);
  }

  /** Whether the key was for the view. */
  key(event: KeyboardEvent, nudge: Nudge | null): boolean {
    this.fine = event.shiftKey;
    if (nudge && this.gizmo.object.visible) {
      this.nudge(nudge, event.shiftKey);
      return true;
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const taken = this.camera.press(event.key);
    if (taken) this.invalidate();
    return taken;
  }
}

/** Less than a pixel. */
const same = (a: number[], b: number[]): boolean => a.length === b.length && a.every((value, index) => Math.abs(value - (b[index] ?? 0)) < 1e-4);

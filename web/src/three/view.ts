import { AxesHelper, Box3, Group, Object3D, Vector3, type Matrix4 } from 'three';
import { cloud, robotState, type RobotState } from '../api/slots';
import type { BodyView, DetectionView, ObjectView, PreviewView } from '../api/types';
import { AroundLayer } from './around';
import type { FocusCamera } from './camera';
import { DetectionLayer } from './detections';
import { ForceLayer } from './forces';
import { Frames } from './frames';
import { GhostLayer, type Ghost } from './ghost';
import { Gizmo } from './gizmo';
import { groundAt } from './ground';
import { GoalLayer, type ShownStep } from './goalLayer';
import type { Goal } from './goals';
import type { Nudge } from './keys';
import { clear, CloudLayer, drawObject } from './layers';
import { label } from './label';
import { Pace } from './pace';
import { Pointing } from './pointing';
import { sevenOf } from './pose';
import { PreviewLayer } from './preview';
import { PreviewRobot } from './previewRobot';
import { Screen } from './screen';
import { GroundContact } from './shadow';
import type { Stage } from './stage';
import type { Colours, LinkPicker, Options, ViewEvents, ViewFrom } from './told';
import { RobotModel } from './urdf';
import type { Vr } from './vr';
import { keepShaders } from './warm';

// Before anything is made: z is up in this view.
Object3D.DEFAULT_UP.set(0, 0, 1);

/** Everything in the 3D view. Knows nothing of React: panels tell it what there is, it tells what was dragged. */
export class View {
  readonly gizmo = new Gizmo();
  private readonly screen: Screen;
  private readonly pointing: Pointing;
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
  private readonly forces = new ForceLayer();
  /** Shown in place of the robot as it is now. */
  private past: RobotState | null = null;
  /** The robot as it was drawn last. */
  private posed: { robot: RobotModel; values: number[] } | null = null;
  private readonly clouds = new CloudLayer();
  private readonly pace = new Pace();
  private detail = true;
  private readonly contact = new GroundContact(this.frames);
  private options: Options = {
    topDown: false,
    four: false,
    showCloud: true,
    showFrames: false,
    showWorld: true,
    gizmo: true,
    together: false,
    showShadows: true,
    showLabels: true,
    showForces: true,
    follow: false,
  };
  private seen = true;
  private picker: LinkPicker | null = null;
  private painted: [ReadonlyMap<string, number> | null, ReadonlySet<string>] = [null, new Set()];
  /** Whoever is in the headset. */
  vr: Vr | null = null;
  private ended = false;
  private meshTimer = 0;
  private lastMs = 0;
  private readonly forget: (() => void)[] = [];

  constructor(
    canvas: HTMLCanvasElement,
    private readonly events: ViewEvents,
  ) {
    this.screen = new Screen(canvas);
    this.pointing = new Pointing(canvas, this.screen, {
      gizmo: this.gizmo,
      goals: this.goals,
      placing: this.placing,
      frames: this.frames,
      points: this.clouds.object,
      world: this.around.world,
      events,
      picker: () => this.picker,
      linkAt: (ray) => this.robot?.linkAt(ray) ?? null,
      choose: (goal) => this.setActive(goal),
      follow: () => this.followGizmo(),
      put: (worldFromGoal) => this.goalAt(worldFromGoal),
      putBack: () => this.putBack(),
    });
    const layers = [
      this.contact,
      this.goals,
      this.preview,
      this.previewRobot,
      this.clouds,
      this.placing,
      this.detections,
      this.forces,
      this.gizmo,
      this.pointing.box,
    ];
    this.screen.scene.add(...layers.map(({ object }) => object), this.sceneLayer, this.frameLayer, this.around.world, this.around.outlines, keepShaders());
    this.listen(canvas);
    this.frame = this.frame.bind(this);
    requestAnimationFrame(this.frame);
  }

  get camera(): FocusCamera {
    return this.screen.camera;
  }

  setRobot(urdf: string | null, joints: string[]): void {
    if (this.robot) this.screen.scene.remove(this.robot.object);
    const problems = new Set<string>();
    const made = (came: (problem: string | null) => void): RobotModel | null => (urdf ? new RobotModel(urdf, joints, came) : null);
    const redraw = (): void => this.invalidate();
    try {
      this.robot = made((problem) => {
        if (problem) problems.add(problem);
        this.meshesCame(problems);
      });
      this.preview.setRobot(made(redraw));
      this.previewRobot.setRobot(made(redraw));
    } catch (error) {
      this.robot = null;
      this.events.notDrawn(`This robot cannot be drawn: ${String(error)}`);
    }
    if (this.robot) this.screen.scene.add(this.robot.object);
    this.robot?.paint(...this.painted);
    this.frames.setRobot(this.robot);
    this.contact.setRobot(this.robot);
    this.takeState();
  }

  /** Many come at once: what follows from them is done once. */
  private meshesCame(problems: ReadonlySet<string>): void {
    clearTimeout(this.meshTimer);
    this.meshTimer = window.setTimeout(() => {
      this.contact.setRobot(this.robot);
      this.posed = null;
      this.takeState();
      if (problems.size === 0) return;
      const [first] = problems;
      const more = problems.size > 1 ? ` And ${problems.size - 1} more.` : '';
      this.events.notDrawn(`A mesh of the robot is not shown. ${first}${more}`);
    }, 100);
  }

  /** Links of the robot in colours of their own, those that are lit brighter; none: as they look. */
  paintRobot(colours: ReadonlyMap<string, number> | null, lit: ReadonlySet<string>): void {
    this.painted = [colours, lit];
    this.robot?.paint(colours, lit);
    this.invalidate();
  }

  /** A click on a link goes to whoever wants one. */
  pickLinks(picker: LinkPicker | null): void {
    this.picker = picker;
  }

  setColours(colours: Colours): void {
    this.screen.setColours(colours);
  }

  setOptions(options: Options): void {
    this.options = options;
    this.camera.fixed = options.topDown ? 'above' : null;
    this.screen.four = options.four;
    this.screen.showLabels = options.showLabels;
    this.resize();
    this.showCloud();
    this.goals.together = options.together;
    this.contact.pose(options.showShadows ? (this.past ?? robotState.get()) : null);
    this.frameLayer.visible = options.showFrames;
    this.forces.object.visible = options.showForces && this.past === null;
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

  /** What it feels, with the joints that have much to do. */
  setForces(body: BodyView | null, loaded: { joint: string; level: 'warn' | 'bad' }[]): void {
    const at = loaded.flatMap(({ joint, level }) => {
      const placed = this.robot?.joint(joint);
      return placed ? [{ at: new Vector3().setFromMatrixPosition(placed.matrixWorld), level }] : [];
    });
    if (this.forces.put(body, at)) this.invalidate();
  }

  /** Another moment of the run; none: live. */
  setPast(past: RobotState | null): void {
    this.past = past;
    this.forces.object.visible = this.options.showForces && past === null;
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
    this.screen.resize();
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

  private draw(): void {
    this.screen.draw((camera) => {
      this.gizmo.update(camera);
      this.around.outlines.visible = camera.fixed === 'above';
    });
  }

  /** Ends a drag without its effect; true if there was one. */
  cancel(): boolean {
    return this.pointing.cancel();
  }

  private putBack(): void {
    this.moveGoals();
    const active = this.goals.active?.goal.node;
    // The ghost goes back, too.
    if (active !== undefined && !this.placing.worldFromGhost) this.events.goalDragged(active, {});
  }

  lookAt(point: Vector3): void {
    this.camera.focus.copy(point);
    this.invalidate();
  }

  /** What is selected fills the view; with nothing selected, the robot. */
  frameSelection(): void {
    const box = new Box3();
    for (const object of this.goals.litObjects()) box.expandByObject(object);
    this.screen.frame(box.isEmpty() ? (this.robotBox() ?? box) : box);
  }

  /** From a side of the robot, wherever it stands and whatever way it looks. */
  lookFrom(side: ViewFrom): void {
    const walking = this.frames.find('walking');
    const ahead = new Vector3(1, 0, 0);
    if (walking) ahead.transformDirection(walking);
    this.screen.lookFrom(side, ahead, this.robotBox());
  }

  /** None before something of it can be drawn: to look at an empty box is to look at nothing, for good. */
  private robotBox(): Box3 | null {
    const box = this.robot && new Box3().setFromObject(this.robot.object);
    return box?.isEmpty() ? null : box;
  }

  /** The map shows this much around a place. */
  showArea(centre: Vector3, size: [number, number]): void {
    this.screen.showArea(centre, size);
  }

  /** What is drawn, for whoever lists it. */
  counts(): Record<'objects' | 'detections' | 'solids' | 'goals' | 'points' | 'labels', number> {
    return {
      objects: this.sceneLayer.children.length,
      detections: this.detections.object.children.length,
      solids: this.around.world.children.length,
      goals: this.goals.object.children.length,
      points: cloud.get()?.count ?? 0,
      labels: this.screen.labels.written.length,
    };
  }

  invalidate(): void {
    this.screen.invalidate();
  }

  /** On the screen, in pixels of the page; tests press there. */
  project(point: Vector3): { x: number; y: number } {
    return this.screen.project(point);
  }

  /** The scene for a headset, which draws it from when it takes it until it gives it back. */
  stage(): Stage {
    return {
      scene: this.screen.scene,
      renderer: this.screen.renderer,
      gizmo: this.gizmo,
      camera: this.camera,
      pick: (ray) => this.goals.pick(ray),
      choose: (goal) => this.setActive(goal),
      put: (worldFromGoal) => this.goalAt(worldFromGoal),
      followGizmo: () => this.followGizmo(),
      ground: (world, yaw) => groundAt(this.frames, world, yaw),
      lend: (on) => this.screen.lend(on),
    };
  }

  dispose(): void {
    this.ended = true;
    clearTimeout(this.meshTimer);
    for (const forget of this.forget) forget();
    this.pointing.dispose();
    this.previewRobot.forget();
    this.screen.dispose();
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
    this.pointing.advance(seconds);
    if (this.preview.advance(seconds)) this.invalidate();
    if (!this.seen || this.screen.lent) return;
    const full = this.pace.next(nowMs, this.screen.changed(nowMs));
    if (full === null) return;
    this.setDetail(full);
    this.screen.take(nowMs);
    this.draw();
  }

  private listen(canvas: HTMLCanvasElement): void {
    const pressed = (event: KeyboardEvent): void => {
      if (event.target !== canvas) this.pace.key(performance.now());
    };
    window.addEventListener('keydown', pressed, { passive: true });
    this.forget.push(() => window.removeEventListener('keydown', pressed));
    this.forget.push(robotState.listen(() => this.takeState()));
    this.forget.push(
      cloud.listen(() => {
        this.clouds.put(cloud.get());
        this.invalidate();
      }),
    );
    this.clouds.put(cloud.get());
  }

  private setActive(goal: Goal): void {
    this.goals.choose(goal);
    this.placeGizmo();
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

  /** Whether the key was for the view. */
  key(event: KeyboardEvent, nudge: Nudge | null): boolean {
    return this.pointing.key(event, nudge);
  }
}

/** Less than a pixel. */
const same = (a: number[], b: number[]): boolean => a.length === b.length && a.every((value, index) => Math.abs(value - (b[index] ?? 0)) < 1e-4);

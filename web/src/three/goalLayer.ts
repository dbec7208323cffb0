import { Group, type Matrix4, type Raycaster, Vector3, type Object3D } from 'three';
import type { NodeView } from '../api/types';
import type { Frames } from './frames';
import type { NodeType } from '../panels/settings/schema';
import { goalsOf, settingsFor, settingsOf, type Goal } from './goals';
import { drawGoal, placeGoal as place } from './drawGoal';
import { clear } from './layers';
import { matrixOf, settingOf, type PoseSetting } from './pose';

/** A step whose goals are drawn. */
export interface ShownStep {
  node: NodeView;
  type: NodeType | undefined;
  lit: boolean;
}

interface Drawn {
  goal: Goal;
  step: ShownStep;
  object: Object3D;
}

/** A goal was put to another pose; answers whether it was taken. */
type Moved = (node: string, settings: Record<string, unknown>) => Promise<boolean>;

/** The goals of steps, in their frames; one of those of the lit steps is the active one. */
export class GoalLayer {
  readonly object = new Group();
  private steps: ShownStep[] = [];
  /** The steps as they were told last. */
  private told: ShownStep[] = [];
  private drawn: Drawn[] = [];
  /** By node, what was put elsewhere and is not answered yet. */
  private readonly ahead = new Map<string, { settings: Record<string, unknown>; number: number }>();
  private puts = 0;
  private chosen: string | null = null;
  /** All entries of the active goal's list move with it. */
  together = false;

  constructor(
    private readonly frames: Frames,
    /** Goals were drawn anew. */
    private readonly changed: () => void,
  ) {}

  setSteps(steps: ShownStep[]): void {
    this.told = steps;
    this.lookAhead();
  }

  /** What is told may be of before the last that was put: a key that is pressed next moves on from what was put. */
  private lookAhead(): void {
    this.steps = this.told.map((step) => {
      const ahead = this.ahead.get(step.node.id);
      return ahead ? { ...step, node: { ...step.node, settings: { ...step.node.settings, ...ahead.settings } } } : step;
    });
    this.draw();
  }

  choose(goal: Goal): void {
    this.chosen = nameOf(goal);
  }

  get active(): Drawn | null {
    const own = this.drawn.filter(({ step }) => step.lit);
    return own.find(({ goal }) => nameOf(goal) === this.chosen) ?? own[0] ?? null;
  }

  /** Those of the selected steps that are shown. */
  litObjects(): Object3D[] {
    return this.drawn.filter(({ step, object }) => step.lit && object.visible).map(({ object }) => object);
  }

  /** Of the active goal; none: there is none, or its frame is not there. */
  worldFromActive(): Matrix4 | null {
    const active = this.active;
    return active && this.worldFrom(active.goal);
  }

  /** What the pose of a goal is seen from; none: that is not there. */
  private seat(goal: Goal): Matrix4 | null {
    const frame = this.frames.find(goal.frame);
    if (!frame) return null;
    if (goal.origin !== null) {
      const origin = this.frames.find(goal.origin);
      return origin && frame.clone().setPosition(new Vector3().setFromMatrixPosition(origin));
    }
    return goal.from ? frame.clone().multiply(matrixOf(goal.from)) : frame.clone();
  }

  /** The pose of a goal as it stands, with what its settings leave to where the body is. */
  private whole(goal: Goal, seat: Matrix4): PoseSetting {
    const now = goal.now === null ? null : this.frames.find(goal.now);
    return now ? { ...settingOf(seat.clone().invert().multiply(now)), ...goal.pose } : goal.pose;
  }

  private worldFrom(goal: Goal): Matrix4 | null {
    const seat = this.seat(goal);
    return seat?.clone().multiply(matrixOf(this.whole(goal, seat))) ?? null;
  }

  /** The settings that the active goal's step would have with it there, or with all of its list moved as far. */
  settingsAt(worldFromGoal: Matrix4): Record<string, unknown> | null {
    const active = this.active;
    const seat = active && this.seat(active.goal);
    if (!active || !seat) return null;
    const { goal, step } = active;
    const settings = settingsOf(step.node, step.type);
    const wanted = (matrix: Matrix4): Required<PoseSetting> => settingOf(seat.clone().invert().multiply(matrix));
    if (!this.together || goal.index === null) return settingsFor(goal, wanted(worldFromGoal), settings, this.whole(goal, seat));
    const was = this.worldFrom(goal);
    if (!was) return null;
    const by = worldFromGoal.clone().multiply(was.invert());
    let written: Record<string, unknown> = {};
    for (const other of this.listOf(active)) {
      const world = this.worldFrom(other.goal);
      if (world) written = { ...written, ...settingsFor(other.goal, wanted(by.clone().multiply(world)), { ...settings, ...written }) };
    }
    return written;
  }

  private listOf({ goal }: Drawn): Drawn[] {
    return this.drawn.filter((other) => other.goal.node === goal.node && other.goal.field === goal.field);
  }

  /** With their frames, which move with the robot; what is in a frame that is not there is not shown. */
  follow(): void {
    for (const { goal, object } of this.drawn) {
      const seat = this.seat(goal);
      object.visible = seat !== null;
      if (seat) place(object, goal, seat, this.whole(goal, seat));
    }
  }

  /** The active one is seen where it is dragged to. */
  show(worldFromGoal: Matrix4): void {
    const active = this.active;
    if (!active) return;
    if (active.goal.looks === 'force') {
      this.showForce(active, worldFromGoal);
      return;
    }
    const was = this.together && active.goal.index !== null ? this.worldFrom(active.goal) : null;
    const by = was && worldFromGoal.clone().multiply(was.invert());
    for (const other of by ? this.listOf(active) : [active]) {
      const world = by ? this.worldFrom(other.goal) : null;
      const at = by && world ? by.clone().multiply(world) : worldFromGoal;
      at.decompose(other.object.position, other.object.quaternion, new Vector3());
    }
  }

  private showForce({ goal, object }: Drawn, worldFromTip: Matrix4): void {
    const seat = this.seat(goal);
    if (seat) place(object, goal, seat, settingOf(seat.clone().invert().multiply(worldFromTip)));
  }

  pick(ray: Raycaster): Goal | null {
    for (const { object } of ray.intersectObject(this.object, true)) {
      for (let at: Object3D | null = object; at; at = at.parent) {
        const found = this.drawn.find((one) => one.object === at);
        if (found) return found.goal;
      }
    }
    return null;
  }

  /** Puts the active goal there. */
  put(worldFromGoal: Matrix4, moved: Moved): void {
    const active = this.active;
    const written = this.settingsAt(worldFromGoal);
    if (!active || !written) return;
    const { id } = active.step.node;
    const number = ++this.puts;
    this.ahead.set(id, { settings: { ...this.ahead.get(id)?.settings, ...written }, number });
    this.lookAhead();
    void moved(active.goal.node, written).then((taken) => {
      if (this.ahead.get(id)?.number !== number) return;
      this.ahead.delete(id);
      // The change came before its answer; one that was refused goes back.
      if (!taken) this.lookAhead();
    });
  }

  private draw(): void {
    clear(this.object);
    this.drawn = [];
    for (const step of this.steps) {
      const settings = settingsOf(step.node, step.type);
      for (const goal of goalsOf(step.node, step.type)) {
        const object = drawGoal(goal, settings, step.lit);
        this.object.add(object);
        this.drawn.push({ goal, step, object });
      }
    }
    this.changed();
  }
}

const nameOf = (goal: Goal): string => `${goal.node} ${goal.field} ${goal.index ?? ''}`;

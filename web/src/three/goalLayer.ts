import { Group, Matrix4, type Raycaster, Vector3, type Object3D } from 'three';
import type { NodeView } from '../api/types';
import type { Frames } from './frames';
import type { NodeType } from '../panels/settings/schema';
import { goalsOf, settingsFor, settingsOf, type Goal } from './goals';
import { clear, drawGoal, placeGoal } from './layers';
import { matrixOf, settingOf } from './pose';

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
  private chosen: string | null = null;

  constructor(
    private readonly frames: Frames,
    /** Goals were drawn anew. */
    private readonly changed: () => void,
  ) {}

  setSteps(steps: ShownStep[]): void {
    this.steps = this.told = steps;
    this.draw();
  }

  choose(goal: Goal): void {
    this.chosen = nameOf(goal);
  }

  get active(): Drawn | null {
    const own = this.drawn.filter(({ step }) => step.lit);
    return own.find(({ goal }) => nameOf(goal) === this.chosen) ?? own[0] ?? null;
  }

  /** Of the active goal; none: there is none, or its frame is not there. */
  worldFromActive(): Matrix4 | null {
    const active = this.active;
    const frame = active && this.frames.find(active.goal.frame);
    return active && frame ? frame.clone().multiply(matrixOf(active.goal.pose)) : null;
  }

  /** With their frames, which move with the robot; what is in a frame that is not there is not shown. */
  follow(): void {
    for (const { goal, object } of this.drawn) {
      const frame = this.frames.find(goal.frame);
      object.visible = frame !== null;
      if (frame) placeGoal(object, goal, frame);
    }
  }

  /** The active one is seen where it is dragged to. */
  show(worldFromGoal: Matrix4): void {
    const active = this.active;
    if (active) worldFromGoal.decompose(active.object.position, active.object.quaternion, new Vector3());
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
    const frame = active && this.frames.find(active.goal.frame);
    if (!active || !frame) return;
    const pose = settingOf(frame.clone().invert().multiply(worldFromGoal));
    const { node, type } = active.step;
    const written = settingsFor(active.goal, pose, settingsOf(node, type));
    // Shown there at once: a key pressed before the answer moves on from there. Refused, it goes back.
    const ahead = { ...active.step, node: { ...node, settings: { ...node.settings, ...written } } };
    this.steps = this.steps.map((step) => (step === active.step ? ahead : step));
    const told = this.told;
    this.draw();
    void moved(active.goal.node, written).then((taken) => {
      if (taken || told !== this.told) return;
      this.steps = told;
      this.draw();
    });
  }

  private draw(): void {
    clear(this.object);
    this.drawn = [];
    for (const step of this.steps) {
      const settings = settingsOf(step.node, step.type);
      for (const goal of goalsOf(step.node, step.type)) {
        const object = drawGoal(goal, new Matrix4(), settings, step.lit);
        this.object.add(object);
        this.drawn.push({ goal, step, object });
      }
    }
    this.changed();
  }
}

const nameOf = (goal: Goal): string => `${goal.node} ${goal.field} ${goal.index ?? ''}`;

import type { NodeView } from '../api/types';
import type { Axis } from './gizmo';
import type { PoseSetting } from './pose';

/** Something of a step's settings that stands in space and can be dragged. */
export interface Goal {
  node: string;
  /** The setting, and the place in it of an entry of a list. */
  field: string;
  index: number | null;
  /** The part of such an entry that is the pose; none: the entry itself. */
  part: string | null;
  frame: string;
  pose: PoseSetting;
  looks: 'hand' | 'point' | 'foot' | 'axis' | 'shape';
  title: string;
  side: 'left' | 'right' | null;
  axes: Axis[];
}

const ALL: Axis[] = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'];
const GROUND: Axis[] = ['x', 'y', 'yaw'];
const PLACE: Axis[] = ['x', 'y', 'z'];

type Settings = Record<string, unknown>;

const poseAt = (settings: Settings, field: string, otherwise: PoseSetting = {}): PoseSetting => (settings[field] as PoseSetting | undefined) ?? otherwise;

function sideOf(settings: Settings): 'left' | 'right' {
  return settings.side === 'left' ? 'left' : 'right';
}

/** The goals of a step, by its settings as they are written; the defaults are those of the node type. */
export function goalsOf(node: NodeView, defaults: Settings): Goal[] {
  const settings: Settings = { ...defaults, ...node.settings };
  const frame = typeof settings.frame === 'string' ? settings.frame : 'world';
  const goal = (field: string, looks: Goal['looks'], more: Partial<Goal> = {}): Goal => ({
    node: node.id,
    field,
    index: null,
    part: null,
    frame,
    pose: poseAt(settings, field),
    looks,
    title: node.name || node.kind,
    side: null,
    axes: ALL,
    ...more,
  });
  switch (node.kind) {
    case 'arm':
      return settings.by === 'pose' ? [goal('pose', 'hand', { side: sideOf(settings) })] : [];
    case 'leg':
      return [goal('pose', 'foot', { side: sideOf(settings) })];
    case 'screw':
      return [goal('axis', 'axis')];
    case 'shape_contains':
      return [goal('pose', 'shape')];
    case 'walk':
      return walk(settings, goal);
    default:
      return 'pose' in settings && typeof settings.pose === 'object' && settings.pose !== null ? [goal('pose', 'point')] : [];
  }
}

function walk(settings: Settings, goal: (field: string, looks: Goal['looks'], more?: Partial<Goal>) => Goal): Goal[] {
  if (settings.by === 'steps') {
    const steps = Array.isArray(settings.steps) ? (settings.steps as { side?: string; pose?: PoseSetting }[]) : [];
    return steps.map((step, index) =>
      goal('steps', 'foot', { index, part: 'pose', pose: step.pose ?? {}, side: step.side === 'left' ? 'left' : 'right', title: String(index + 1), axes: GROUND }),
    );
  }
  return [goal('stance', 'point', { axes: PLACE }), goal('focal', 'point', { pose: poseAt(settings, 'focal', { x_m: 1 }), title: 'faces', axes: PLACE })];
}

/** The settings that put a goal at another pose in its frame; only what the goal has is written. */
export function settingsFor(goal: Goal, pose: Required<PoseSetting>, settings: Settings): Settings {
  const written: PoseSetting = {};
  const allowed: [keyof PoseSetting, Axis][] = [['x_m', 'x'], ['y_m', 'y'], ['z_m', 'z'], ['roll_deg', 'roll'], ['pitch_deg', 'pitch'], ['yaw_deg', 'yaw']];
  for (const [name, axis] of allowed) {
    const value = goal.axes.includes(axis) ? pose[name] : goal.pose[name];
    if (value !== undefined && (value !== 0 || goal.pose[name] !== undefined)) written[name] = value;
  }
  if (goal.index === null) return { [goal.field]: written };
  const list = Array.isArray(settings[goal.field]) ? [...(settings[goal.field] as unknown[])] : [];
  const entry = (list[goal.index] ?? {}) as Settings;
  list[goal.index] = goal.part === null ? written : { ...entry, [goal.part]: written };
  return { [goal.field]: list };
}

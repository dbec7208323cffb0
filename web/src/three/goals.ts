import type { NodeView } from '../api/types';
import type { Drag, Handle, NodeType } from '../panels/settings/schema';
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
  looks: Handle['looks'];
  title: string;
  side: 'left' | 'right' | null;
  axes: Axis[];
}

const AXES: Record<Drag, Axis[]> = { free: ['x', 'y', 'z', 'roll', 'pitch', 'yaw'], place: ['x', 'y', 'z'], ground: ['x', 'y', 'yaw'] };

type Settings = Record<string, unknown>;

/** The settings of a step, with the defaults of its type. */
export function settingsOf(node: NodeView, type: NodeType | undefined): Settings {
  return { ...Object.fromEntries((type?.fields ?? []).map((field) => [field.name, field.default])), ...node.settings };
}

/** The goals of a step: the handles of its type that count with its settings. */
export function goalsOf(node: NodeView, type: NodeType | undefined): Goal[] {
  const settings = settingsOf(node, type);
  const counts = (handle: Handle): boolean => {
    const by = type?.fields.find((field) => field.name === handle.field)?.schema['x-by'];
    return by === undefined || by.includes(String(settings.by));
  };
  return (type?.handles ?? []).filter(counts).flatMap((handle) => goals(handle, node, settings));
}

function goals(handle: Handle, node: NodeView, settings: Settings): Goal[] {
  const value = settings[handle.field];
  const goal = (pose: PoseSetting, of: Settings, more: Partial<Goal> = {}): Goal => ({
    node: node.id,
    field: handle.field,
    index: null,
    part: null,
    frame: typeof settings.frame === 'string' ? settings.frame : 'world',
    pose,
    looks: handle.looks,
    title: handle.title ?? (node.name || node.kind),
    side: handle.looks === 'hand' || handle.looks === 'foot' ? (of.side === 'left' ? 'left' : 'right') : null,
    axes: AXES[handle.drag],
    ...more,
  });
  // One that is left out is nowhere.
  if (value === null) return [];
  if (!Array.isArray(value)) return [goal((value as PoseSetting | null) ?? {}, settings)];
  return (value as Settings[]).map((entry, index) => {
    const pose = (handle.part === null ? entry : entry[handle.part]) as PoseSetting | undefined;
    return goal(pose ?? {}, entry, { index, part: handle.part, title: handle.title ?? String(index + 1) });
  });
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

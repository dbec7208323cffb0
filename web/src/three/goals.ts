import type { NodeView } from '../api/types';
import type { Drag, Handle, NodeType, Written } from '../panels/settings/schema';
import { holdsBound } from '../panels/settings/bound';
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
  /** In the frame, what the pose is seen from. */
  from: PoseSetting | null;
  /** A frame of the body that it is seen from, with the axes of `frame`. */
  origin: string | null;
  /** A frame of the body: what the pose does not say is as there now. */
  now: string | null;
  pose: PoseSetting;
  written: Written;
  looks: Handle['looks'];
  title: string;
  side: 'left' | 'right' | null;
  axes: Axis[];
}

const AXES: Record<Drag, Axis[]> = {
  free: ['x', 'y', 'z', 'roll', 'pitch', 'yaw'],
  place: ['x', 'y', 'z'],
  ground: ['x', 'y', 'yaw'],
  turn: ['roll', 'pitch', 'yaw'],
};

type Settings = Record<string, unknown>;

/** The settings of a step, with the defaults of its type. */
export function settingsOf(node: NodeView | null, type: NodeType | undefined): Settings {
  return { ...Object.fromEntries((type?.fields ?? []).map((field) => [field.name, field.default])), ...node?.settings };
}

/** The goals of a step: the handles of its type that count with its settings. */
export function goalsOf(node: NodeView, type: NodeType | undefined): Goal[] {
  const settings = settingsOf(node, type);
  const counts = (handle: Handle): boolean => {
    const by = handle.by ? [handle.by] : type?.fields.find((field) => field.name === handle.field)?.schema['x-by'];
    return by === undefined || by.includes(String(settings.by));
  };
  return (type?.handles ?? []).filter(counts).flatMap((handle) => goals(handle, node, settings));
}

function goals(handle: Handle, node: NodeView, settings: Settings): Goal[] {
  const value = settings[handle.field];
  // Where it is nobody knows before it runs.
  if (holdsBound(value)) return [];
  const frameOf = (of: Settings): string => (typeof of.frame === 'string' ? of.frame : typeof settings.frame === 'string' ? settings.frame : 'world');
  const sided = handle.looks === 'hand' || handle.looks === 'foot' || handle.stands === 'hand';
  const sideOf = (of: Settings): Goal['side'] => handle.side ?? (sided ? ((of.side ?? settings.side) === 'left' ? 'left' : 'right') : null);
  const goal = (pose: PoseSetting, of: Settings, more: Partial<Goal> = {}): Goal => ({
    node: node.id,
    field: handle.field,
    index: null,
    part: null,
    frame: frameOf(of),
    from: placeOf(handle, settings),
    origin: handle.stands === 'hand' ? `${sideOf(of)}_hand` : null,
    now: typeof handle.written === 'object' && 'apart' in handle.written ? handle.written.apart.now : null,
    pose,
    written: handle.written,
    looks: handle.looks,
    title: handle.title ?? (node.name || node.kind),
    side: sideOf(of),
    axes: AXES[handle.drag],
    ...more,
  });
  if (handle.written !== 'pose') return [goal(poseOf(handle.written, handle.field, settings), settings)];
  // One that is left out is nowhere.
  if (value === null) return [];
  if (!Array.isArray(value)) return [goal((value as PoseSetting | null) ?? {}, settings)];
  return (value as Settings[]).map((entry, index) => {
    const pose = (handle.part === null ? entry : entry[handle.part]) as PoseSetting | undefined;
    return goal(pose ?? {}, entry, { index, part: handle.part, title: handle.title ?? String(index + 1) });
  });
}

/** A place that looks to another one, level. */
function placeOf({ stands }: Handle, settings: Settings): PoseSetting | null {
  if (typeof stands !== 'object') return null;
  const at = (settings[stands.at.place] ?? {}) as PoseSetting;
  const to = (settings[stands.at.facing] ?? {}) as PoseSetting;
  const yaw = Math.atan2((to.y_m ?? 0) - (at.y_m ?? 0), (to.x_m ?? 0) - (at.x_m ?? 0));
  return { x_m: at.x_m ?? 0, y_m: at.y_m ?? 0, z_m: at.z_m ?? 0, yaw_deg: (yaw * 180) / Math.PI };
}

/** What is not written is left out. */
function poseOf(written: Exclude<Written, 'pose'>, field: string, settings: Settings): PoseSetting {
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const only = (pose: { [K in keyof PoseSetting]: number | undefined }): PoseSetting =>
    Object.fromEntries(Object.entries(pose).filter(([, value]) => value !== undefined)) as PoseSetting;
  if ('vector' in written) {
    const vector = (settings[field] ?? {}) as Record<string, number>;
    const metres = (axis: string): number => ((vector[`${axis}_${written.vector.unit}`] ?? 0) * written.vector.mm) / 1000;
    return { x_m: metres('x'), y_m: metres('y'), z_m: metres('z') };
  }
  const { z_m, xy_if } = written.apart;
  const sideways = xy_if !== null && settings[xy_if] === true;
  return only({
    x_m: sideways ? number(settings.x_m) : undefined,
    y_m: sideways ? number(settings.y_m) : undefined,
    z_m: z_m === null ? undefined : number(settings[z_m]),
    roll_deg: number(settings.roll_deg),
    pitch_deg: number(settings.pitch_deg),
    yaw_deg: number(settings.yaw_deg),
  });
}

const moved = (one: number | undefined, other: number | undefined): boolean => Math.abs((one ?? 0) - (other ?? 0)) > 5e-4;

/** The settings that put a goal at another pose; `now`: where it stands at present. Only what the goal has is written. */
export function settingsFor(goal: Goal, pose: Required<PoseSetting>, settings: Settings, now: PoseSetting = goal.pose): Settings {
  if (typeof goal.written === 'object') return writtenApart(goal, goal.written, pose, now);
  const written: PoseSetting = {};
  const allowed: [keyof PoseSetting, Axis][] = [
    ['x_m', 'x'],
    ['y_m', 'y'],
    ['z_m', 'z'],
    ['roll_deg', 'roll'],
    ['pitch_deg', 'pitch'],
    ['yaw_deg', 'yaw'],
  ];
  for (const [name, axis] of allowed) {
    const value = goal.axes.includes(axis) ? pose[name] : goal.pose[name];
    if (value !== undefined && (value !== 0 || goal.pose[name] !== undefined)) written[name] = value;
  }
  if (goal.index === null) return { [goal.field]: written };
  const list = Array.isArray(settings[goal.field]) ? [...(settings[goal.field] as unknown[])] : [];
  const entry = (list[goal.index] ?? {}) as Settings;
  list[goal.index] = goal.part === null ? { ...entry, ...written } : { ...entry, [goal.part]: written };
  return { [goal.field]: list };
}

/** Each in a setting of its own: only what has moved, so that what was left out stays so. */
function writtenApart(goal: Goal, written: Exclude<Written, 'pose'>, pose: Required<PoseSetting>, now: PoseSetting): Settings {
  if ('vector' in written) {
    const { unit, mm } = written.vector;
    const part = (metres: number): number => Math.round((metres * 1e4) / mm) / 10;
    const vector = Object.fromEntries((['x', 'y', 'z'] as const).map((axis) => [`${axis}_${unit}`, part(pose[`${axis}_m`])]));
    return { [goal.field]: Object.fromEntries(Object.entries(vector).filter(([, value]) => value !== 0)) };
  }
  const { z_m, xy_if } = written.apart;
  const settings: Settings = {};
  for (const angle of ['roll_deg', 'pitch_deg', 'yaw_deg'] as const) if (moved(pose[angle], now[angle])) settings[angle] = pose[angle];
  if (z_m !== null && moved(pose.z_m, now.z_m)) settings[z_m] = pose.z_m;
  if (xy_if !== null && (moved(pose.x_m, now.x_m) || moved(pose.y_m, now.y_m))) Object.assign(settings, { [xy_if]: true, x_m: pose.x_m, y_m: pose.y_m });
  return settings;
}

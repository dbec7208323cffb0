import { create } from 'zustand';
import type { Form, ObjectView, TemplateView } from '../api/types';
import { share } from './actions';
import { useWorld } from './world';

/** An object that a person is about to put into the scene. */
export interface Placing {
  /** Of a template or of what detectors tell; empty: none. */
  class: string;
  name: string;
  /** Where it is kept when the robot or an object moves before it is put there. */
  frame: string;
  /** x, y, z, qx, qy, qz, qw in the world. */
  pose: number[];
  /** It becomes no object, but the answer to this part of a question. */
  answers?: string;
}

interface Placer {
  placing: Placing | null;
  /** The last one that was put there by this page, to be taken back. */
  placed: string | null;
}

export const usePlacing = create<Placer>(() => ({ placing: null, placed: null }));

/** A name that no object has yet. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.includes(`${wanted}_${number}`)) return `${wanted}_${number}`;
}

const nameFor = (kind: string): string =>
  freeName(
    kind || 'object',
    useWorld.getState().objects.map(({ name }) => name),
  );

/** In front of the robot, turned as it stands: there it is seen, and dragged to where it belongs. */
function inFront(): number[] {
  const walking = useWorld.getState().frames.find(({ name }) => name === 'walking')?.pose;
  const [x = 0, y = 0, z = 0, , , qz = 0, qw = 1] = walking ?? [];
  const yaw = 2 * Math.atan2(qz, qw);
  return [x + 0.8 * Math.cos(yaw), y + 0.8 * Math.sin(yaw), z + 0.8, 0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)];
}

export function beginPlacing(kind: string): void {
  usePlacing.setState({ placing: { class: kind, name: nameFor(kind), frame: 'world', pose: inFront() } });
}

/** A pose or a point for an answer, shown in the 3D view like an object. */
export function beginShowing(answers: string, name: string): void {
  usePlacing.setState({ placing: { class: '', name, frame: 'world', pose: inFront(), answers } });
}

/** From where an object is now, to put it elsewhere. */
export function beginMoving(object: ObjectView): void {
  const pose = object.pose ?? inFront();
  usePlacing.setState({ placing: { class: object.class ?? '', name: object.name, frame: 'world', pose } });
}

export function changePlacing(change: Partial<Placing>): void {
  const { placing } = usePlacing.getState();
  if (!placing) return;
  const renamed = change.class !== undefined && change.name === undefined ? { name: nameFor(change.class) } : {};
  usePlacing.setState({ placing: { ...placing, ...renamed, ...change } });
}

export const cancelPlacing = (): void => usePlacing.setState({ placing: null });

/** `pose`: in the frame it is given in. */
export async function confirmPlacing(pose: number[]): Promise<void> {
  const { placing } = usePlacing.getState();
  if (!placing) return;
  const { name, frame } = placing;
  const kind = placing.class ? { class: placing.class } : {};
  const answer = await share({ do: 'place_object', object: name, ...kind, frame, pose });
  if (answer) usePlacing.setState({ placing: null, placed: name });
}

export async function takeBack(): Promise<void> {
  const { placed } = usePlacing.getState();
  if (placed === null) return;
  usePlacing.setState({ placed: null });
  await share({ do: 'delete_object', object: placed });
}

/** What can be placed: templates first, then what detectors have told of. */
export function placeable(templates: TemplateView[], seen: readonly string[]): string[] {
  return [...new Set([...templates.map((template) => template.class), ...seen])];
}

export function formOf(templates: TemplateView[], kind: string): { form: Form | null; formAt: number[] } {
  const template = templates.find((one) => one.class === kind);
  return { form: template?.form ?? null, formAt: template?.form_at ?? [0, 0, 0, 0, 0, 0, 1] };
}

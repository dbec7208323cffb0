import type { NodeView } from '../../api/types';
import { editAndSelect, selectedInstance } from '../../state/actions';
import { useDoc } from '../../state/document';
import { givenKey, giveSetting, useGiven } from '../../state/given';
import { notify } from '../../state/ui';
import type { Ground } from '../../three/ground';
import { placeForNew } from '../tree/AddNode';

export const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const flat = ({ x_m, y_m }: { x_m: number; y_m: number }): { x_m: number; y_m: number } => ({ x_m: rounded(x_m), y_m: rounded(y_m) });

/** Behind what is selected, and selected then. */
export async function addNode(kind: string, settings: Record<string, unknown>): Promise<void> {
  const place = placeForNew('after');
  if (!place) return;
  const { uses, ...where } = place;
  await editAndSelect({ do: 'add', ...where, kind, name: '', settings }, uses);
}

/** A walk to a place on the ground: a step in the tree, run like any other. */
export async function walkTo(ground: Ground): Promise<void> {
  const at = ground.inFrame('world');
  const here = ground.inFrame('walking');
  if (!at) return;
  // It faces the way it came.
  const length = here ? Math.hypot(here.x_m, here.y_m) || 1 : 1;
  const settings = here
    ? { stance: flat(here), focal: flat({ x_m: here.x_m * (1 + 1 / length), y_m: here.y_m * (1 + 1 / length) }) }
    : { frame: 'world', stance: flat(at), focal: flat({ x_m: at.x_m + 1, y_m: at.y_m }) };
  await addNode('walk', settings);
}

/** The selected walk, if its steps are given one by one. */
export function steppedWalk(): NodeView | null {
  const chosen = selectedInstance();
  const node = chosen && useDoc.getState().nodes.get(chosen.node);
  return node && node.kind === 'walk' && node.settings.by === 'steps' ? node : null;
}

/** One more step of the selected walk, or a walk that begins with it; turned as it was pointed, or as its frame is. */
export async function addStep(side: 'left' | 'right', ground: Ground, turned: boolean): Promise<void> {
  const node = steppedWalk();
  const frame = node ? (typeof node.settings.frame === 'string' ? node.settings.frame : 'walking') : 'world';
  const pose = ground.inFrame(frame);
  if (!pose) {
    notify('error', `There is no frame “${frame}” now, in which this walk has its steps.`);
    return;
  }
  const step = { side, pose: { ...flat(pose), ...(turned ? { yaw_deg: Math.round(pose.yaw_deg) } : {}) } };
  if (!node) {
    await addNode('walk', { by: 'steps', frame, steps: [step] });
    return;
  }
  const given = useGiven.getState().settings.get(givenKey(node.id, 'steps'));
  const now = given ? given.value : node.settings.steps;
  const steps = Array.isArray(now) ? (now as unknown[]) : [];
  await giveSetting(node.id, 'steps', [...steps, step]);
}

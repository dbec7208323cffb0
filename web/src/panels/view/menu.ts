import { edit, editAndSelect, selectedInstance } from '../../state/actions';
import { openMenu } from '../../shell/MenuPopup';
import { useDoc } from '../../state/document';
import { select, type MenuItem } from '../../state/ui';
import type { Goal } from '../../three/goals';
import type { Ground } from '../../three/view';
import { placeForNew } from '../tree/AddNode';

/** A walk to a place on the ground that was clicked: a step in the tree, run like any other. */
function walkTo(ground: Ground): void {
  const place = placeForNew('after');
  const at = ground.inFrame('world');
  const here = ground.inFrame('walking');
  if (!place || !at) return;
  const { uses, ...where } = place;
  // It faces the way it came.
  const length = here ? Math.hypot(here.x_m, here.y_m) || 1 : 1;
  const settings = here
    ? { stance: flat(here), focal: flat({ x_m: here.x_m * (1 + 1 / length), y_m: here.y_m * (1 + 1 / length) }) }
    : { frame: 'world', stance: flat(at), focal: flat({ x_m: at.x_m + 1, y_m: at.y_m }) };
  void editAndSelect({ do: 'add', ...where, kind: 'walk', name: '', settings }, uses);
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const flat = ({ x_m, y_m }: { x_m: number; y_m: number }): { x_m: number; y_m: number } => ({ x_m: rounded(x_m), y_m: rounded(y_m) });

/** For a walk whose steps are given one by one: one more, where the ground was clicked. */
function stepItems(ground: Ground): MenuItem[] {
  const chosen = selectedInstance();
  const node = chosen && useDoc.getState().nodes.get(chosen.node);
  if (!node || node.kind !== 'walk' || node.settings.by !== 'steps') return [];
  const frame = typeof node.settings.frame === 'string' ? node.settings.frame : 'walking';
  const steps = Array.isArray(node.settings.steps) ? node.settings.steps : [];
  const pose = ground.inFrame(frame);
  return (['left', 'right'] as const).map((side) => ({
    title: `Add a ${side} step here`,
    off: pose === null,
    run: () => {
      if (pose) void edit({ do: 'set', node: node.id, settings: { steps: [...(steps as unknown[]), { side, pose: flat(pose) }] } });
    },
  }));
}

export function openViewMenu({ x, y }: { x: number; y: number }, ground: Ground | null, goal: Goal | null): void {
  const items: MenuItem[] = [];
  if (goal) {
    items.push(
      { title: 'Enter pose by number', run: () => focusField(goal) },
      { title: 'Reset to zero', off: goal.index !== null, run: () => void edit({ do: 'set', node: goal.node, settings: { [goal.field]: {} } }) },
      'edit.set_to_robot',
      'edit.change_frame',
      { line: true },
    );
  }
  if (ground) {
    const title = `Add a walk to ${ground.world.x.toFixed(2)}, ${ground.world.y.toFixed(2)} m`;
    items.push(...stepItems(ground), { title, run: () => walkTo(ground) }, { line: true });
  }
  items.push('view.top_down', 'view.four', 'view.cloud', 'view.world', 'view.frames', 'view.gizmo');
  openMenu(x, y, items);
}

function focusField(goal: Goal): void {
  select([goal.node]);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-field="${goal.field}"] input`)?.focus());
}

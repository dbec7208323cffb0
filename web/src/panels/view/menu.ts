import { edit } from '../../state/actions';
import { openMenu } from '../../shell/MenuPopup';
import { select, type MenuItem } from '../../state/ui';
import { nudging } from '../../three/gizmo';
import type { Goal } from '../../three/goals';
import type { Ground } from '../../three/ground';
import { atGround, goesOn, placeAt } from './place';

/** What can be made where the ground was clicked; one more entry only of the selected step. */
function groundItems(ground: Ground): MenuItem[] {
  const at = `${ground.world.x.toFixed(2)}, ${ground.world.y.toFixed(2)} m`;
  return atGround().flatMap((what) => {
    const isEntry = 'entry' in what.offer.gives;
    if (isEntry && !goesOn(what)) return [];
    return [{ title: `${what.offer.title} ${isEntry ? 'here' : `to ${at}`}`, run: () => void placeAt(what, ground, false) }];
  });
}

const ALONG = { seen: 'Keys move it as seen by the camera', world: 'Keys move it along the axes of the world', own: 'Keys move it along its own axes' };

export function openViewMenu({ x, y }: { x: number; y: number }, ground: Ground | null, goal: Goal | null): void {
  const items: MenuItem[] = [];
  if (goal) {
    items.push(
      { title: 'Enter pose by number', run: () => focusField(goal) },
      { title: 'Reset to zero', off: goal.index !== null, run: () => void edit({ do: 'set', node: goal.node, settings: { [goal.field]: {} } }) },
      'edit.set_to_robot',
      'edit.change_frame',
      ...(goal.looks === 'foot' && goal.index !== null ? ['view.together', 'edit.reset_heights'] : []),
      { line: true },
      ...(['seen', 'world', 'own'] as const).map((along) => ({
        title: ALONG[along],
        checked: nudging.along === along,
        run: () => {
          nudging.along = along;
        },
      })),
      {
        title: 'Keys move it in coarse steps: 5 cm, 5°',
        checked: nudging.coarse,
        run: () => {
          nudging.coarse = !nudging.coarse;
        },
      },
      { line: true },
    );
  }
  if (ground) {
    items.push(...groundItems(ground), { line: true });
  }
  items.push('view.top_down', 'view.four', 'view.cloud', 'view.world', 'view.frames', 'view.gizmo');
  openMenu(x, y, items);
}

function focusField(goal: Goal): void {
  select([goal.node]);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-field="${goal.field}"] input`)?.focus());
}

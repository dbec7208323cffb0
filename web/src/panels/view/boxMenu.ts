import type { Vector3 } from 'three';
import { openMenu } from '../../shell/MenuPopup';
import { useDoc } from '../../state/document';
import { select } from '../../state/ui';
import { useWorld } from '../../state/world';
import { goalsOf } from '../../three/goals';
import type { Area } from '../../three/ground';
import { offered, placeIn } from './place';

/** The steps with a goal in it, whichever are shown. */
export function stepsIn(area: Pick<Area, 'holds'>): string[] {
  const { nodes } = useDoc.getState();
  const { nodeTypes } = useWorld.getState();
  return [...nodes.values()].filter((node) => goalsOf(node, nodeTypes.get(node.kind)).some(({ frame, pose }) => area.holds(frame, pose))).map(({ id }) => id);
}

/** What can be done with a box that was dragged on the map. */
export function openBoxMenu({ x, y }: { x: number; y: number }, area: Area, show: (centre: Vector3, size: [number, number]) => void): void {
  const steps = stepsIn(area);
  const size = area.sizeM.map((one) => one.toFixed(2)).join(' × ');
  openMenu(x, y, [
    ...offered().flatMap((what) => {
      const { title, gives } = what.offer;
      if ('entry' in gives) return [];
      return [{ title: 'area' in gives ? title : `${title} into the box`, run: () => void placeIn(what, area) }];
    }),
    { line: true },
    { title: `Select the ${steps.length} steps with goals in the box`, off: steps.length === 0, run: () => select(steps) },
    { title: `Show these ${size} m`, run: () => show(area.centre.world, area.sizeM) },
  ]);
}

import type { Vector3 } from 'three';
import { openMenu } from '../../shell/MenuPopup';
import { useDoc } from '../../state/document';
import { select } from '../../state/ui';
import { useWorld } from '../../state/world';
import { goalsOf } from '../../three/goals';
import type { Area } from '../../three/ground';
import { addNode, rounded, walkTo } from './place';

/** As high as a person: what is above does not matter to whoever walks there. */
const HEIGHT_M = 2;
/** Below this, what a camera sees is the floor. */
const FLOOR_M = 0.1;
/** So few points are noise. */
const NOISE = 20;

function shapeOf({ centre, sizeM }: Area, fromM: number): Record<string, unknown> {
  const { x, y } = centre.world;
  return {
    shape: { shape: 'box', size_m: [rounded(sizeM[0]), rounded(sizeM[1]), rounded(HEIGHT_M - fromM)] },
    frame: 'world',
    pose: { x_m: rounded(x), y_m: rounded(y), z_m: rounded((HEIGHT_M + fromM) / 2) },
  };
}

/** The steps with a goal in it, whichever are shown. */
export function stepsIn(area: Pick<Area, 'holds'>): string[] {
  const { nodes } = useDoc.getState();
  const { nodeTypes } = useWorld.getState();
  return [...nodes.values()]
    .filter((node) => goalsOf(node, nodeTypes.get(node.kind)).some(({ frame, pose }) => area.holds(frame, pose)))
    .map(({ id }) => id);
}

/** What can be done with a box that was dragged on the map. */
export function openBoxMenu({ x, y }: { x: number; y: number }, area: Area, show: (centre: Vector3, size: [number, number]) => void): void {
  const steps = stepsIn(area);
  const size = area.sizeM.map((one) => one.toFixed(2)).join(' × ');
  openMenu(x, y, [
    { title: 'Add a walk into the box', run: () => void walkTo(area.centre) },
    { title: 'Add a condition: the robot is in the box', run: () => void addNode('shape_contains', { ...shapeOf(area, 0), inside: 'pelvis' }) },
    { title: 'Add a condition: nothing stands in the box', run: () => void addNode('shape_contains', { ...shapeOf(area, FLOOR_M), contains: 'points', min_points: 0, max_points: NOISE }) },
    { line: true },
    { title: `Select the ${steps.length} steps with goals in the box`, off: steps.length === 0, run: () => select(steps) },
    { title: `Show these ${size} m`, run: () => show(area.centre.world, area.sizeM) },
  ]);
}

import { useEffect, type RefObject } from 'react';
import { bodyState } from '../../api/slots';
import { effortLimits, loadsOf } from '../../state/loads';
import { useUi } from '../../state/ui';
import { useBody } from '../../state/wanted';
import { useWorld } from '../../state/world';
import type { View } from '../../three/view';

/** Often enough to see a push come and go. */
const HZ = 10;

/** Asked for while arrows are to be seen, but never on a link that has no room for more. */
export function useForces(view: View | null, box: RefObject<HTMLElement | null>): void {
  const on = useUi((ui) => ui.showForces);
  const narrow = useWorld((world) => world.link.narrow);
  useBody('view', on && !narrow ? HZ : 0, box);
  useEffect(() => {
    if (!view || !on) return;
    const draw = (): void => {
      const body = bodyState.get();
      const { robot } = useWorld.getState();
      const loads = body && robot ? loadsOf(robot.joints, body, effortLimits(robot.urdf)) : [];
      view.setForces(
        body,
        loads.flatMap(({ joint, level }) => (level === 'warn' || level === 'bad' ? [{ joint, level }] : [])),
      );
    };
    draw();
    return bodyState.listen(draw);
  }, [view, on]);
}

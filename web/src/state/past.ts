import { robotState, type RobotState } from '../api/slots';
import type { ObjectView, SolidView } from '../api/types';
import { useWorld } from './world';

/** How it was at one time. What did not change is shared between moments. */
export interface Moment {
  state: RobotState;
  objects: ObjectView[];
  solids: readonly SolidView[];
}

// Ten minutes at ten a second; then the oldest half is let go.
const MOST = 6_000;
const EVERY_S = 0.1;

const moments: Moment[] = [];

/** A robot that starts anew starts its time anew. */
export function remember(moment: Moment): void {
  const last = moments.at(-1);
  if (last && moment.state.timeS < last.state.timeS) moments.length = 0;
  else if (last && moment.state.timeS - last.state.timeS < EVERY_S * 0.9) return;
  moments.push(moment);
  if (moments.length > MOST) moments.splice(0, MOST / 2);
}

/** The last moment not after a time; the first where all are; null: nothing is known. */
export function momentAt(timeS: number): Moment | null {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.state.timeS ?? 0) <= timeS) low = middle + 1;
    else high = middle;
  }
  return moments[Math.max(0, low - 1)] ?? null;
}

export function forgetPast(): void {
  moments.length = 0;
}

export function rememberAll(): () => void {
  return robotState.listen(() => {
    const state = robotState.get();
    const { objects, solids } = useWorld.getState();
    if (state) remember({ state, objects, solids });
  });
}

import { previewState, robotState, type RobotState } from '../api/slots';
import type { ObjectView, SolidView } from '../api/types';
import { useWorld, type World } from './world';

/** How it was at one time. What did not change is shared between moments. */
export interface Moment {
  state: RobotState;
  objects: ObjectView[];
  solids: readonly SolidView[];
}

// Of ten minutes; ten a second of the newest, the older the fewer, so that what is kept soon grows no more.
const LONGEST_S = 600;
const MOST = 1_600;
const EVERY_S = 0.1;

let moments: Moment[] = [];

/** A robot that starts anew starts its time anew. */
export function remember(moment: Moment): void {
  const last = moments.at(-1);
  if (last && moment.state.timeS < last.state.timeS) moments.length = 0;
  else if (last && moment.state.timeS - last.state.timeS < EVERY_S * 0.9) return;
  moments.push(moment);
  if (moments.length > MOST) moments = thinned(moment.state.timeS);
}

/** A moment of five minutes ago is kept for each second, one of now for each tenth. */
function thinned(nowS: number): Moment[] {
  const kept: Moment[] = [];
  let next = Infinity;
  for (const moment of moments.toReversed()) {
    const { timeS } = moment.state;
    if (nowS - timeS > LONGEST_S) break;
    if (timeS > next) continue;
    kept.push(moment);
    next = timeS - Math.max(EVERY_S * 0.9, (nowS - timeS) / 300);
  }
  return kept.reverse();
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

export function forgetValues(): void {
  values.length = 0;
}

interface Values {
  timeS: number;
  variables: World['variables'];
  tokens: World['tokens'];
}

const MOST_VALUES = 600;
let values: Values[] = [];

/** As they have just come. */
export function rememberVariables(timeS: number): void {
  const { variables, tokens } = useWorld.getState();
  if ((values.at(-1)?.timeS ?? 0) > timeS) values = [];
  values.push({ timeS, variables, tokens });
  if (values.length > MOST_VALUES) values = values.slice(-MOST_VALUES / 2);
}

/** The last that were told not after a time; null: they are not known any more. */
export const variablesAt = (timeS: number): Values | null => values.findLast((each) => each.timeS <= timeS) ?? null;

export function rememberAll(): () => void {
  return robotState.listen(() => {
    const state = robotState.get();
    const { objects, solids } = useWorld.getState();
    // What is shown beside a preview is not the robot's.
    if (state && !robotState.isRecorded && !previewState.get()) remember({ state, objects, solids });
  });
}

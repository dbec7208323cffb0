import type { VariableView } from '../api/types';
import { keyOf } from '../api/ids';
import { useRun } from './run';
import { Slot } from '../api/slots';

/** Values of one variable over the run's time, the newest behind. */
export interface Series {
  timesS: number[];
  values: number[];
}

// Half an hour at ten a second, then the oldest half is let go.
const MOST = 18_000;

const series = new Map<string, Series>();
/** Told with every sample: plots draw on it, React does not. */
export const sampled = new Slot<number>();

export const plotName = (one: VariableView): string => (one.of ? `${keyOf(one.of)}:${one.name}` : one.name);

export function samplePlots(variables: VariableView[]): void {
  const timeS = useRun.getState().view.time_s;
  for (const one of variables) {
    const value = typeof one.value === 'boolean' ? Number(one.value) : one.value;
    if (typeof value !== 'number') continue;
    const name = plotName(one);
    let known = series.get(name);
    const last = known?.timesS.at(-1);
    // A run that begins anew starts its time anew.
    if (!known || (last !== undefined && timeS < last)) {
      known = { timesS: [], values: [] };
      series.set(name, known);
    }
    if (known.timesS.at(-1) === timeS) known.values[known.values.length - 1] = value;
    else {
      known.timesS.push(timeS);
      known.values.push(value);
    }
    if (known.timesS.length > MOST) {
      known.timesS.splice(0, MOST / 2);
      known.values.splice(0, MOST / 2);
    }
  }
  sampled.put(timeS);
}

export const seriesOf = (name: string): Series => series.get(name) ?? { timesS: [], values: [] };

/** All on one axis of time; what was not sampled then is left out of that line. */
export function aligned(names: string[]): [number[], ...(number | null)[][]] {
  const times = [...new Set(names.flatMap((name) => seriesOf(name).timesS))].sort((a, b) => a - b);
  const at = new Map(times.map((time, index) => [time, index]));
  const rows = names.map((name) => {
    const row = new Array<number | null>(times.length).fill(null);
    const { timesS, values } = seriesOf(name);
    timesS.forEach((time, index) => (row[at.get(time) ?? 0] = values[index] ?? null));
    return row;
  });
  return [times, ...rows];
}

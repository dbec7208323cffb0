import { keyOf } from '../api/ids';
import { bodyState, robotState, Slot } from '../api/slots';
import type { ChannelOf, LinkView, MeasuredView, VariableView } from '../api/types';
import { nameOf, pathOf, useDoc } from './document';
import { feltChannels, feltNumbers } from './felt';
import { useRun } from './run';
import { useWorld } from './world';

/** Values of one channel over the run's time, the newest behind. */
export interface Series {
  timesS: number[];
  values: number[];
  unit: string;
}

// Half an hour at ten a second, then the oldest half is let go.
const MOST = 18_000;

const series = new Map<string, Series>();
/** Told with every sample: plots draw on it, React does not. */
export const sampled = new Slot<number>();

/** Of the name it has in a recording. */
export const plotName = (one: VariableView): string => `variable/${one.of ? `${keyOf(one.of)}:` : ''}${one.name}`;

function sample(name: string, unit: string, timeS: number, value: number): void {
  let known = series.get(name);
  const last = known?.timesS.at(-1);
  // A run that begins anew starts its time anew.
  if (!known || (last !== undefined && timeS < last)) {
    known = { timesS: [], values: [], unit };
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

export function samplePlots(variables: VariableView[]): void {
  const timeS = useRun.getState().view.time_s;
  for (const one of variables) {
    const value = typeof one.value === 'boolean' ? Number(one.value) : one.value;
    if (typeof value === 'number') sample(plotName(one), '', timeS, value);
  }
  sampled.put(timeS);
}

export function sampleMeasured(measured: MeasuredView[], timeS: number): void {
  const doc = useDoc.getState();
  for (const { step, value, unit } of measured) sample(`condition/${[...pathOf(doc, step), nameOf(doc, step.node)].join('/')}`, unit, timeS, value);
}

/** As the status bar has it, with what goes over each channel. */
export function sampleLink({ round_trip_ms, loss, state_age_ms, waiting_bytes, channels }: LinkView): void {
  const timeS = robotState.get()?.timeS;
  if (timeS === undefined || robotState.isRecorded) return;
  if (round_trip_ms !== null) sample('link/round_trip', 'ms', timeS, round_trip_ms);
  if (state_age_ms !== null) sample('link/state_age', 'ms', timeS, state_age_ms);
  sample('link/loss', '', timeS, loss);
  sample('link/waiting', 'B', timeS, waiting_bytes);
  channels.forEach(({ sent_bytes_s, received_bytes_s }, index) => {
    const name = `link/channel_${index + 1}`;
    sample(`${name}/sent`, 'B/s', timeS, sent_bytes_s);
    sample(`${name}/received`, 'B/s', timeS, received_bytes_s);
  });
}

const EVERY_S = 0.1;
let bodyS = -Infinity;

/** Joints and base as they are told, ten times a second. */
function sampleBody(): void {
  const state = robotState.get();
  if (!state || robotState.isRecorded) return;
  if (state.timeS < bodyS) bodyS = -Infinity;
  if (state.timeS - bodyS < EVERY_S * 0.9) return;
  bodyS = state.timeS;
  useWorld.getState().robot?.joints.forEach((joint, index) => sample(`joint/${joint}/position`, 'rad', state.timeS, state.joints[index] ?? NaN));
  ['x', 'y', 'z'].forEach((axis, index) => sample(`base/${axis}`, 'm', state.timeS, state.base[index] ?? NaN));
  sampled.put(state.timeS);
}

function sampleFelt(): void {
  const body = bodyState.get();
  if (!body || bodyState.isRecorded) return;
  for (const [name, unit, value] of feltNumbers(body, useWorld.getState().robot?.joints ?? [])) sample(name, unit, body.at_s, value);
  sampled.put(body.at_s);
}

export function sampleRobot(): () => void {
  const forget = [robotState.listen(sampleBody), bodyState.listen(sampleFelt)];
  return () => forget.forEach((one) => one());
}

export const seriesOf = (name: string): Series => series.get(name) ?? { timesS: [], values: [], unit: '' };

/** What has come, and what comes as soon as somebody plots it. */
export function liveChannels(): ChannelOf[] {
  const { robot } = useWorld.getState();
  const all = new Map((robot ? feltChannels(robot.joints) : []).map(({ name, unit }) => [name, unit]));
  for (const [name, { unit }] of series) all.set(name, unit);
  return [...all].map(([name, unit]) => ({ name, unit })).sort((a, b) => a.name.localeCompare(b.name));
}

/** All on one axis of time; what was not sampled then is left out of that line. */
export function aligned(all: Pick<Series, 'timesS' | 'values'>[]): [number[], ...(number | null)[][]] {
  const times = [...new Set(all.flatMap(({ timesS }) => timesS))].sort((a, b) => a - b);
  const at = new Map(times.map((time, index) => [time, index]));
  const rows = all.map(({ timesS, values }) => {
    const row = new Array<number | null>(times.length).fill(null);
    timesS.forEach((time, index) => (row[at.get(time) ?? 0] = values[index] ?? null));
    return row;
  });
  return [times, ...rows];
}

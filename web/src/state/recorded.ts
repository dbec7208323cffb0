import { keyOf } from '../api/ids';
import type { BarView, LineKind, RecordedRun, RecordingEntry, RecordingView } from '../api/types';
import { sentence, type Bar, type LogLine } from './run';

/** What still ran at the end of the recording ends with it. */
export const barOf =
  (untilS: number) =>
  ({ step, start_s, end_s, result, reason }: BarView): Bar => ({ key: keyOf(step), step, startS: start_s, endS: end_s ?? untilS, result, reason });

/** The time in which a recording has anything. */
export function spanOf({ entry, bars, lines }: Pick<RecordingView, 'entry' | 'bars' | 'lines'>): [number, number] {
  const times = [
    ...bars.flatMap((bar) => [bar.start_s, bar.end_s ?? bar.start_s]),
    ...lines.map((line) => line.at_s),
    ...entry.runs.flatMap((run) => [run.began_s, run.ended_s ?? run.began_s]),
  ];
  // A loop: a million of them are too many arguments.
  return times.reduce(([first, last], at) => [Math.min(first, at), Math.max(last, at)], [0, entry.duration_s]);
}

/** From the beginning of one run to that of the next: what was before the first belongs to it. */
export function runSpan(view: Pick<RecordingView, 'entry' | 'bars' | 'lines'>, run: number): [number, number] {
  const { runs } = view.entry;
  const [firstS, lastS] = spanOf(view);
  const fromS = run === 0 ? firstS : (runs[run]?.began_s ?? firstS);
  return [fromS, runs[run + 1]?.began_s ?? lastS];
}

export const runAt = (runs: readonly RecordedRun[], atS: number): number =>
  Math.max(
    0,
    runs.findLastIndex((run) => run.began_s <= atS + 1e-9),
  );

export function barsOf(view: Pick<RecordingView, 'entry' | 'bars' | 'lines'>, run: number): Bar[] {
  const [fromS, toS] = runSpan(view, run);
  const isLast = run >= view.entry.runs.length - 1;
  const made = barOf(toS);
  return view.bars.filter(({ start_s }) => start_s >= fromS - 1e-9 && (isLast || start_s < toS - 1e-9)).map(made);
}

const KIND: Record<LineKind, LogLine['kind']> = { log: 'log', warning: 'warning', run: 'run', command: 'audit', held: 'warning', edit: 'audit' };

/** The lines of the log as the live page has them: failures of steps among them. */
export function linesOf({ entry, bars, lines }: Pick<RecordingView, 'entry' | 'bars' | 'lines'>): LogLine[] {
  const said = lines.map(({ at_s, kind, step, text }) => ({ atS: at_s, kind: KIND[kind], step, text: sentence(text) }));
  const failed = bars
    .filter((bar) => bar.result === 'failure' && bar.end_s !== null)
    .map(({ end_s, step, reason }) => ({ atS: end_s ?? 0, kind: 'failure' as const, step, text: reason ? `Failed: ${reason}` : 'Failed' }));
  return [...said, ...failed]
    .sort((a, b) => a.atS - b.atS)
    .map((line, number) => ({ ...line, number, originS: entry.runs[runAt(entry.runs, line.atS)]?.began_s ?? null }));
}

/** Less than a person would tell apart. */
const SAME_S = 0.05;

/** Where the steps of two runs part, which are shown as if they had begun at once. */
export function firstDifference(
  here: readonly Bar[],
  there: readonly Bar[],
  originS: number,
  name: (step: Bar['step']) => string,
): { atS: number; text: string } | null {
  const inOrder = (bars: readonly Bar[]): Bar[] => [...bars].sort((a, b) => a.startS - b.startS || (a.key < b.key ? -1 : 1));
  const [own, other] = [inOrder(here), inOrder(there)];
  const at = (bar: Bar): string => `${(bar.startS - originS).toFixed(2)} s`;
  const ended = (bar: Bar): string => (bar.result === null ? 'did not end' : { success: 'succeeded', failure: 'failed', halted: 'was halted' }[bar.result]);
  for (let index = 0; index < Math.max(own.length, other.length); index++) {
    const [a, b] = [own[index], other[index]];
    if (!a || !b) {
      const only = a ?? b;
      return only ? { atS: only.startS, text: `${name(only.step)} ran at ${at(only)} only ${a ? 'here' : 'there'}.` } : null;
    }
    if (a.key !== b.key) return { atS: Math.min(a.startS, b.startS), text: `Here ${name(a.step)} began at ${at(a)}, there ${name(b.step)} at ${at(b)}.` };
    if (Math.abs(a.startS - b.startS) > SAME_S)
      return { atS: Math.min(a.startS, b.startS), text: `${name(a.step)} began at ${at(a)} here, at ${at(b)} there.` };
    const [took, tookThere] = [a, b].map((bar) => (bar.endS ?? bar.startS) - bar.startS) as [number, number];
    const atS = a.startS + Math.min(took, tookThere);
    if (a.result !== b.result) return { atS, text: `${name(a.step)} ${ended(a)} here, and ${ended(b)} there.` };
    if (Math.abs(took - tookThere) > SAME_S) return { atS, text: `${name(a.step)} took ${took.toFixed(2)} s here, ${tookThere.toFixed(2)} s there.` };
  }
  return null;
}

/** When steps failed, in order. */
export const failuresOf = ({ bars }: Pick<RecordingView, 'bars'>): number[] =>
  bars.flatMap((bar) => (bar.result === 'failure' && bar.end_s !== null ? [bar.end_s] : [])).sort((a, b) => a - b);

/** The version of the tree at a time: 0 is that of the beginning. */
export const versionAt = ({ edits }: Pick<RecordingView, 'edits'>, atS: number): number => edits.findLast((edit) => edit.at_s <= atS)?.version ?? 0;

const RESULT = { success: 'Succeeded', failure: 'Failed', halted: 'Stopped' };

export function resultText({ result, live, cut }: Pick<RecordingEntry, 'result' | 'live' | 'cut'>): string {
  if (result !== null) return RESULT[result];
  if (live) return 'Being recorded';
  return cut ? 'Cut off' : 'Nothing ran';
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`;
}

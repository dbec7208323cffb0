import { create } from 'zustand';
import type { RangeView, StatisticsView } from '../api/types';
import { askQuietly } from './actions';
import { isFelt } from './felt';
import { seriesOf, type Series } from './plots';
import { runSpan } from './recorded';
import { useReviewing } from './reviewing';
import { wantBody } from './wanted';

export interface Plot {
  number: number;
  channels: string[];
}

interface Plotting {
  plots: Plot[];
  /** What all plots show of the time; none: all of it. */
  range: [number, number] | null;
  /** Of the recording that is looked at, for the stretch that is shown. */
  ranges: ReadonlyMap<string, RangeView>;
  /** Of the recording that it is compared with, at the times of this one. */
  others: ReadonlyMap<string, RangeView>;
}

export const usePlotting = create<Plotting>(() => ({ plots: [], range: null, ranges: new Map(), others: new Map() }));

/** As often as other live channels. */
const FELT_HZ = 10;

usePlotting.subscribe(({ plots }) => wantBody('plots', plots.some(({ channels }) => channels.some(isFelt)) ? FELT_HZ : 0));

let last = 0;

/** Into a plot, or one of its own where there is none of that number. */
export function addChannel(channel: string, to?: number): void {
  usePlotting.setState(({ plots }) => {
    const plot = plots.find((one) => one.number === to);
    if (!plot) return { plots: [...plots, { number: ++last, channels: [channel] }] };
    if (plot.channels.includes(channel)) return {};
    return { plots: plots.map((one) => (one === plot ? { ...one, channels: [...one.channels, channel] } : one)) };
  });
}

/** A plot of nothing is none. */
export function removeChannel(channel: string, from: number): void {
  usePlotting.setState(({ plots }) => ({
    plots: plots
      .map((one) => (one.number === from ? { ...one, channels: one.channels.filter((name) => name !== channel) } : one))
      .filter((one) => one.channels.length > 0),
  }));
}

export const setRange = (range: Plotting['range']): void => usePlotting.setState({ range: range && range[1] - range[0] > 1e-4 ? range : null });

/** The stretch of the recording that is shown; none: nothing is recorded. */
export function recordedSpan(): [number, number] | null {
  const { on, run } = useReviewing.getState();
  return on && (usePlotting.getState().range ?? runSpan(on, run));
}

/** More than pixels. */
const MOST = 2000;

async function rangeOf(
  channel: string,
  [from_s, to_s]: [number, number],
  most: number,
  recording = useReviewing.getState().on?.entry.name,
): Promise<RangeView | null> {
  if (recording === undefined) return null;
  const answer = await askQuietly({ ask: 'range', recording, channel, from_s, to_s, most });
  return answer?.is === 'range' ? answer : null;
}

/** Asks what is shown and not known; what was shown stays until it comes. */
export async function loadRanges(): Promise<void> {
  const { on } = useReviewing.getState();
  const span = recordedSpan();
  if (!on || !span) return;
  const channels = new Set(usePlotting.getState().plots.flatMap((plot) => plot.channels));
  const known = new Set(on.channels.map(({ name }) => name));
  const { beside } = useReviewing.getState();
  const isStill = (): boolean => {
    const now = recordedSpan();
    return useReviewing.getState().on?.entry.name === on.entry.name && now?.[0] === span[0] && now[1] === span[1];
  };
  await Promise.all(
    [...channels]
      .filter((name) => known.has(name))
      .map(async (name) => {
        const range = await rangeOf(name, span, MOST);
        if (range && isStill()) usePlotting.setState(({ ranges }) => ({ ranges: new Map(ranges).set(name, range) }));
        if (!beside?.recording) return;
        const { name: other, byS } = beside.recording;
        const its = await rangeOf(name, [span[0] - byS, span[1] - byS], MOST, other);
        if (!its || !isStill() || useReviewing.getState().beside !== beside) return;
        const shifted = { ...its, times_s: its.times_s.map((atS) => atS + byS) };
        usePlotting.setState(({ others }) => ({ others: new Map(others).set(name, shifted) }));
      }),
  );
}

/** Of the run that it is compared with. */
export function otherOf(channel: string): Pick<Series, 'timesS' | 'values'> {
  const range = usePlotting.getState().others.get(channel);
  return { timesS: range?.times_s ?? [], values: range?.values ?? [] };
}

/** Told only when it changes: it is so until it changes again. */
export const holds = (channel: string): boolean => channel.startsWith('variable/') || channel.startsWith('condition/');

/** Of the recording, or live. */
export function dataOf(channel: string): Series {
  if (useReviewing.getState().on === null) return seriesOf(channel);
  const range = usePlotting.getState().ranges.get(channel);
  const data = { timesS: range?.times_s ?? [], values: range?.values ?? [], unit: range?.unit ?? '' };
  const [last, toS] = [data.values.at(-1), recordedSpan()?.[1]];
  if (!holds(channel) || last === undefined || toS === undefined || (data.timesS.at(-1) ?? toS) >= toS) return data;
  return { ...data, timesS: [...data.timesS, toS], values: [...data.values, last] };
}

const NOTHING: StatisticsView = { count: 0, least: NaN, greatest: NaN, mean: NaN, deviation: NaN };

export function statistics({ timesS, values }: Pick<Series, 'timesS' | 'values'>, range: Plotting['range']): StatisticsView {
  const shown = range ? values.filter((_, index) => (timesS[index] ?? 0) >= range[0] && (timesS[index] ?? 0) <= range[1]) : values;
  if (shown.length === 0) return NOTHING;
  const mean = shown.reduce((sum, value) => sum + value, 0) / shown.length;
  const deviation = Math.sqrt(shown.reduce((sum, value) => sum + (value - mean) ** 2, 0) / shown.length);
  const [least, greatest] = shown.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  return { count: shown.length, least, greatest, mean, deviation };
}

/** Of all values of the visible stretch; the recording's are counted where it lies. */
export function statisticsOf(channel: string): StatisticsView {
  if (useReviewing.getState().on !== null) return usePlotting.getState().ranges.get(channel)?.statistics ?? NOTHING;
  return statistics(seriesOf(channel), usePlotting.getState().range);
}

/** The last value not after a time. */
export function valueAt({ timesS, values }: Pick<Series, 'timesS' | 'values'>, atS: number | null): number | undefined {
  if (atS === null) return values.at(-1);
  let low = 0;
  let high = timesS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesS[middle] ?? 0) <= atS) low = middle + 1;
    else high = middle;
  }
  return values[low - 1];
}

/** As spreadsheets read it: a line for each time, a column for each channel. */
export function csvOf(channels: readonly string[], all: readonly Pick<Series, 'timesS' | 'values'>[]): string {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = new Map<number, (number | undefined)[]>();
  all.forEach(({ timesS, values }, column) =>
    timesS.forEach((atS, index) => {
      const row = rows.get(atS) ?? [];
      row[column] = values[index];
      rows.set(atS, row);
    }),
  );
  const lines = [...rows].sort(([a], [b]) => a - b).map(([atS, row]) => [atS, ...channels.map((_, column) => row[column] ?? '')].join(','));
  return [['time_s', ...channels.map(quoted)].join(','), ...lines, ''].join('\n');
}

/** Finer than a plot shows it. */
const MOST_EXPORTED = 200_000;

/** The visible stretch, all values of it. */
export async function exported(channels: readonly string[]): Promise<string> {
  const span = recordedSpan();
  if (span) {
    const all = await Promise.all(channels.map((name) => rangeOf(name, span, MOST_EXPORTED)));
    return csvOf(
      channels,
      all.map((range) => ({ timesS: range?.times_s ?? [], values: range?.values ?? [] })),
    );
  }
  const { range } = usePlotting.getState();
  const within = (atS: number): boolean => !range || (atS >= range[0] && atS <= range[1]);
  return csvOf(
    channels,
    channels.map((name) => {
      const { timesS, values } = seriesOf(name);
      return { timesS: timesS.filter(within), values: values.filter((_, index) => within(timesS[index] ?? 0)) };
    }),
  );
}

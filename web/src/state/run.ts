import { create } from 'zustand';
import { keyOf, type InstanceKey } from '../api/ids';
import type { HappeningView, InstanceView, NoteKind, RunningView, RunView, Verdict } from '../api/types';
import { ancestorsOf, useDoc } from './document';

export type StepState = 'running' | Verdict;

export interface StepStatus {
  state: StepState;
  progress: number | null;
  sinceS: number | null;
  reason: string | null;
  outcome: string | null;
}

/** What happens somewhere below a node, so that a collapsed one can show it. */
export interface Below {
  running: number;
  failed: number;
}

export interface Run {
  /** False until the robot's state has come once. */
  known: boolean;
  /** As it is now, whatever moment is looked at. */
  view: RunView;
  /** What the rest is about: now, or the moment that is looked at. */
  atS: number;
  running: readonly RunningView[];
  next: InstanceKey | null;
  status: ReadonlyMap<InstanceKey, StepStatus>;
  below: ReadonlyMap<InstanceKey, Below>;
  locks: ReadonlySet<InstanceKey>;
  breakpoints: ReadonlySet<InstanceKey>;
}

export const NO_RUN: RunView = {
  mode: 'stopped',
  time_s: 0,
  run_s: null,
  automatic: false,
  paused: false,
  concurrency: true,
  autonomy: 'full',
  in_control: null,
  next: null,
  waits: '',
  running: [],
  results: [],
  tracks: [],
  questions: [],
  held: [],
  locks: [],
  breakpoints: [],
  measured: [],
  ended: null,
  runs: 0,
  late: null,
};

export const useRun = create<Run>(() => ({
  known: false,
  view: NO_RUN,
  atS: 0,
  running: [],
  next: null,
  status: new Map(),
  below: new Map(),
  locks: new Set(),
  breakpoints: new Set(),
}));

/** What has not changed stays the same object: rows of the tree are drawn again only for what has. */
type Shown = Pick<RunView, 'results' | 'running'>;

function statusOf(view: Shown): Map<InstanceKey, StepStatus> {
  const before = useRun.getState().status;
  const status = new Map<InstanceKey, StepStatus>();
  const put = (step: InstanceView, now: StepStatus): void => {
    const key = keyOf(step);
    const old = before.get(key);
    const same = old && (Object.keys(now) as (keyof StepStatus)[]).every((name) => old[name] === now[name]);
    status.set(key, same ? old : now);
  };
  for (const { step, result, outcome, reason } of view.results) {
    put(step, { state: result, progress: null, sinceS: null, reason, outcome });
  }
  for (const { step, progress, since_s } of view.running) {
    put(step, { state: 'running', progress, sinceS: since_s, reason: null, outcome: null });
  }
  return status;
}

function belowOf(view: Shown): Map<InstanceKey, Below> {
  const doc = useDoc.getState();
  const before = useRun.getState().below;
  const below = new Map<InstanceKey, Below>();
  const count = (step: InstanceView, field: keyof Below): void => {
    for (const key of ancestorsOf(doc, step)) {
      const entry = below.get(key) ?? { running: 0, failed: 0 };
      entry[field] += 1;
      below.set(key, entry);
    }
  };
  for (const { step } of view.running) count(step, 'running');
  for (const { step, result } of view.results) if (result === 'failure') count(step, 'failed');
  for (const [key, now] of below) {
    const old = before.get(key);
    if (old && old.running === now.running && old.failed === now.failed) below.set(key, old);
  }
  return below;
}

export function putRun(view: RunView): void {
  if (useStory.getState().originS === null && view.run_s !== null) useStory.setState({ originS: view.time_s - view.run_s });
  useRun.setState({
    known: true,
    view,
    locks: new Set(view.locks.map(keyOf)),
    breakpoints: new Set(view.breakpoints.map(keyOf)),
    ...looked(view, useStory.getState()),
  });
}

/** Another robot process, or another operator process: nothing of it is known. */
export function forgetRun(): void {
  useRun.setState({
    known: false,
    view: NO_RUN,
    atS: 0,
    running: [],
    next: null,
    status: new Map(),
    below: new Map(),
    locks: new Set(),
    breakpoints: new Set(),
  });
  useStory.setState({ ...NO_STORY, lines: [] });
}

/** Of now, or of the moment that the cursor was put to. */
function looked(view: RunView, { bars, pinnedS, recorded }: Story): Pick<Run, 'atS' | 'running' | 'next' | 'status' | 'below'> {
  const shown = pinnedS === null ? view : recorded ? exactly(asAt(bars, pinnedS), view) : asAt(bars, pinnedS);
  const next = (pinnedS === null || recorded) && view.next ? keyOf(view.next) : null;
  return { atS: pinnedS ?? view.time_s, running: shown.running, next, status: statusOf(shown), below: belowOf(shown) };
}

/** What ran at a moment of a recording is known to the tick; how far it was, as it was told last. */
function exactly({ running, results }: Shown, told: Shown): Shown {
  const progress = new Map(told.running.map((one) => [keyOf(one.step), one.progress]));
  const outcomes = new Map(told.results.map((one) => [keyOf(one.step), one]));
  return {
    running: running.map((one) => ({ ...one, progress: progress.get(keyOf(one.step)) ?? null })),
    results: results.map((one) => {
      const same = outcomes.get(keyOf(one.step));
      return same?.result === one.result ? { ...one, outcome: same.outcome } : one;
    }),
  };
}

/** What ran then and how what had ended by then ended, from the bars. */
export function asAt(bars: readonly Bar[], atS: number): Shown {
  const newest = new Map<InstanceKey, Bar>();
  for (const bar of bars) if (bar.startS <= atS) newest.set(bar.key, bar);
  const running: RunningView[] = [];
  const results: RunView['results'] = [];
  for (const { step, startS, endS, result, reason } of newest.values()) {
    if (endS === null || endS > atS || result === null) running.push({ step, since_s: startS, progress: null });
    else results.push({ step, result, outcome: null, reason });
  }
  return { running, results };
}

export interface Bar {
  key: InstanceKey;
  step: InstanceView;
  startS: number;
  endS: number | null;
  result: Verdict | null;
  reason: string | null;
}

export interface LogLine {
  number: number;
  atS: number;
  kind: NoteKind | 'run' | 'failure';
  step: InstanceView | null;
  text: string;
  /** When the run began that it belongs to; none: before any. */
  originS: number | null;
}

export interface Story {
  bars: Bar[];
  /** Of the run before this one, to compare. */
  before: Bar[];
  lines: LogLine[];
  /** When the run began, by the robot's clock: all panels count from there. None: no run is known. */
  originS: number | null;
  /** The time that all panels point at; none: now. */
  cursorS: number | null;
  /** The cursor stays there, and the 3D view shows that moment; none: live. */
  pinnedS: number | null;
  /** Nothing has happened since all began anew. */
  anew: boolean;
  /** It is that of a recording, and so is all that the panels show; `pinnedS` is its moment. */
  recorded: boolean;
}

export const NO_STORY: Story = { bars: [], before: [], lines: [], originS: null, cursorS: null, pinnedS: null, anew: false, recorded: false };

export const useStory = create<Story>(() => NO_STORY);

/** The one clock of timeline, log, readouts and marks: seconds since the run began. */
export const sinceStart = (atS: number, originS: number | null): string => (originS === null ? '–' : (atS - originS).toFixed(1));

/** The mouse is over this time; a cursor that was put somewhere stays there. */
export function hoverTime(atS: number | null): void {
  const { pinnedS, recorded } = useStory.getState();
  if (pinnedS === null || recorded) useStory.setState({ cursorS: atS });
}

/** How a recording is looked at elsewhere; none: the run is live. */
let seek: ((atS: number | null) => void) | null = null;

export function seekWith(to: typeof seek): void {
  seek = to;
}

export const pinTime = (atS: number): void => (seek ?? lookAt)(atS);

export const goLive = (): void => (seek ?? lookAt)(null);

function lookAt(atS: number | null): void {
  useStory.setState({ cursorS: atS, pinnedS: atS });
  lookAgain();
}

/** In another tree what runs stands elsewhere. */
export function lookAgain(): void {
  useRun.setState(looked(useRun.getState().view, useStory.getState()));
}

/** As a sentence begins. */
export const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

// A run of hours must not grow the page without end.
const MOST_BARS = 5000;
const MOST_LINES = 5000;
let lineNumber = 0;

export function putHappenings(happenings: HappeningView[]): void {
  const story = useStory.getState();
  let bars = story.bars.slice();
  let before = story.before;
  let lines = story.lines.slice();
  let { originS, anew } = story;
  const say = (atS: number, kind: LogLine['kind'], step: InstanceView | null, text: string): void => {
    lines.push({ number: lineNumber++, atS, kind, step, text: sentence(text), originS });
  };
  for (const happening of happenings) {
    switch (happening.what) {
      case 'anew':
        if (bars.length > 0) before = bars;
        bars = [];
        originS = null;
        goLive();
        // The world does, and then the run in it: one thing to whoever reads it.
        if (!anew) say(happening.at_s, 'run', null, 'All begins anew.');
        anew = true;
        break;
      case 'started':
        anew = false;
        bars.push({
          key: keyOf(happening.step),
          step: happening.step,
          startS: happening.at_s,
          endS: null,
          result: null,
          reason: null,
        });
        break;
      case 'ended': {
        const key = keyOf(happening.step);
        const at = bars.findLastIndex((bar) => bar.key === key && bar.endS === null);
        const bar = bars[at];
        if (bar) bars[at] = { ...bar, endS: happening.at_s, result: happening.result, reason: happening.reason };
        if (happening.result === 'failure') {
          say(happening.at_s, 'failure', happening.step, happening.reason === null ? 'failed' : `failed: ${happening.reason}`);
        }
        break;
      }
      case 'note':
        say(happening.at_s, happening.kind, happening.step, happening.text);
        break;
      case 'run':
        // One that goes on after a stop counts on.
        if (happening.fact === 'began' && (originS === null || bars.length === 0)) originS = happening.at_s;
        say(happening.at_s, 'run', happening.step, happening.text);
        break;
      case 'control':
        say(happening.at_s, 'run', null, happening.text);
        break;
    }
  }
  if (bars.length > MOST_BARS) bars = bars.slice(-MOST_BARS);
  if (lines.length > MOST_LINES) lines = lines.slice(-MOST_LINES);
  useStory.setState({ bars, before, lines, originS, anew });
}

import { create } from 'zustand';
import { keyOf, type InstanceKey } from '../api/ids';
import type { HappeningView, InstanceView, NoteKind, RunView, Verdict } from '../api/types';
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
  view: RunView;
  next: InstanceKey | null;
  status: ReadonlyMap<InstanceKey, StepStatus>;
  below: ReadonlyMap<InstanceKey, Below>;
  locks: ReadonlySet<InstanceKey>;
  breakpoints: ReadonlySet<InstanceKey>;
}

const empty: RunView = {
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
  view: empty,
  next: null,
  status: new Map(),
  below: new Map(),
  locks: new Set(),
  breakpoints: new Set(),
}));

/** What has not changed stays the same object: rows of the tree are drawn again only for what has. */
function statusOf(view: RunView): Map<InstanceKey, StepStatus> {
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

function belowOf(view: RunView): Map<InstanceKey, Below> {
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
  useRun.setState({
    known: true,
    view,
    next: view.next ? keyOf(view.next) : null,
    status: statusOf(view),
    below: belowOf(view),
    locks: new Set(view.locks.map(keyOf)),
    breakpoints: new Set(view.breakpoints.map(keyOf)),
  });
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
}

export interface Story {
  bars: Bar[];
  /** Of the run before this one, to compare. */
  before: Bar[];
  lines: LogLine[];
  /** The time that all panels point at; none: now. */
  cursorS: number | null;
  /** The cursor stays there, and the 3D view shows that moment; none: live. */
  pinnedS: number | null;
}

export const useStory = create<Story>(() => ({ bars: [], before: [], lines: [], cursorS: null, pinnedS: null }));

/** The mouse is over this time; a cursor that was put somewhere stays there. */
export function hoverTime(atS: number | null): void {
  if (useStory.getState().pinnedS === null) useStory.setState({ cursorS: atS });
}

export const pinTime = (atS: number): void => useStory.setState({ cursorS: atS, pinnedS: atS });

export const goLive = (): void => useStory.setState({ cursorS: null, pinnedS: null });

// A run of hours must not grow the page without end.
const MOST_BARS = 5000;
const MOST_LINES = 5000;
let lineNumber = 0;

export function putHappenings(happenings: HappeningView[]): void {
  const story = useStory.getState();
  let bars = story.bars.slice();
  let before = story.before;
  let lines = story.lines.slice();
  const say = (atS: number, kind: LogLine['kind'], step: InstanceView | null, text: string): void => {
    lines.push({ number: lineNumber++, atS, kind, step, text });
  };
  for (const happening of happenings) {
    switch (happening.what) {
      case 'anew':
        if (bars.length > 0) before = bars;
        bars = [];
        goLive();
        say(happening.at_s, 'run', null, 'The run begins anew.');
        break;
      case 'started':
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
          say(happening.at_s, 'failure', happening.step, happening.reason ?? 'failed');
        }
        break;
      }
      case 'note':
        say(happening.at_s, happening.kind, happening.step, happening.text);
        break;
      case 'run':
        say(happening.at_s, 'run', happening.step, happening.text);
        break;
      case 'control':
        say(happening.at_s, 'run', null, happening.text);
        break;
    }
  }
  if (bars.length > MOST_BARS) bars = bars.slice(-MOST_BARS);
  if (lines.length > MOST_LINES) lines = lines.slice(-MOST_LINES);
  useStory.setState({ bars, before, lines });
}

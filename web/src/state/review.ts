import { bodyState, previewState, robotState, type RobotState } from '../api/slots';
import type { DocumentView, MomentView, PosedView, Push, RecordingView, WhatIfView } from '../api/types';
import { ask, asked } from './actions';
import { nameOf, putDocument, useDoc } from './document';
import { forgetSeen, showSeen } from './pictures';
import { endPreview, usePreviewing } from './previewing';
import { barOf, barsOf, failuresOf, firstDifference, linesOf, resultText, runAt, runSpan, spanOf, versionAt } from './recorded';
import { refreshRecordings } from './recordings';
import { beginReview, dropGone, endReview, isTreeOfThen, openFile, showTree, useReviewing } from './reviewing';
import { putRun, sinceStart, useStory, type Bar } from './run';
import { notify, useUi } from './ui';
import { putAround, putScene, putVariables } from './world';

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** So often the panels are told another moment while it plays. */
const PLAY_MS = 66;

let asking = false;
let wantedS: number | null = null;
let playTimer: ReturnType<typeof setInterval> | undefined;

/** All panels show this recording, at its end or at a time. */
export async function openRecording(recording: string, atS?: number): Promise<void> {
  useReviewing.setState({ busy: 'Opening' });
  const answer = await ask({ ask: 'open_recording', recording });
  useReviewing.setState({ busy: null });
  if (answer?.is !== 'recording') return;
  if (usePreviewing.getState().on) {
    await ask({ ask: 'end_preview' });
    endPreview();
  }
  pause();
  forgetSeen();
  beginReview((to) => (to === null ? closeRecording() : seek(to)));
  showTree('then');
  const { entry } = answer;
  const run = atS === undefined ? Math.max(0, entry.runs.length - 1) : runAt(entry.runs, atS);
  useReviewing.setState({ on: answer, beside: null, replayed: null, version: -1, atS: atS ?? 0 });
  useUi.setState({ selection: [], renaming: null });
  putTree(answer.document, 0);
  showRun(run);
  seek(atS ?? entry.runs[run]?.began_s ?? spanOf(answer)[0]);
}

/** What is live, in its recording: there it is whole, also after the page was loaded anew. */
export async function openOwnRun(): Promise<void> {
  const { pinnedS } = useStory.getState();
  const file = openFile();
  const answer = await ask({ ask: 'recordings' });
  if (answer?.is !== 'recordings') return;
  const own = answer.recordings.find((entry) => entry.live) ?? answer.recordings.find((entry) => entry.behavior === file);
  if (own) await openRecording(own.name, pinnedS ?? undefined);
  else notify('info', 'There is no recording of this run.');
}

export function closeRecording(): void {
  pause();
  wantedS = null;
  forgetSeen();
  endReview();
}

/** Its bars and lines in timeline and log. */
function showRun(run: number): void {
  const { on } = useReviewing.getState();
  if (!on) return;
  useReviewing.setState({ run });
  const story = useStory.getState();
  useStory.setState({ ...story, bars: barsOf(on, run), before: [], lines: linesOf(on), originS: on.entry.runs[run]?.began_s ?? spanOf(on)[0], recorded: true });
}

function putTree(document: DocumentView, version: number): void {
  useReviewing.setState({ version });
  if (!isTreeOfThen()) return;
  putDocument({ ...document, undo: null, redo: null });
  useDoc.setState({ problems: new Map(), allProblems: [] });
  dropGone();
}

/** Within the recording; what runs then is shown. */
export function seek(to: number): void {
  const { on, run } = useReviewing.getState();
  if (!on) return;
  const [firstS, lastS] = spanOf(on);
  const atS = Math.min(lastS, Math.max(firstS, to));
  const [fromS, untilS] = runSpan(on, run);
  if (atS < fromS - 1e-9 || atS > untilS + 1e-9) showRun(runAt(on.entry.runs, atS));
  useReviewing.setState({ atS });
  useStory.setState({ pinnedS: atS });
  wantedS = atS;
  if (!asking) void askOn();
}

/** One question at a time: what is wanted meanwhile waits, and the newest of it is asked next. */
async function askOn(): Promise<void> {
  asking = true;
  while (wantedS !== null) {
    const { on, version } = useReviewing.getState();
    if (!on) break;
    const at_s = wantedS;
    wantedS = null;
    const tree = versionAt(on, at_s) !== version && isTreeOfThen();
    const answer = await asked({ ask: 'moment', recording: on.entry.name, at_s, tree }).catch((error: unknown) => error);
    if (useReviewing.getState().on?.entry.name !== on.entry.name) continue;
    if (answer instanceof Error) {
      pause();
      notify('error', answer.message);
    } else if ((answer as MomentView & { is: string }).is === 'moment') {
      putMoment(on, answer as MomentView, tree);
    }
  }
  asking = false;
}

const stateOf = ({ base, joints, flags }: PosedView, timeS: number): RobotState => ({
  timeS,
  base: Float32Array.from(base),
  joints: Float32Array.from(joints),
  flags,
});

function putMoment(view: RecordingView, moment: MomentView, withTree: boolean): void {
  if (withTree) putTree(moment.document ?? view.document, moment.version);
  useReviewing.setState({ tick: moment.tick });
  robotState.show(moment.robot && stateOf(moment.robot, moment.at_s));
  const { showCommanded } = useReviewing.getState();
  previewState.show(showCommanded && moment.commanded ? stateOf(moment.commanded, moment.at_s) : null);
  if (!moment.robot) bodyState.show(null);
  for (const push of moment.told) tell(push);
  showSeen(view.entry.name, moment);
}

function tell(push: Push): void {
  if (push.push === 'run') putRun(push);
  else if (push.push === 'variables') putVariables(push.variables, push.tokens);
  else if (push.push === 'body') bodyState.show(push);
  else if (push.push === 'scene') putScene(push);
  else if (push.push === 'world') putAround(push.whole, push.solids, push.outlines);
}

/** The same moment again, with something else of it. */
export const showAgain = (): void => seek(useReviewing.getState().atS);

export function play(): void {
  const { on, atS, playing, run } = useReviewing.getState();
  if (!on || playing) return;
  // From its beginning again, where it is at its end.
  const [fromS, toS] = runSpan(on, run);
  if (atS >= toS - 1e-3) seek(fromS);
  useReviewing.setState({ playing: true });
  let beforeMs = performance.now();
  playTimer = setInterval(() => {
    const nowMs = performance.now();
    const { atS: nowS, speed } = useReviewing.getState();
    const nextS = nowS + ((nowMs - beforeMs) / 1000) * speed;
    beforeMs = nowMs;
    seek(Math.min(toS, nextS));
    if (nextS >= toS) pause();
  }, PLAY_MS);
}

export function pause(): void {
  clearInterval(playTimer);
  useReviewing.setState({ playing: false });
}

export const setSpeed = (speed: number): void => useReviewing.setState({ speed });

/** Of one tick of the engine. */
export function tickS(on: RecordingView): number {
  const { duration_s } = on.entry;
  return on.ticks > 0 && duration_s > 0 ? duration_s / on.ticks : 0.02;
}

export function stepTicks(by: number): void {
  const { on, atS } = useReviewing.getState();
  if (!on) return;
  pause();
  seek(atS + by * tickS(on));
}

/** To the next time at which a step failed, or the one before. */
export function jumpFailure(by: 1 | -1): void {
  const { on, atS } = useReviewing.getState();
  if (!on) return;
  pause();
  const all = failuresOf(on);
  const near = tickS(on) / 2;
  const to = by > 0 ? all.find((at) => at > atS + near) : all.findLast((at) => at < atS - near);
  if (to === undefined) notify('info', by > 0 ? 'No step fails after this moment.' : 'No step failed before this moment.');
  else seek(to);
}

export function goToRun(run: number): void {
  const { on } = useReviewing.getState();
  if (!on) return;
  pause();
  showRun(run);
  seek(runSpan(on, run)[0]);
}

/** An empty text takes the marks of that moment away. */
export async function mark(text: string, at_s = useReviewing.getState().atS): Promise<void> {
  const { on } = useReviewing.getState();
  if (!on) return;
  const answer = await ask({ ask: 'mark', recording: on.entry.name, at_s, text });
  if (answer?.is !== 'marks') return;
  useReviewing.setState(({ on: now }) => (now?.entry.name === on.entry.name ? { on: { ...now, marks: answer.marks } } : {}));
  refreshRecordings();
}

export async function keep(recording: string, on: boolean): Promise<void> {
  if (!(await ask({ ask: 'keep', recording, keep: on }))) return;
  useReviewing.setState(({ on: now }) => (now?.entry.name === recording ? { on: { ...now, entry: { ...now.entry, kept: on } } } : {}));
  refreshRecordings();
}

/** While it is computed the page says so. */
async function computing<T>(what: string, done: Promise<T>): Promise<T> {
  useReviewing.setState({ busy: what });
  try {
    return await done;
  } finally {
    useReviewing.setState({ busy: null });
  }
}

export async function replay(): Promise<void> {
  const { on } = useReviewing.getState();
  if (!on) return;
  const answer = await computing('Running it again', ask({ ask: 'replay', recording: on.entry.name }));
  if (answer?.is === 'replayed' && useReviewing.getState().on?.entry.name === on.entry.name) useReviewing.setState({ replayed: answer });
}

/** Where the steps of another run part from those that are shown. */
function partOf(there: Bar[]): ReturnType<typeof firstDifference> {
  const { bars, originS } = useStory.getState();
  const doc = useDoc.getState();
  return firstDifference(bars, there, originS ?? 0, (step) => nameOf(doc, step.node));
}

/** Bars of another run under those of this one, as if both had begun at once. */
export async function compareWith(other: string): Promise<void> {
  const { on, run } = useReviewing.getState();
  if (!on || other === on.entry.name) return;
  const both = Promise.all([ask({ ask: 'compare', recording: on.entry.name, with: other }), ask({ ask: 'open_recording', recording: other })]);
  const [compared, opened] = await computing('Comparing', both);
  if (compared?.is !== 'compared' || opened?.is !== 'recording' || useReviewing.getState().on?.entry.name !== on.entry.name) return;
  const last = Math.min(run, Math.max(0, opened.entry.runs.length - 1));
  const began = (view: RecordingView, of: number): number => view.entry.runs[of]?.began_s ?? spanOf(view)[0];
  const byS = began(on, run) - began(opened, last);
  const bars = barsOf(opened, last).map((bar) => ({ ...bar, startS: bar.startS + byS, endS: bar.endS === null ? null : bar.endS + byS }));
  const difference = partOf(bars) ?? (compared.difference && { atS: compared.difference.at_s, text: compared.difference.text });
  const text = difference?.text ?? 'The same steps did the same things in the same ticks.';
  useReviewing.setState({
    beside: {
      title: `${opened.entry.behavior} of ${new Date(opened.entry.began_unix_ms).toLocaleString()}, ${resultText(opened.entry)}`,
      bars,
      difference,
      text,
      whatIf: null,
      recording: { name: other, byS },
    },
  });
}

/** Times as everywhere, from the beginning of the run. */
function whatIfText({ result, reason, recorded_until_s, simulated, bars }: WhatIfView, originS: number): string {
  const end = result === null ? 'has not ended' : resultText({ result, live: false, cut: false }).toLowerCase();
  const endS = bars.reduce((last, bar) => Math.max(last, bar.end_s ?? bar.start_s), originS);
  const judged =
    recorded_until_s === null
      ? 'It met what was recorded to its end.'
      : `It met what was recorded until ${Math.max(0, recorded_until_s - originS).toFixed(1)} s, ${simulated ? 'then the simulator' : 'and no further: from there it commands something else'}.`;
  return `With the edited tree it ${end} at ${(endS - originS).toFixed(1)} s${reason ? `: ${reason}` : ''}. ${judged}`;
}

/** The tree that is open runs in this recording from the moment that is shown. */
export async function whatIf(): Promise<void> {
  const { on, atS } = useReviewing.getState();
  if (!on) return;
  pause();
  const answer = await computing('What if', ask({ ask: 'what_if', recording: on.entry.name, from_s: atS, against: 'best' }));
  if (answer?.is !== 'what_if' || useReviewing.getState().on?.entry.name !== on.entry.name) return;
  const { originS } = useStory.getState();
  const bars = answer.bars.map(barOf(answer.duration_s));
  useReviewing.setState({
    beside: {
      title: `What if, from ${sinceStart(atS, originS)} s`,
      bars,
      difference: partOf(bars),
      text: whatIfText(answer, originS ?? 0),
      whatIf: answer,
      recording: null,
    },
  });
}

export const putAway = (): void => useReviewing.setState({ beside: null });

/** The tree that is open, to edit it and try it here; another behavior's would be about other steps. */
export function tryEdits(): void {
  const { on } = useReviewing.getState();
  if (!on) return;
  const open = openFile();
  if (open !== on.entry.behavior) notify('info', `The behavior that is open is ${open ?? 'none'}; this recording is of ${on.entry.behavior}.`);
  showTree('open');
}

export function showTreeOfThen(): void {
  const { on } = useReviewing.getState();
  if (!on) return;
  showTree('then');
  putTree(on.document, 0);
  showAgain();
}

// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeOperator, nodeView, recordingEntry, recordingView, runView } from '../api/fake';
import { cloud, previewState, robotState } from '../api/slots';
import type { Client } from '../api/socket';
import type { Answer, BarView, MomentView, Request } from '../api/types';
import { registerAll } from '../commands/list';
import { command, isEnabled } from '../commands/registry';
import { ask, run } from './actions';
import { connect } from './connect';
import { useContact } from './contact';
import { useDoc } from './document';
import {
  closeRecording,
  compareWith,
  goToRun,
  jumpFailure,
  mark,
  openOwnRun,
  openRecording,
  pause,
  play,
  replay,
  seek,
  setSpeed,
  showTreeOfThen,
  stepTicks,
  tryEdits,
  whatIf,
} from './review';
import { useReviewing } from './reviewing';
import { goLive, hoverTime, pinTime, useRun, useStory } from './run';
import { useUi } from './ui';
import { useWorld } from './world';

registerAll();

const step = (node: string) => ({ uses: [], node });
const bar = (node: string, start_s: number, end_s: number | null, result: BarView['result'], reason: string | null = null): BarView => ({
  step: step(node),
  path: node,
  kind: 'wait',
  start_s,
  end_s,
  result,
  outcome: null,
  reason,
});
const tree = [nodeView('root', null, { children: ['a', 'b'] }), nodeView('a', 'root'), nodeView('b', 'root')];
const edited = [...tree.slice(1), nodeView('root', null, { children: ['a', 'b', 'c'] }), nodeView('c', 'root')];
const bars = [bar('a', 1, 3, 'success'), bar('b', 3, 6, 'failure', 'it slipped'), bar('a', 13, 15, 'success'), bar('b', 15, null, null)];
const runs = [
  { began_s: 1, ended_s: 6, result: 'failure' as const, reason: 'it slipped' },
  { began_s: 12, ended_s: null, result: null, reason: '' },
];
const recording = recordingView(recordingEntry('one', { duration_s: 20, runs }), tree, {
  bars,
  lines: [
    { at_s: 2, kind: 'log', step: step('a'), text: 'half way' },
    { at_s: 13, kind: 'command', step: null, text: 'Anna pressed Step' },
  ],
  edits: [{ at_s: 8, version: 1, by: 'Anna' }],
  ticks: 1000,
});

const moment = (request: Request): Answer => {
  if (request.ask !== 'moment') throw new Error(request.ask);
  const { at_s, tree: withTree } = request;
  const isEdited = at_s >= 8;
  const then: MomentView = {
    at_s,
    tick: Math.round(at_s * 50),
    version: isEdited ? 1 : 0,
    document: withTree && isEdited ? new FakeOperator(edited).document : null,
    told: [
      {
        push: 'run',
        ...runView({
          mode: 'automatic',
          time_s: at_s,
          running: [
            { step: step('a'), since_s: 1, progress: 0.9 },
            { step: step('b'), since_s: 3, progress: 0.5 },
          ],
          waits: 'b waits',
        }),
      },
      { push: 'variables', variables: [{ name: 'count', of: null, world: false, value: at_s }], tokens: [] },
      {
        push: 'scene',
        objects: [{ name: 'ball', pose: [at_s, 0, 0, 0, 0, 0, 1], class: null, stale: false, frozen: false }],
        detections: [],
        frames: [],
        cameras: [],
      },
      { push: 'world', whole: true, solids: [], outlines: [] },
    ],
    robot: { base: [at_s, 0, 1, 0, 0, 0, 1], joints: [0.5], flags: 0 },
    commanded: { base: [at_s, 0, 1, 0, 0, 0, 1], joints: [0.6], flags: 0 },
    pictures: [],
    cloud_s: null,
  };
  return { is: 'moment', ...then };
};

let operator: FakeOperator;
let client: Client;
const asksOf = (kind: Request['ask']): Request[] => operator.asked.filter((request) => request.ask === kind);

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  useUi.setState({ selection: [], notices: [] });
  operator = new FakeOperator([nodeView('live', null, { children: ['x'] }), nodeView('x', 'live')]);
  operator.answers.set('open_recording', () => ({ is: 'recording', ...recording }));
  operator.answers.set('moment', moment);
  client = connect(operator.open);
  await vi.waitFor(() => expect(useDoc.getState().open).toBe(true));
  operator.push({
    push: 'link',
    quality: 'good',
    round_trip_ms: 1,
    loss: 0,
    state_age_ms: 0,
    stop_pending: false,
    waiting_bytes: 0,
    channels: [],
    narrow: false,
    budget_left_bytes: null,
  });
  operator.push({ push: 'run', ...runView({ mode: 'manual', next: step('x') }) });
  robotState.put({ timeS: 99, base: new Float32Array(7), flags: 0, joints: new Float32Array(1) });
});

afterEach(() => {
  closeRecording();
  client.end();
  vi.useRealTimers();
});

const shown = async (atS: number): Promise<void> => vi.waitFor(() => expect(useRun.getState().view.time_s).toBeCloseTo(atS));

test('a moment is shown by the same panels as the present: tree, run, variables, scene, robot', async () => {
  await openRecording('one', 4);
  await shown(4);
  expect([...useDoc.getState().nodes.keys()]).toContain('b');
  // What ran is known to the tick, whatever was told last.
  expect(useRun.getState().status.get('a')?.state).toBe('success');
  expect(useRun.getState().status.get('b')).toMatchObject({ state: 'running', progress: 0.5 });
  expect(useRun.getState().view.waits).toBe('b waits');
  expect(useWorld.getState().variables.get(':count')?.value).toBe(4);
  expect(useWorld.getState().objects[0]?.pose?.[0]).toBe(4);
  expect(robotState.get()?.base[0]).toBe(4);
  expect(previewState.get()?.joints[0]).toBeCloseTo(0.6);
  // The run of that time, not those after it; and the log with what failed.
  expect(useStory.getState()).toMatchObject({ originS: 1, pinnedS: 4 });
  expect(useStory.getState().bars.map((one) => one.startS)).toEqual([1, 3]);
  expect(useStory.getState().lines.map((line) => line.text)).toEqual(['Half way', 'Failed: it slipped', 'Anna pressed Step']);
  expect(useStory.getState().lines.map((line) => line.originS)).toEqual([1, 1, 12]);
});

test('what the robot does meanwhile is kept, and shown when one goes back to live', async () => {
  await openRecording('one', 4);
  await shown(4);
  operator.push({ push: 'run', ...runView({ mode: 'automatic', time_s: 100, next: step('x') }) });
  operator.push({ push: 'happened', happenings: [{ at_s: 100, what: 'started', step: step('x') }] });
  operator.push({ push: 'scene', objects: [], detections: [], frames: [], cameras: [] });
  operator.push({
    push: 'changed',
    version: 2,
    by: 'Ben',
    what: 'rename',
    files: [],
    nodes: [{ id: 'x', parent: 'live', file: 0, kind: 'wait', name: 'renamed', settings: {} }],
    removed: [],
    children: [],
    undo: null,
    redo: null,
  });
  robotState.put({ timeS: 100, base: new Float32Array(7).fill(7), flags: 0, joints: new Float32Array(1) });
  await seek(5);
  await shown(5);
  expect(robotState.get()?.base[0]).toBe(5);
  expect(useDoc.getState().nodes.has('x')).toBe(false);
  expect(useReviewing.getState().real?.mode).toBe('automatic');

  goLive();
  expect(useReviewing.getState().on).toBeNull();
  expect(useRun.getState().view.time_s).toBe(100);
  expect(useStory.getState()).toMatchObject({ pinnedS: null, recorded: false });
  expect(useStory.getState().bars.map((one) => one.key)).toEqual(['x']);
  expect(useDoc.getState().nodes.get('x')?.name).toBe('renamed');
  expect(useWorld.getState().objects).toEqual([]);
  expect(robotState.get()?.base[0]).toBe(7);
  expect(previewState.get()).toBeNull();
  expect(cloud.isRecorded).toBe(false);
});

test('nothing that is shown of a recording commands the robot but Stop, and its tree is not edited', async () => {
  useContact.setState({ lost: null });
  expect(isEnabled(command('run.step') as never)).toBe(true);
  await openRecording('one', 4);
  await shown(4);
  operator.asked = [];
  await run({ do: 'press' });
  await ask({ ask: 'edit', operation: { do: 'delete', nodes: ['a'] } });
  await ask({ ask: 'undo' });
  expect(operator.asked).toEqual([]);
  for (const id of ['run.step', 'run.automatic', 'tree.set_next', 'edit.delete', 'edit.undo', 'run.preview_mode'])
    expect(isEnabled(command(id) as never), id).toBe(false);
  expect(isEnabled(command('run.stop') as never)).toBe(true);
  goLive();
  expect(isEnabled(command('run.step') as never)).toBe(true);
});

test('the tree is the one of that moment, asked for only where it is another', async () => {
  await openRecording('one', 4);
  await shown(4);
  await seek(9);
  await shown(9);
  expect(useDoc.getState().nodes.has('c')).toBe(true);
  seek(9.5);
  await shown(9.5);
  seek(2);
  await shown(2);
  expect(useDoc.getState().nodes.has('c')).toBe(false);
  expect(asksOf('moment').map((request) => 'tree' in request && request.tree)).toEqual([false, true, false, true]);
});

test('one question at a time, the newest wanted moment next', async () => {
  await openRecording('one', 1);
  await shown(1);
  operator.asked = [];
  for (let at = 20; at < 60; at += 1) pinTime(at / 10);
  await shown(5.9);
  expect(asksOf('moment')).toHaveLength(2);
  expect(useStory.getState().pinnedS).toBeCloseTo(5.9);
  hoverTime(3);
  expect(useStory.getState()).toMatchObject({ cursorS: 3 });
  hoverTime(null);
  expect(useStory.getState().pinnedS).toBeCloseTo(5.9);
});

test('it plays at its speed to the end of the run, steps by ticks and jumps to failures', async () => {
  await openRecording('one', 1);
  await shown(1);
  setSpeed(4);
  play();
  await vi.advanceTimersByTimeAsync(500);
  expect(useReviewing.getState().atS).toBeGreaterThan(2.5);
  expect(useReviewing.getState().atS).toBeLessThan(3.2);
  await vi.advanceTimersByTimeAsync(5000);
  expect(useReviewing.getState()).toMatchObject({ playing: false, atS: 12 });
  goToRun(0);
  expect(useReviewing.getState().atS).toBe(0);
  jumpFailure(1);
  expect(useReviewing.getState().atS).toBe(6);
  stepTicks(-1);
  expect(useReviewing.getState().atS).toBeCloseTo(5.98);
  jumpFailure(-1);
  expect(useUi.getState().notices.at(-1)?.text).toBe('No step failed before this moment.');
  goToRun(1);
  expect(useStory.getState().bars.map((one) => [one.key, one.startS, one.endS])).toEqual([
    ['a', 13, 15],
    ['b', 15, 20],
  ]);
  pause();
});

test('marks stay with the recording; running it again and comparing say what differs', async () => {
  const difference = {
    at_s: 3,
    tick: 150,
    step: step('b'),
    path: 'b',
    what: 'ended',
    was: 'failure',
    is: 'success',
    text: 'In tick 150, b ended with success, before with failure.',
  };
  operator.answers.set('mark', (request) => ({ is: 'marks', marks: request.ask === 'mark' ? [{ at_s: request.at_s, by: 'Anna', text: request.text }] : [] }));
  operator.answers.set('replay', () => ({ is: 'replayed', difference: null, ticks: 1000, duration_s: 20, speed: 40 }));
  operator.answers.set('compare', () => ({ is: 'compared', difference }));
  await openRecording('one', 4);
  await shown(4);
  await mark('here it slips');
  expect(useReviewing.getState().on?.marks).toEqual([{ at_s: 4, by: 'Anna', text: 'here it slips' }]);
  await replay();
  expect(useReviewing.getState()).toMatchObject({ busy: null, replayed: { difference: null } });
  const other = recordingView(recordingEntry('two', { runs: [{ began_s: 5, ended_s: 9, result: 'success', reason: '' }] }), tree, {
    bars: [bar('a', 6, 8, 'success')],
  });
  operator.answers.set('open_recording', () => ({ is: 'recording', ...other }));
  await compareWith('two');
  // Both begin at once.
  expect(useReviewing.getState().beside?.bars.map((one) => [one.startS, one.endS])).toEqual([[2, 4]]);
  expect(useReviewing.getState().beside).toMatchObject({ text: 'a began at 0.00 s here, at 1.00 s there.', difference: { atS: 1 } });
});

test('an edit is tried on the tree that is open: edits are allowed then, and what if says where it leads', async () => {
  operator.answers.set('what_if', () => ({
    is: 'what_if',
    from_s: 4,
    recorded_until_s: 5,
    simulated: true,
    result: 'success',
    reason: '',
    duration_s: 8,
    bars: [bar('a', 1, 3, 'success'), bar('b', 3, 8, 'success')],
    difference: null,
  }));
  await openRecording('one', 4);
  await shown(4);
  tryEdits();
  expect(useDoc.getState().nodes.has('x')).toBe(true);
  expect(isEnabled(command('edit.redo') as never)).toBe(false); // nothing to redo, but not for the recording
  await ask({ ask: 'edit', operation: { do: 'rename', node: 'x', name: 'better' } });
  expect(useDoc.getState().nodes.get('x')?.name).toBe('better');
  seek(4);
  await whatIf();
  expect(asksOf('what_if')[0]).toMatchObject({ from_s: 4, against: 'best' });
  expect(useReviewing.getState().beside?.text).toBe('With the edited tree it succeeded at 7.0 s. It met what was recorded until 4.0 s, then the simulator.');
  expect(useReviewing.getState().beside?.difference?.atS).toBe(6);
  showTreeOfThen();
  expect(useDoc.getState().nodes.has('x')).toBe(false);
  goLive();
  expect(useDoc.getState().nodes.get('x')?.name).toBe('better');
});

test('another robot process begins with nothing of the one before, whatever is looked at', async () => {
  await openRecording('one', 4);
  await shown(4);
  operator.push({ push: 'robot_anew' });
  expect(useRun.getState().view.time_s).toBe(4);
  goLive();
  expect(useRun.getState().known).toBe(false);
  expect(robotState.get()).toBeNull();
});

test('what is live is looked at in its own recording, at the moment that was looked back to', async () => {
  operator.answers.set('recordings', () => ({
    is: 'recordings',
    recordings: [recordingEntry('older'), recordingEntry('own', { live: true })],
    folder: '/runs',
    bytes: 0,
    most_bytes: 0,
  }));
  pinTime(5);
  await openOwnRun();
  expect(asksOf('open_recording')).toMatchObject([{ recording: 'own' }]);
  expect(useReviewing.getState().atS).toBe(5);
  goLive();
  operator.answers.set('recordings', () => ({ is: 'recordings', recordings: [], folder: '/runs', bytes: 0, most_bytes: 0 }));
  await openOwnRun();
  expect(useReviewing.getState().on).toBeNull();
  expect(useUi.getState().notices.at(-1)?.text).toBe('There is no recording of this run.');
});

test('a recording that cannot be opened is told, and nothing changes', async () => {
  operator.answers.delete('open_recording');
  operator.refuse.set('open_recording', 'It is no recording.');
  await openRecording('broken');
  expect(useReviewing.getState()).toMatchObject({ on: null, busy: null });
  expect(useUi.getState().notices.at(-1)?.text).toBe('It is no recording.');
});

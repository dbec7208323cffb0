// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeOperator, nodeView, runView } from '../api/fake';
import { robotState } from '../api/slots';
import { Broken, type Client } from '../api/socket';
import { useContact } from './contact';
import { ask, edit, editAndSelect, run, selectedNodes } from './actions';
import { connect } from './connect';
import { useDoc } from './document';
import { useRun } from './run';
import { TAKEN_UP } from './self';
import { select, useUi } from './ui';
import { useWorld } from './world';

let operator: FakeOperator;
let client: Client;

beforeEach(async () => {
  sessionStorage.clear();
  vi.useFakeTimers();
  useUi.setState({ selection: [], notices: [], renaming: null });
  operator = new FakeOperator([nodeView('root', null, { children: ['a', 'b'] }), nodeView('a', 'root'), nodeView('b', 'root')]);
  client = connect(operator.open);
  await vi.waitFor(() => expect(useDoc.getState().open).toBe(true));
});

afterEach(() => {
  client.end();
  vi.useRealTimers();
});

test('the first ask is a hello, and the document follows', () => {
  expect(operator.asked[0]?.ask).toBe('hello');
  expect(useWorld.getState().socket).toBe('open');
  expect([...useDoc.getState().nodes.keys()]).toEqual(['root', 'a', 'b']);
});

test('what is added is shown by the push and selected by the answer', async () => {
  await editAndSelect({ do: 'add', parent: 'root', index: 1, kind: 'log', name: 'said', settings: {} }, []);
  const { nodes } = useDoc.getState();
  expect(nodes.get('root')?.children).toEqual(['a', 'new0', 'b']);
  expect(useUi.getState().selection).toEqual(['new0']);
  expect(useDoc.getState().undo).toBe('add');
});

test('what somebody else deletes does not stay selected or renamed', async () => {
  select(['a', 'b']);
  useUi.setState({ renaming: 'b' });
  await edit({ do: 'delete', nodes: ['b'] });
  expect(useUi.getState().selection).toEqual(['a']);
  expect(useUi.getState().renaming).toBeNull();
});

test('of nodes inside each other only the outer one is meant', () => {
  select(['root', 'a']);
  expect(selectedNodes()).toEqual(['root']);
});

test('a refusal is told to the person', async () => {
  operator.refuse.set('save', 'the disk is full');
  expect(await ask({ ask: 'save', overwrite: false })).toBeNull();
  expect(useUi.getState().notices.at(-1)).toMatchObject({ level: 'error', text: 'the disk is full' });
});

test('after a break it comes back by itself and asks for everything anew', async () => {
  robotState.put({ timeS: 1, base: new Float32Array(7), flags: 0, joints: new Float32Array() });
  operator.break();
  expect(useWorld.getState().socket).toBe('broken');
  // The last pose stays, as of then.
  expect(robotState.get()?.timeS).toBe(1);
  expect(useContact.getState().lost?.of).toBe('page');
  operator.document = { ...operator.document, version: 9, nodes: operator.document.nodes.filter((node) => node.id !== 'b') };
  operator.asked = [];
  await vi.advanceTimersByTimeAsync(300);
  expect(useWorld.getState().socket).toBe('open');
  expect(operator.asked.map((request) => request.ask)).toEqual(expect.arrayContaining(['hello', 'watch', 'document']));
  expect(useDoc.getState().version).toBe(9);
  expect(useDoc.getState().nodes.has('b')).toBe(false);
});

test('an ask on its way when the wire breaks fails instead of waiting for ever', async () => {
  const asked = client.ask({ ask: 'undo' });
  operator.break();
  await expect(asked).rejects.toBeInstanceOf(Broken);
});

test('the wait between attempts grows', async () => {
  for (const wait of [250, 500, 1000]) {
    operator.break();
    // The new wire breaks before it opens: as when nobody listens.
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(operator.wires.length).toBe(0);
    operator.mute = true;
    await vi.advanceTimersByTimeAsync(1);
    expect(operator.wires.length).toBe(1);
  }
});

test('running and failed steps are known by instance and counted around it', () => {
  operator.push({
    push: 'run',
    ...runView({
      next: { uses: [], node: 'b' },
      running: [{ step: { uses: [], node: 'a' }, since_s: 1, progress: 0.5 }],
      results: [{ step: { uses: [], node: 'b' }, result: 'failure', outcome: null, reason: 'no grip' }],
    }),
  });
  const seen = useRun.getState();
  expect(seen.next).toBe('b');
  expect(seen.status.get('a')).toMatchObject({ state: 'running', progress: 0.5 });
  expect(seen.status.get('b')).toMatchObject({ state: 'failure', reason: 'no grip' });
  expect(seen.below.get('root')).toEqual({ running: 1, failed: 1 });
});

test('what has not changed is the same object in the next report', () => {
  const report = (progress: number) =>
    operator.push({
      push: 'run',
      ...runView({
        running: [{ step: { uses: [], node: 'a' }, since_s: 1, progress }],
        results: [{ step: { uses: [], node: 'b' }, result: 'success', outcome: null, reason: null }],
      }),
    });
  report(0.1);
  const before = useRun.getState();
  report(0.2);
  const after = useRun.getState();
  expect(after.status.get('b')).toBe(before.status.get('b'));
  expect(after.below.get('root')).toBe(before.below.get('root'));
  expect(after.status.get('a')).not.toBe(before.status.get('a'));
});

test('whoever runs something while nobody has control takes it, and not from somebody else', async () => {
  const person = (name: string, me: boolean, in_control: boolean) => ({
    name,
    session: name,
    role: 'operator' as const,
    team_role: null,
    node: null,
    edits: false,
    wants_control: false,
    in_control,
    me,
    other_window: false,
  });
  const asked = () => operator.asked.map((request) => request.ask).filter((one) => one === 'take_control' || one === 'run');
  operator.push({ push: 'people', people: [person('Anna', true, false)] });
  await run({ do: 'press' });
  expect(asked()).toEqual(['take_control', 'run']);
  operator.asked = [];
  operator.push({ push: 'people', people: [person('Anna', true, false), person('Ben', false, true)] });
  await run({ do: 'press' });
  expect(asked()).toEqual(['run']);
});

test('a page that is older than the operator process says so and does not ask again', async () => {
  operator.version += 1;
  operator.break();
  await vi.advanceTimersByTimeAsync(300);
  expect(useWorld.getState().socket).toBe('outdated');
  expect(useUi.getState().notices.at(-1)).toMatchObject({ level: 'error', text: 'reload the page' });
  operator.asked = [];
  await vi.advanceTimersByTimeAsync(20_000);
  expect(operator.asked).toEqual([]);
});

const hellos = () => operator.asked.flatMap((request) => (request.ask === 'hello' ? [request] : []));

test('a page that comes back takes up its session, and one that lost it to another window begins a new one', async () => {
  expect(hellos()[0]?.session).toBeUndefined();
  operator.break();
  await vi.advanceTimersByTimeAsync(1000);
  expect(hellos()[1]?.session).toBe('secret 1');
  operator.break(TAKEN_UP);
  await vi.advanceTimersByTimeAsync(1000);
  expect(hellos()[2]?.session).toBeUndefined();
});

test('the robot says whether it is simulated', () => {
  operator.push({ push: 'robot_is', robot: 'one at the door', simulated: false, resets: false });
  expect(useWorld.getState().welcome).toMatchObject({ robot: 'one at the door', simulated: false, resets: false });
});

// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { FakeOperator, nodeView, runView } from '../api/fake';
import type { HappeningView } from '../api/types';
import { run } from './actions';
import { connect } from './connect';
import { usePreviewing } from './previewing';
import { useRun, useStory } from './run';
import { useWorld } from './world';

let operator: FakeOperator;
const started = (at_s: number, node: string): HappeningView => ({ at_s, what: 'started', step: { uses: [], node } });

beforeEach(async () => {
  operator = new FakeOperator([nodeView('root', null, { children: ['a', 'b'] }), nodeView('a', 'root'), nodeView('b', 'root')]);
  connect(operator.open);
  await expect.poll(() => useWorld.getState().socket).toBe('open');
});

test('while there is a preview the page shows it, and the robot again with all it did when it ends', async () => {
  operator.push({ push: 'run', ...runView({ mode: 'automatic', next: { uses: [], node: 'a' } }) });
  operator.push({ push: 'happened', happenings: [started(1, 'a')] });
  operator.push({ push: 'preview_mode', on: { speed: 1 }, ended: null });
  expect(useStory.getState().bars).toEqual([]);
  operator.push({ push: 'preview', told: { push: 'run', ...runView({ next: { uses: [], node: 'b' } }) } });
  operator.push({ push: 'run', ...runView({ mode: 'paused', next: null }) });
  operator.push({ push: 'happened', happenings: [started(2, 'b')] });
  operator.push({ push: 'preview', told: { push: 'happened', happenings: [started(0, 'b')] } });
  expect(useRun.getState().next).toBe('b');
  expect(usePreviewing.getState().real?.mode).toBe('paused');
  expect(useStory.getState().bars).toHaveLength(1);

  operator.asked = [];
  await run({ do: 'press' });
  expect(operator.asked.map((request) => request.ask)).toEqual(['preview_run']);

  operator.push({ push: 'preview_mode', on: null, ended: null });
  expect(useRun.getState().view.mode).toBe('paused');
  expect(useStory.getState().bars.map((bar) => bar.key)).toEqual(['a', 'b']);
  operator.asked = [];
  await run({ do: 'press' });
  expect(operator.asked.map((request) => request.ask)).toContain('run');
});

test('a page that has lost the operator process is in no preview', () => {
  operator.push({ push: 'preview_mode', on: { speed: 2 }, ended: null });
  operator.break();
  expect(usePreviewing.getState().on).toBeNull();
});

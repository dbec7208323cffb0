import { expect, test } from 'vitest';
import { asAt, NO_STORY, putHappenings, sinceStart, useStory, type Bar } from './run';

const bar = (node: string, startS: number, endS: number | null, result: Bar['result']): Bar => ({
  key: node,
  step: { uses: [], node },
  startS,
  endS,
  result,
  reason: result === 'failure' ? 'why' : null,
});

test('at a moment of the past that runs which had begun, and what had ended by then counts as it ended', () => {
  const bars = [bar('a', 1, 2, 'success'), bar('b', 1.5, 4, 'failure'), bar('a', 3, null, null)];
  const at = (atS: number) => {
    const { running, results } = asAt(bars, atS);
    return { running: running.map(({ step }) => step.node), results: results.map(({ step, result }) => `${step.node} ${result}`) };
  };
  expect(at(0.5)).toEqual({ running: [], results: [] });
  expect(at(1.7)).toEqual({ running: ['a', 'b'], results: [] });
  expect(at(2.5)).toEqual({ running: ['b'], results: ['a success'] });
  expect(at(3.5)).toEqual({ running: ['a', 'b'], results: [] });
  expect(at(5)).toEqual({ running: ['a'], results: ['b failure'] });
  expect(asAt(bars, 5).results[0]?.reason).toBe('why');
});

test('all panels count from the beginning of the run', () => {
  expect(sinceStart(12.34, 10)).toBe('2.3');
  expect(sinceStart(12.34, null)).toBe('–');
});

test('a world and a run that begin anew together are one line of the log', () => {
  useStory.setState(NO_STORY);
  const lines = () => useStory.getState().lines.length;
  putHappenings([{ what: 'anew', at_s: 1 }]);
  putHappenings([{ what: 'anew', at_s: 2 }]);
  expect(lines()).toBe(1);
  putHappenings([{ what: 'started', at_s: 3, step: { uses: [], node: 'a' } }]);
  putHappenings([{ what: 'anew', at_s: 4 }]);
  expect(lines()).toBe(2);
});

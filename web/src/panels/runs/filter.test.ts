import { expect, test } from 'vitest';
import { recordingEntry } from '../../api/fake';
import { durationText, firstDifference, resultText } from '../../state/recorded';
import { shownRuns, type Sort, type Which } from './filter';

const entries = [
  recordingEntry('new', { began_unix_ms: 3e12, result: 'success', duration_s: 5, kept: true, who: ['Ben'] }),
  recordingEntry('failed', { began_unix_ms: 2e12, duration_s: 50, marks: 2 }),
  recordingEntry('old', { runs: [], began_unix_ms: 1e12, result: null, cut: true, duration_s: 7, behavior: 'another.json' }),
];
const names = (which: Which, by: Sort, down = false): string[] => shownRuns(entries, which, { by, down }).map((entry) => entry.name);

test('runs are filtered and sorted by any column', () => {
  expect(names('all', 'began', true)).toEqual(['new', 'failed', 'old']);
  expect(names('all', 'duration')).toEqual(['new', 'old', 'failed']);
  expect(names('all', 'behavior')).toEqual(['old', 'new', 'failed']);
  expect(names('all', 'result')).toEqual(['old', 'failed', 'new']);
  expect(names('all', 'who')).toEqual(['failed', 'old', 'new']);
  expect(names('ran', 'began', true)).toEqual(['new', 'failed']);
  expect(names('failed', 'began')).toEqual(['failed']);
  expect(names('kept', 'began')).toEqual(['new']);
  expect(names('marked', 'began')).toEqual(['failed']);
});

test('results and times are said as people say them', () => {
  expect(entries.map(resultText)).toEqual(['Succeeded', 'Failed', 'Cut off']);
  expect([4.25, 75, 3725].map(durationText)).toEqual(['4.3 s', '1 min 15 s', '1 h 2 min']);
});

test('where two runs part is said by steps: which, how they ended, how long they took', () => {
  const one = (key: string, startS: number, endS: number, result: 'success' | 'failure' = 'success') => ({
    key,
    step: { uses: [], node: key },
    startS,
    endS,
    result,
    reason: null,
  });
  const here = [one('a', 1, 2), one('b', 2, 3)];
  const parts = (...there: ReturnType<typeof one>[]): string | undefined => firstDifference(here, there, 1, (step) => step.node)?.text;
  expect(parts(one('a', 1, 2.01), one('b', 2.01, 3))).toBeUndefined();
  expect(parts(one('a', 1, 3), one('b', 3, 4))).toBe('a took 1.00 s here, 2.00 s there.');
  expect(parts(one('a', 1, 2, 'failure'))).toBe('a succeeded here, and failed there.');
  expect(parts(one('a', 1, 2))).toBe('b ran at 1.00 s only here.');
  expect(parts(...here, one('c', 3, 4))).toBe('c ran at 2.00 s only there.');
  expect(parts(one('b', 1, 2))).toBe('Here a began at 0.00 s, there b at 0.00 s.');
  expect(parts(one('a', 1.5, 2.5))).toBe('a began at 0.00 s here, at 0.50 s there.');
});

import { expect, test } from 'vitest';
import { recordingEntry } from '../../api/fake';
import { durationText, resultText } from '../../state/recorded';
import { shownRuns, type Sort, type Which } from './filter';

const entries = [
  recordingEntry('new', { began_unix_ms: 3e12, result: 'success', duration_s: 5, kept: true, who: ['Ben'] }),
  recordingEntry('failed', { began_unix_ms: 2e12, duration_s: 50, marks: 2 }),
  recordingEntry('old', { began_unix_ms: 1e12, result: null, cut: true, duration_s: 7, behavior: 'another.json' }),
];
const names = (which: Which, by: Sort, down = false): string[] => shownRuns(entries, which, { by, down }).map((entry) => entry.name);

test('runs are filtered and sorted by any column', () => {
  expect(names('all', 'began', true)).toEqual(['new', 'failed', 'old']);
  expect(names('all', 'duration')).toEqual(['new', 'old', 'failed']);
  expect(names('all', 'behavior')).toEqual(['old', 'new', 'failed']);
  expect(names('all', 'result')).toEqual(['old', 'failed', 'new']);
  expect(names('all', 'who')).toEqual(['failed', 'old', 'new']);
  expect(names('failed', 'began')).toEqual(['failed']);
  expect(names('kept', 'began')).toEqual(['new']);
  expect(names('marked', 'began')).toEqual(['failed']);
});

test('results and times are said as people say them', () => {
  expect(entries.map(resultText)).toEqual(['Succeeded', 'Failed', 'Cut off']);
  expect([4.25, 75, 3725].map(durationText)).toEqual(['4.3 s', '1 min 15 s', '1 h 2 min']);
});

import type { RecordingEntry } from '../../api/types';
import { resultText } from '../../state/recorded';

export type Which = 'ran' | 'all' | 'failed' | 'kept' | 'marked';
export type Sort = 'began' | 'behavior' | 'result' | 'duration' | 'who' | 'robot';

const IS: Record<Which, (entry: RecordingEntry) => boolean> = {
  // Each world that begins anew is a recording, whether anything ran in it or not.
  ran: (entry) => entry.runs.length > 0,
  all: () => true,
  failed: (entry) => entry.result === 'failure',
  kept: (entry) => entry.kept,
  marked: (entry) => entry.marks > 0,
};

const BY: Record<Sort, (entry: RecordingEntry) => number | string> = {
  began: (entry) => entry.began_unix_ms,
  behavior: (entry) => entry.behavior,
  result: resultText,
  duration: (entry) => entry.duration_s,
  who: (entry) => entry.who.join(' '),
  robot: (entry) => `${entry.robot ?? ''} ${entry.world ?? ''}`,
};

/** Those of equal rank stay as they came: newest first. */
export function shownRuns(entries: readonly RecordingEntry[], which: Which, { by, down }: { by: Sort; down: boolean }): RecordingEntry[] {
  const of = BY[by];
  const order = (a: RecordingEntry, b: RecordingEntry): number => {
    const [x, y] = [of(a), of(b)];
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  };
  return entries.filter(IS[which]).sort(order);
}

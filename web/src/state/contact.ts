import { create } from 'zustand';
import { robotState, type Slot } from '../api/slots';
import type { LinkView } from '../api/types';
import { usePreviewing } from './previewing';
import { useReviewing } from './reviewing';
import { useWorld } from './world';

/** Without contact nothing that is shown is as it is now: it is as it was, since then. */
export interface Lost {
  /** The page does not hear the operator process, or that one does not hear the robot. */
  of: 'page' | 'robot';
  /** Milliseconds since 1970. */
  sinceMs: number;
}

export const useContact = create<{ lost: Lost | null }>(() => ({ lost: null }));

let heardMs = Date.now();
/** The operator process says something twice a second at least. */
const SILENT_MS = 3000;

const lose = (of: Lost['of'], sinceMs: number): void => {
  const { lost } = useContact.getState();
  if (lost?.of === of) return;
  // What is known of the robot is as old as it was.
  useContact.setState({ lost: { of, sinceMs: lost ? Math.min(lost.sinceMs, sinceMs) : sinceMs } });
};

export const losePage = (nowMs = Date.now()): void => lose('page', nowMs);

/** Something came on the socket. */
export function heard(nowMs = Date.now()): void {
  heardMs = nowMs;
  if (useContact.getState().lost?.of === 'page' && useWorld.getState().socket === 'open') useContact.setState({ lost: null });
}

/** A socket may be open and dead: whoever pulls a cable tells nobody. */
export function watchSilence(): () => void {
  const timer = setInterval(() => {
    if (useWorld.getState().socket === 'open' && Date.now() - heardMs > SILENT_MS) losePage(heardMs);
  }, 500);
  return () => clearInterval(timer);
}

export function linkIs({ quality, state_age_ms }: LinkView, nowMs = Date.now()): void {
  if (quality === 'good' || quality === 'poor') useContact.setState({ lost: null });
  else lose('robot', nowMs - (state_age_ms ?? 0));
}

/** Whether what the run bar commands is reached: the robot, or the preview beside it. Nothing commands while a recording is shown. */
export function isReached(): boolean {
  const { lost } = useContact.getState();
  if (useReviewing.getState().on !== null) return false;
  return lost === null || (lost.of === 'robot' && usePreviewing.getState().on !== null);
}

export const useReached = (): boolean => {
  const lost = useContact((contact) => contact.lost);
  const previewing = usePreviewing((state) => state.on !== null);
  const reviewing = useReviewing((state) => state.on !== null);
  if (reviewing) return false;
  return lost === null || (lost.of === 'robot' && previewing);
};

/** How old something is that the robot told with its time; null: there is none. */
export function ageS(slot: Slot<{ timeS: number }>, nowMs = Date.now()): number | null {
  const [value, state] = [slot.get(), robotState.get()];
  if (!value) return null;
  const sinceCameS = (nowMs - slot.atMs) / 1000;
  if (!state) return sinceCameS;
  if (robotState.isRecorded) return Math.max(0, state.timeS - value.timeS);
  const robotNowS = state.timeS + (nowMs - robotState.atMs) / 1000;
  // A robot that was started anew starts its time anew.
  return robotNowS >= value.timeS ? robotNowS - value.timeS : sinceCameS;
}

/** `0.3 s old`, `2 min old`. */
export function ageText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s old`;
  return seconds < 120 ? `${Math.round(seconds)} s old` : `${Math.round(seconds / 60)} min old`;
}

export const clockText = (ms: number): string => new Date(ms).toLocaleTimeString();

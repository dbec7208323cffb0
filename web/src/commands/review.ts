import { showPanel } from '../shell/layouts';
import {
  openRecording,
  openOwnRun,
  closeRecording,
  jumpFailure,
  keep,
  pause,
  play,
  putAway,
  replay,
  showTreeOfThen,
  stepTicks,
  tryEdits,
  whatIf,
} from '../state/review';
import { refreshRecordings, useRecordings } from '../state/recordings';
import { openFile, useReviewing } from '../state/reviewing';
import { useUi } from '../state/ui';
import type { Command } from './registry';

const now = (): ReturnType<typeof useReviewing.getState> => useReviewing.getState();
const on = (): boolean => now().on !== null;
const idle = (): boolean => on() && now().busy === null;

/** Nothing of these reaches the robot. */
export const reviewCommands: Command[] = [
  {
    id: 'review.runs',
    title: 'Recorded runs',
    group: 'Review',
    keys: 'Alt+R',
    inText: true,
    run: () => {
      refreshRecordings();
      showPanel('runs');
    },
  },
  {
    id: 'review.newest',
    title: 'Look at the newest recording',
    group: 'Review',
    enabled: () => useRecordings.getState().entries.length > 0,
    run: () => {
      const [newest] = useRecordings.getState().entries;
      if (newest) void openRecording(newest.name);
    },
  },
  { id: 'review.own', title: 'Look at this run in its recording', group: 'Review', keys: 'Alt+Shift+R', enabled: () => !on(), run: () => void openOwnRun() },
  { id: 'review.close', title: 'Back to live', group: 'Review', keys: 'Alt+Home', enabled: on, run: closeRecording },
  {
    id: 'review.play',
    title: 'Play the recording',
    group: 'Review',
    keys: 'Alt+K',
    enabled: on,
    checked: () => now().playing,
    run: () => (now().playing ? pause() : play()),
  },
  { id: 'review.back', title: 'One tick back', group: 'Review', keys: 'Alt+Shift+ArrowLeft', enabled: on, run: () => stepTicks(-1) },
  { id: 'review.ahead', title: 'One tick on', group: 'Review', keys: 'Alt+Shift+ArrowRight', enabled: on, run: () => stepTicks(1) },
  { id: 'review.failure_before', title: 'To the failure before', group: 'Review', keys: 'Alt+Shift+ArrowUp', enabled: on, run: () => jumpFailure(-1) },
  { id: 'review.failure_next', title: 'To the next failure', group: 'Review', keys: 'Alt+Shift+ArrowDown', enabled: on, run: () => jumpFailure(1) },
  {
    id: 'review.mark',
    title: 'Mark this moment…',
    group: 'Review',
    keys: 'Alt+I',
    enabled: on,
    run: () => {
      pause();
      useUi.setState({ overlay: { is: 'mark', atS: now().atS } });
    },
  },
  {
    id: 'review.keep',
    title: 'Keep this recording',
    group: 'Review',
    enabled: on,
    checked: () => now().on?.entry.kept ?? false,
    run: () => {
      const entry = now().on?.entry;
      if (entry) void keep(entry.name, !entry.kept);
    },
  },
  { id: 'review.replay', title: 'Run it again: is it the same?', group: 'Review', enabled: idle, run: () => void replay() },
  { id: 'review.compare', title: 'Compare with another run…', group: 'Review', enabled: idle, run: () => useUi.setState({ overlay: { is: 'compare' } }) },
  {
    id: 'review.try',
    title: 'Try an edit in this recording',
    group: 'Review',
    enabled: () => on() && openFile() !== undefined,
    checked: () => on() && now().tree === 'open',
    run: () => (now().tree === 'open' ? showTreeOfThen() : tryEdits()),
  },
  {
    id: 'review.what_if',
    title: 'What if the edited tree had run from here',
    group: 'Review',
    keys: 'Alt+W',
    enabled: () => idle() && now().tree === 'open',
    run: () => void whatIf(),
  },
  { id: 'review.put_away', title: 'Put the other run away', group: 'Review', enabled: () => now().beside !== null, run: putAway },
  {
    id: 'review.commanded',
    title: 'Show where the robot was commanded to be',
    group: 'Review',
    enabled: on,
    checked: () => now().showCommanded,
    run: () => {
      useReviewing.setState(({ showCommanded }) => ({ showCommanded: !showCommanded }));
      stepTicks(0);
    },
  },
];

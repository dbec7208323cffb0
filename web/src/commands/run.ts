import type { Autonomy, RunMode } from '../api/types';
import { ask, preview, resetWorld, run, runFromStart, selectedInstance } from '../state/actions';
import { askForControl, askNoMore, useAsking } from '../state/control';
import { useReviewing } from '../state/reviewing';
import { stop } from '../state/stopping';
import { useRun } from '../state/run';
import { holdsControl, useWorld } from '../state/world';
import type { Command } from './registry';

const view = () => useRun.getState().view;
export const LEVELS: Autonomy[] = ['off', 'low', 'high', 'full'];

function level(by: number): void {
  const now = LEVELS.indexOf(view().autonomy as Autonomy);
  const wanted = LEVELS[Math.min(LEVELS.length - 1, Math.max(0, now + by))];
  if (wanted) void run({ do: 'autonomy_level', level: wanted });
}

export const isAtRest = (mode: RunMode): boolean => mode === 'stopped' || mode === 'failed';

export const runCommands: Command[] = [
  { id: 'run.stop', title: 'Stop the robot', group: 'Run', keys: 'Ctrl+. Ctrl+Space', inText: true, robot: true, always: true, run: () => void stop() },
  {
    id: 'run.automatic',
    title: 'Run automatically',
    group: 'Run',
    keys: 'Ctrl+Shift+Enter',
    robot: true,
    checked: () => view().automatic,
    run: () => void run({ do: 'automatic', on: !view().automatic }),
  },
  { id: 'run.step', title: 'Run the next step', group: 'Run', keys: 'Ctrl+Enter', robot: true, run: () => void run({ do: 'press' }) },
  {
    id: 'run.from_start',
    title: 'Run from the start',
    group: 'Run',
    keys: 'Ctrl+Alt+Home',
    robot: true,
    enabled: () => isAtRest(view().mode),
    run: () => void runFromStart(),
  },
  {
    id: 'run.reset_world',
    title: 'Let the simulated world begin anew',
    group: 'Run',
    robot: true,
    enabled: () => useWorld.getState().resets && isAtRest(view().mode),
    run: () => void resetWorld(),
  },
  {
    id: 'run.admit',
    title: 'Admit what others added',
    group: 'Run',
    robot: true,
    enabled: () => view().tracks.some((track) => track.added_by !== null),
    run: () => void run({ do: 'admit' }),
  },
  { id: 'run.step_into', title: 'Step into', group: 'Run', keys: 'Ctrl+Alt+Enter', robot: true, run: () => void run({ do: 'press', into: true }) },
  { id: 'run.continue', title: 'Continue what breakpoints hold', group: 'Run', keys: 'Ctrl+Alt+C', robot: true, run: () => void run({ do: 'continue' }) },
  {
    id: 'run.pause',
    title: 'Pause',
    group: 'Run',
    keys: 'Ctrl+Alt+P',
    robot: true,
    checked: () => view().paused,
    run: () => void run({ do: 'pause', on: !view().paused }),
  },
  { id: 'run.next_back', title: 'Next: one back', group: 'Run', keys: 'Ctrl+Alt+ArrowUp', robot: true, run: () => void run({ do: 'move_next', by: -1 }) },
  { id: 'run.next_on', title: 'Next: one on', group: 'Run', keys: 'Ctrl+Alt+ArrowDown', robot: true, run: () => void run({ do: 'move_next', by: 1 }) },
  {
    id: 'run.concurrency',
    title: 'Concurrency',
    group: 'Run',
    robot: true,
    checked: () => view().concurrency,
    run: () => void run({ do: 'concurrency', on: !view().concurrency }),
  },
  { id: 'run.reset_failures', title: 'Reset failures', group: 'Run', robot: true, run: () => void run({ do: 'reset_failures' }) },
  { id: 'run.autonomy_up', title: 'More autonomy', group: 'Run', robot: true, run: () => level(1) },
  { id: 'run.autonomy_down', title: 'Less autonomy', group: 'Run', robot: true, run: () => level(-1) },
  {
    id: 'run.preview',
    title: 'Show what the selected step would do',
    group: 'Run',
    keys: 'Ctrl+P',
    enabled: () => useReviewing.getState().on === null,
    checked: () => useWorld.getState().previewOn,
    run: () => {
      if (useWorld.getState().previewOn) useWorld.setState({ previewOn: false, previews: [] });
      else void preview(selectedInstance()?.node ?? null);
    },
  },
  {
    id: 'run.preview_all',
    title: 'Show what each step would do',
    group: 'Run',
    enabled: () => useReviewing.getState().on === null,
    run: () => void preview(null),
  },
  {
    id: 'run.take_control',
    title: 'Take run control',
    group: 'Run',
    enabled: () => !holdsControl(useWorld.getState()),
    run: () => void ask({ ask: 'take_control' }),
  },
  {
    id: 'run.ask_control',
    title: 'Ask for run control',
    group: 'Run',
    enabled: () => !useAsking.getState().wanted && useWorld.getState().people.some((person) => person.in_control && !person.me && !person.other_window),
    run: () => void askForControl(),
  },
  {
    id: 'run.ask_control_no_more',
    title: 'Ask for run control no more',
    group: 'Run',
    enabled: () => useAsking.getState().wanted,
    run: () => void askNoMore(),
  },
  {
    id: 'run.give_control',
    title: 'Give run control back',
    group: 'Run',
    enabled: () => holdsControl(useWorld.getState()),
    run: () => void ask({ ask: 'give_control', to: null }),
  },
];

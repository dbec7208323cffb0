import { create } from 'zustand';
import { Refused } from '../api/socket';
import type { Confidence, Corrections, Guessed, RobotGuessView } from '../api/types';
import { asked } from './actions';

export interface Guessing {
  /** Its panel is there: the robot is shown in the colours of the guess. */
  shown: boolean;
  view: RobotGuessView | null;
  /** Since the last correction: keys with another value, problems that came and went. */
  changed: ReadonlySet<string>;
  came: readonly string[];
  gone: readonly string[];
  busy: boolean;
  failed: string | null;
  /** Of what was guessed, by its key. */
  chosen: string | null;
  hovered: string | null;
  /** The link under the mouse in 3D, while one is to be clicked. */
  under: string | null;
}

const NOTHING: Pick<Guessing, 'changed' | 'came' | 'gone'> = { changed: new Set(), came: [], gone: [] };

export const useGuess = create<Guessing>(() => ({ shown: false, view: null, ...NOTHING, busy: false, failed: null, chosen: null, hovered: null, under: null }));

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
let newest = 0;

/** What is guessed with these corrections; none: with those of the robot's file. Only the newest question counts. */
export async function guess(corrections?: Corrections): Promise<void> {
  const number = ++newest;
  useGuess.setState({ busy: true, failed: null });
  try {
    const answer = await asked({ ask: 'robot_guess', ...(corrections ? { corrections } : {}) });
    if (number !== newest || answer.is !== 'robot_guess') return;
    const before = corrections ? useGuess.getState().view : null;
    useGuess.setState({ view: answer, busy: false, ...(before ? difference(before, answer) : NOTHING) });
  } catch (error) {
    if (number === newest) useGuess.setState({ busy: false, failed: textOf(error) });
  }
}

export function difference(before: RobotGuessView, now: RobotGuessView): typeof NOTHING {
  const values = (view: RobotGuessView): Map<string, string> => new Map(view.guessed.map(({ key, value }) => [key, JSON.stringify(value)]));
  const [old, fresh] = [values(before), values(now)];
  const changed = new Set([...old.keys(), ...fresh.keys()].filter((key) => old.get(key) !== fresh.get(key)));
  const texts = (view: RobotGuessView): string[] => view.problems.map(({ text }) => text);
  return { changed, came: texts(now).filter((text) => !texts(before).includes(text)), gone: texts(before).filter((text) => !texts(now).includes(text)) };
}

/** What a person says with a click on a link, where a link says anything. */
export function withLink(corrections: Corrections, { topic }: Guessed, link: string): Corrections | null {
  switch (topic.is) {
    case 'frame':
      return { ...corrections, links: { ...corrections.links, [topic.frame]: link } };
    case 'camera':
      return { ...corrections, cameras: [link] };
    default:
      return null;
  }
}

/** The same by another value that was offered. */
export function withValue(corrections: Corrections, { topic }: Guessed, value: unknown): Corrections | null {
  switch (topic.is) {
    case 'palm':
      return { ...corrections, palm_turn_deg: Number(value) };
    case 'grip':
      return { ...corrections, grips_reversed: !corrections.grips_reversed };
    default:
      return null;
  }
}

/** As if nothing had been said of it; null: nothing was. */
export function without(corrections: Corrections, { topic }: Guessed): Corrections | null {
  switch (topic.is) {
    case 'frame': {
      if (corrections.links?.[topic.frame] === undefined) return null;
      const { [topic.frame]: _, ...links } = corrections.links;
      return { ...corrections, links };
    }
    case 'camera':
      return corrections.cameras ? { ...corrections, cameras: undefined } : null;
    case 'palm':
      return corrections.palm_turn_deg ? { ...corrections, palm_turn_deg: 0 } : null;
    case 'grip':
      return corrections.grips_reversed ? { ...corrections, grips_reversed: false } : null;
    default:
      return null;
  }
}

export const chosenOf = ({ view, chosen }: Guessing): Guessed | null => view?.guessed.find(({ key }) => key === chosen) ?? null;

/** A click on a link of the model. */
export function pickLink(link: string): void {
  const state = useGuess.getState();
  const chosen = chosenOf(state);
  const said = chosen && state.view && withLink(state.view.corrections, chosen, link);
  if (said) void guess(said);
}

/** Whether a click in 3D says something now. */
export const picks = (state: Guessing): boolean => {
  const topic = state.shown ? chosenOf(state)?.topic.is : undefined;
  return topic === 'frame' || topic === 'camera';
};

const ORDER: Confidence[] = ['missing', 'doubtful', 'likely', 'sure'];
/** The least sure of all that is said of a link. */
export function confidences(guessed: readonly Guessed[]): Map<string, Confidence> {
  const least = new Map<string, Confidence>();
  for (const { shown, confidence } of guessed) {
    for (const link of shown) {
      const known = least.get(link);
      if (!known || ORDER.indexOf(confidence) < ORDER.indexOf(known)) least.set(link, confidence);
    }
  }
  return least;
}

/** The least sure first, each as it stands in the file. */
export const byDoubt = (guessed: readonly Guessed[]): Guessed[] => [...guessed].sort((a, b) => ORDER.indexOf(a.confidence) - ORDER.indexOf(b.confidence));

export type Written = { is: 'written'; file: string; path: string } | { is: 'there'; text: string } | { is: 'failed'; text: string };

export async function writeRobot(corrections: Corrections, file: string, overwrite: boolean): Promise<Written> {
  try {
    const answer = await asked({ ask: 'write_robot', corrections, file, overwrite });
    return answer.is === 'robot_written' ? written(answer) : { is: 'failed', text: answer.is };
  } catch (error) {
    const there = error instanceof Refused && error.failure.code === 'changed_on_disk';
    return { is: there ? 'there' : 'failed', text: textOf(error) };
  }
}

const written = ({ file, path }: { file: string; path: string }): Written => ({ is: 'written', file, path });

import { create } from 'zustand';
import type { PersonView } from '../api/types';
import { ask, askQuietly } from './actions';
import { holdsControl, me, useWorld } from './world';

/** Asking for run control, and being asked. */
interface Asking {
  /** This page asks for it. */
  wanted: boolean;
  /** Those whose asking the holder has put aside. */
  aside: ReadonlySet<string>;
}

export const useAsking = create<Asking>(() => ({ wanted: false, aside: new Set() }));

async function want(wanted: boolean): Promise<void> {
  useAsking.setState({ wanted });
  const self = me(useWorld.getState());
  await askQuietly({ ask: 'presence', node: self?.node ?? null, edits: self?.edits ?? false, wants_control: wanted });
}

export const askForControl = (): Promise<void> => want(true);
export const askNoMore = (): Promise<void> => want(false);

/** With what there is to be told of it; whoever has it asks no more. */
export function controlCame(): void {
  const world = useWorld.getState();
  if (useAsking.getState().wanted && holdsControl(world)) void askNoMore();
  const asking = new Set(world.people.filter((person) => person.wants_control).map((person) => person.session));
  const { aside } = useAsking.getState();
  const still = [...aside].filter((session) => asking.has(session));
  if (still.length !== aside.size) useAsking.setState({ aside: new Set(still) });
}

export const putAsideAsking = (session: string): void => useAsking.setState(({ aside }) => ({ aside: new Set([...aside, session]) }));

export async function giveTo({ name, session }: PersonView): Promise<void> {
  await ask({ ask: 'give_control', to: name, session });
}

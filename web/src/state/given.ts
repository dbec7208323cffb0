import { create } from 'zustand';
import { edit } from './actions';

interface Given {
  value: unknown;
  number: number;
}

/** Settings that were given and are not answered yet: what is written next to one of them begins with it, not with what it was. */
export const useGiven = create<{ settings: ReadonlyMap<string, Given> }>(() => ({ settings: new Map() }));

export const givenKey = (node: string, field: string): string => `${node}/${field}`;

let last = 0;

/** Null gives the default back. */
export async function giveSetting(node: string, field: string, value: unknown): Promise<void> {
  const key = givenKey(node, field);
  const number = ++last;
  useGiven.setState(({ settings }) => ({ settings: new Map(settings).set(key, { value, number }) }));
  await edit({ do: 'set', node, settings: { [field]: value } });
  // The change came before its answer; one that was refused is as it was.
  useGiven.setState(({ settings }) => {
    if (settings.get(key)?.number !== number) return {};
    const left = new Map(settings);
    left.delete(key);
    return { settings: left };
  });
}

import { Command } from 'cmdk';
import { useMemo, useState, type ReactNode } from 'react';
import { byFit, type Entry } from './rank';
import { Sheet } from './Sheet';

export interface Choice extends Entry {
  shown: ReactNode;
  choose: () => void;
}

/** A list to type into. Enter takes what fits best, whatever group it is in. */
export function Chooser({ title, placeholder, none, choices }: { title: string; placeholder: string; none: string; choices: Choice[] }): ReactNode {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const groups = useMemo(() => byFit(choices, search), [choices, search]);
  const first = groups[0]?.entries[0]?.key ?? '';
  return (
    <Sheet title={title}>
      <Command label={title} shouldFilter={false} loop value={chosen ?? first} onValueChange={setChosen}>
        <Command.Input
          placeholder={placeholder}
          autoFocus
          value={search}
          onValueChange={(typed) => {
            setSearch(typed);
            setChosen(byFit(choices, typed)[0]?.entries[0]?.key ?? null);
          }}
        />
        <Command.List>
          {groups.length === 0 && <div cmdk-empty="">{none}</div>}
          {groups.map(({ group, entries }) => (
            <Command.Group key={group} heading={group}>
              {entries.map((entry) => (
                <Command.Item key={entry.key} value={entry.key} onSelect={entry.choose}>
                  {entry.shown}
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Sheet>
  );
}

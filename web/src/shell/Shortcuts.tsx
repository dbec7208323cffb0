import { useState, type ReactNode } from 'react';
import { allCommands } from '../commands/registry';
import { CAMERA_KEYS, GIZMO_KEYS } from '../three/keys';
import { Sheet } from './Sheet';

type Entry = { group: string; what: string; keys: string };

const TREE_KEYS: [string, string][] = [
  ['Select above, below', 'ArrowUp, ArrowDown'],
  ['Select more', 'Shift+ArrowUp, Shift+ArrowDown'],
  ['Open, close', 'ArrowRight, ArrowLeft'],
  ['First, last', 'Home, End'],
  ['To the settings', 'Enter'],
];

function entries(): Entry[] {
  const commands = allCommands().map((one) => ({ group: one.group as string, what: one.title, keys: (one.keys ?? '').split(' ').join(', ') }));
  const plain = (group: string, list: [string, string][]): Entry[] => list.map(([what, keys]) => ({ group, what, keys }));
  return [
    ...plain('Tree, with the focus in it', TREE_KEYS),
    ...plain('Camera of the 3D view', CAMERA_KEYS),
    ...plain('Gizmo of the 3D view', GIZMO_KEYS),
    ...commands.filter((entry) => entry.keys),
  ];
}

export function Shortcuts(): ReactNode {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase();
  const shown = entries().filter((entry) => `${entry.group} ${entry.what} ${entry.keys}`.toLowerCase().includes(words));
  const groups = [...new Set(shown.map((entry) => entry.group))];
  return (
    <Sheet title="Keys and mouse" wide>
      <h2>Keys and mouse</h2>
      <input type="search" placeholder="Search" aria-label="Search keys" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      <p className="dim">No key without Ctrl or Alt commands the robot. Escape first ends what you are doing.</p>
      <div className="shortcuts" tabIndex={0} role="region" aria-label="List of keys">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shown
                .filter((entry) => entry.group === group)
                .map((entry) => (
                  <div key={`${entry.what} ${entry.keys}`}>
                    <dt>{entry.what}</dt>
                    <dd>
                      <kbd>{entry.keys}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

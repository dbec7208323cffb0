import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { allCommands, isEnabled, titleNow } from '../commands/registry';
import { jumpTo } from '../state/actions';
import { useDoc } from '../state/document';
import { rank } from './rank';
import { closeOverlay, Sheet } from './Sheet';

const MOST_STEPS = 200;

/** Every command, and every step of the open behavior to jump to. */
export function Palette(): ReactNode {
  const nodes = useDoc((doc) => doc.nodes);
  const commands = allCommands().filter((one) => one.id !== 'help.palette' && isEnabled(one));
  const inMain = [...nodes.values()].filter((node) => node.file === 0 && node.name).slice(0, MOST_STEPS);
  return (
    <Sheet title="All commands">
      <Command label="All commands" filter={rank} loop>
        <Command.Input placeholder="Type a command, or the name of a step" autoFocus />
        <Command.List>
          <Command.Empty>Nothing of that name.</Command.Empty>
          {(['File', 'Edit', 'Tree', 'Run', 'View', 'Help'] as const).map((group) => (
            <Command.Group key={group} heading={group}>
              {commands
                .filter((one) => one.group === group)
                .map((one) => (
                  <Command.Item
                    key={one.id}
                    value={`${one.title} ${one.id}`}
                    onSelect={() => {
                      closeOverlay();
                      one.run();
                    }}
                  >
                    <span className="check">{one.checked?.() ? '✓' : ''}</span>
                    {titleNow(one)}
                    <kbd>{one.keys?.split(' ')[0]}</kbd>
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
          <Command.Group heading="Steps">
            {inMain.map((node) => (
              <Command.Item
                key={node.id}
                value={`${node.name} ${node.kind} ${node.id}`}
                onSelect={() => {
                  closeOverlay();
                  jumpTo(node.id);
                }}
              >
                {node.name} <span className="dim">{node.kind}</span>
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Sheet>
  );
}

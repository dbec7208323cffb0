import { useMemo, type ReactNode } from 'react';
import { allCommands, isEnabled, titleNow } from '../commands/registry';
import { jumpTo } from '../state/actions';
import { useDoc } from '../state/document';
import { Chooser, type Choice } from './Chooser';
import { closeOverlay } from './Sheet';

const MOST_STEPS = 200;

/** Every command, and every step of the open behavior to jump to. */
export function Palette(): ReactNode {
  const nodes = useDoc((doc) => doc.nodes);
  const choices = useMemo((): Choice[] => {
    const commands = allCommands().filter((one) => one.id !== 'help.palette' && isEnabled(one));
    const inMain = [...nodes.values()].filter((node) => node.file === 0 && node.name).slice(0, MOST_STEPS);
    const groups = ['File', 'Edit', 'Tree', 'Run', 'View', 'Help'];
    const sorted = commands.sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
    return [
      ...sorted.map((one) => ({
        key: one.id,
        group: one.group,
        title: `${one.title} ${one.id}`,
        choose: () => {
          closeOverlay();
          one.run();
        },
        shown: (
          <>
            <span className="check">{one.checked?.() ? '✓' : ''}</span>
            {titleNow(one)}
            <kbd>{one.keys?.split(' ')[0]}</kbd>
          </>
        ),
      })),
      ...inMain.map((node) => ({
        key: node.id,
        group: 'Steps',
        title: `${node.name} ${node.kind}`,
        choose: () => {
          closeOverlay();
          jumpTo(node.id);
        },
        shown: (
          <>
            {node.name} <span className="dim">{node.kind}</span>
          </>
        ),
      })),
    ];
  }, [nodes]);
  return <Chooser title="All commands" placeholder="Type a command, or the name of a step" none="Nothing of that name." choices={choices} />;
}

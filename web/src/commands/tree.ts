import { instanceOf, keyOf } from '../api/ids';
import { run, selectedInstance } from '../state/actions';
import { useDoc } from '../state/document';
import { useRun } from '../state/run';
import { useUi } from '../state/ui';
import type { Command } from './registry';

const one = (): boolean => selectedInstance() !== null;
const isOpen = (): boolean => useDoc.getState().open;

function all(close: boolean): void {
  const { nodes, files } = useDoc.getState();
  const root = files[0]?.root;
  const closed = close ? [...nodes.values()].filter((node) => node.children.length > 0 && node.id !== root) : [];
  useUi.setState({ closed: new Set(closed.map((node) => node.id)), openSkills: new Set() });
}

export const treeCommands: Command[] = [
  {
    id: 'tree.add',
    title: 'Add step…',
    group: 'Tree',
    keys: 'A Insert',
    scope: 'tree',
    enabled: isOpen,
    run: () => useUi.setState({ overlay: { is: 'add', place: 'after' } }),
  },
  {
    id: 'tree.add_before',
    title: 'Add step before…',
    group: 'Tree',
    keys: 'B',
    scope: 'tree',
    enabled: () => isOpen() && selectedInstance() !== null,
    run: () => useUi.setState({ overlay: { is: 'add', place: 'before' } }),
  },
  {
    id: 'tree.add_child',
    title: 'Add step inside…',
    group: 'Tree',
    keys: 'Shift+A Shift+Insert',
    scope: 'tree',
    enabled: isOpen,
    run: () => useUi.setState({ overlay: { is: 'add', place: 'child' } }),
  },
  {
    id: 'tree.search',
    title: 'Search the tree',
    group: 'Tree',
    keys: 'Ctrl+F',
    inText: true,
    run: () => document.querySelector<HTMLInputElement>('#tree-search')?.focus(),
  },
  { id: 'tree.open_all', title: 'Open all', group: 'Tree', run: () => all(false) },
  { id: 'tree.close_all', title: 'Close all', group: 'Tree', run: () => all(true) },
  {
    id: 'tree.set_next',
    title: 'Make it next',
    group: 'Tree',
    keys: 'Alt+N',
    robot: true,
    enabled: one,
    run: () => {
      const to = selectedInstance();
      if (to) void run({ do: 'set_next', to });
    },
  },
  {
    id: 'tree.run_only',
    title: 'Run only this',
    group: 'Tree',
    robot: true,
    enabled: one,
    run: () => {
      const node = selectedInstance();
      if (node) void run({ do: 'run_only', node });
    },
  },
  {
    id: 'tree.breakpoint',
    title: 'Breakpoint',
    group: 'Tree',
    keys: 'Alt+B',
    robot: true,
    enabled: one,
    checked: () => useUi.getState().selection.some((key) => useRun.getState().breakpoints.has(key)),
    run: () => {
      const { breakpoints } = useRun.getState();
      const { selection } = useUi.getState();
      const on = !selection.every((key) => breakpoints.has(key));
      for (const key of selection) void run({ do: 'breakpoint', node: instanceOf(key), on });
    },
  },
  {
    id: 'tree.lock',
    title: 'Lock',
    group: 'Tree',
    keys: 'Alt+L',
    robot: true,
    enabled: one,
    checked: () => useUi.getState().selection.some((key) => useRun.getState().locks.has(key)),
    run: () => {
      const node = selectedInstance();
      if (node) void run({ do: 'lock', node, on: !useRun.getState().locks.has(keyOf(node)) });
    },
  },
  force('success', 'Let it succeed'),
  force('failure', 'Let it fail'),
];

function force(verdict: 'success' | 'failure', title: string): Command {
  return {
    id: `tree.force_${verdict}`,
    title,
    group: 'Tree',
    robot: true,
    enabled: () => {
      const step = selectedInstance();
      return step !== null && useRun.getState().status.get(keyOf(step))?.state === 'running';
    },
    run: () => {
      const step = selectedInstance();
      if (step) void run({ do: 'force', step, verdict });
    },
  };
}

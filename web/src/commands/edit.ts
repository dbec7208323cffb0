import { ask, edit, editAndSelect, selectedInstance, selectedNodes } from '../state/actions';
import { useDoc } from '../state/document';
import { copySteps, cutSteps, pasteSteps } from '../panels/tree/clipboard';
import { useUi } from '../state/ui';
import { useWorld } from '../state/world';
import type { Command } from './registry';

const some = (): boolean => selectedNodes().length > 0;
const one = (): boolean => selectedNodes().length === 1;

/** The root of a file can be neither deleted nor doubled. */
const someInside = (): boolean => {
  const { nodes } = useDoc.getState();
  return some() && selectedNodes().every((id) => nodes.get(id)?.parent);
};

const only = (): string => selectedNodes()[0] ?? '';

function fieldOf(name: string): boolean {
  const { nodes } = useDoc.getState();
  const { nodeTypes } = useWorld.getState();
  return some() && selectedNodes().every((id) => nodeTypes.get(nodes.get(id)?.kind ?? '')?.fields.some((field) => field.name === name));
}

const allDisabled = (): boolean => selectedNodes().every((id) => useDoc.getState().nodes.get(id)?.settings.disabled === true);

/** All of them: where one still runs, it is disabled too. */
async function toggleDisabled(): Promise<void> {
  const off = allDisabled();
  for (const node of selectedNodes()) await edit({ do: 'set', node, settings: { disabled: off ? null : true } });
}

const uses = (): string[] => selectedInstance()?.uses ?? [];

export const editCommands: Command[] = [
  {
    id: 'edit.undo',
    title: 'Undo',
    group: 'Edit',
    keys: 'Ctrl+Z',
    detail: () => useDoc.getState().undo,
    enabled: () => useDoc.getState().undo !== null,
    run: () => void ask({ ask: 'undo' }),
  },
  {
    id: 'edit.redo',
    title: 'Redo',
    group: 'Edit',
    keys: 'Ctrl+Shift+Z Ctrl+Y',
    detail: () => useDoc.getState().redo,
    enabled: () => useDoc.getState().redo !== null,
    run: () => void ask({ ask: 'redo' }),
  },
  { id: 'edit.cut', title: 'Cut', group: 'Edit', keys: 'Ctrl+X', scope: 'tree', enabled: someInside, run: () => void cutSteps() },
  { id: 'edit.copy', title: 'Copy', group: 'Edit', keys: 'Ctrl+C', scope: 'tree', enabled: someInside, run: () => void copySteps() },
  {
    id: 'edit.paste',
    title: 'Paste behind it',
    group: 'Edit',
    keys: 'Ctrl+V',
    native: true,
    enabled: () => useDoc.getState().open,
    run: () => void pasteSteps(),
  },
  {
    id: 'edit.disable',
    title: 'Disabled: it does not run',
    group: 'Edit',
    keys: 'Ctrl+/',
    enabled: someInside,
    checked: () => someInside() && allDisabled(),
    run: () => void toggleDisabled(),
  },
  {
    id: 'edit.delete',
    title: 'Delete',
    group: 'Edit',
    keys: 'Delete',
    scope: 'tree',
    enabled: someInside,
    run: () => void edit({ do: 'delete', nodes: selectedNodes() }),
  },
  {
    id: 'edit.duplicate',
    title: 'Duplicate',
    group: 'Edit',
    keys: 'Ctrl+D',
    enabled: someInside,
    run: () => void editAndSelect({ do: 'duplicate', nodes: selectedNodes() }, uses()),
  },
  {
    id: 'edit.mirror',
    title: 'Mirrored copy behind it',
    group: 'Edit',
    keys: 'Ctrl+M',
    enabled: someInside,
    run: () => void editAndSelect({ do: 'mirror', nodes: selectedNodes(), copy: true }, uses()),
  },
  {
    id: 'edit.mirror_itself',
    title: 'Mirror: left becomes right',
    group: 'Edit',
    enabled: some,
    run: () => void edit({ do: 'mirror', nodes: selectedNodes(), copy: false }),
  },
  {
    id: 'edit.mirror_world',
    title: 'Mirror with its objects: for a door hinged on the other side',
    group: 'Edit',
    enabled: some,
    run: () => void edit({ do: 'mirror', nodes: selectedNodes(), copy: false, objects: true }),
  },
  {
    id: 'edit.rename',
    title: 'Rename',
    group: 'Edit',
    keys: 'F2',
    enabled: one,
    run: () => useUi.setState(({ selection }) => ({ renaming: selection.at(-1) ?? null })),
  },
  {
    id: 'edit.notes',
    title: 'Notes…',
    group: 'Edit',
    keys: 'Alt+Enter',
    enabled: one,
    run: () => useUi.setState({ overlay: { is: 'notes' } }),
  },
  {
    id: 'edit.wrap',
    title: 'Put into…',
    group: 'Edit',
    keys: 'Ctrl+G',
    enabled: someInside,
    run: () => useUi.setState({ overlay: { is: 'wrap' } }),
  },
  {
    id: 'edit.retype',
    title: 'Change its type…',
    group: 'Edit',
    enabled: () => one() && someInside(),
    run: () => useUi.setState({ overlay: { is: 'retype' } }),
  },
  {
    id: 'edit.unwrap',
    title: 'Take out of its group',
    group: 'Edit',
    keys: 'Ctrl+Shift+G',
    enabled: () => one() && someInside() && (useDoc.getState().nodes.get(only())?.children.length ?? 0) > 0,
    run: () => void edit({ do: 'unwrap', node: only() }),
  },
  {
    id: 'edit.extract',
    title: 'Make a skill of it…',
    group: 'Edit',
    enabled: () => one() && someInside() && useDoc.getState().nodes.get(only())?.skill === undefined,
    run: () => useUi.setState({ overlay: { is: 'extract' } }),
  },
  {
    id: 'edit.inline',
    title: "Put the skill's own steps here",
    group: 'Edit',
    enabled: () => one() && useDoc.getState().nodes.get(only())?.skill !== undefined,
    run: () => void edit({ do: 'inline', node: only() }),
  },
  {
    id: 'edit.set_to_robot',
    title: 'Set goal to where the robot is now',
    group: 'Edit',
    keys: 'Ctrl+Alt+R',
    enabled: some,
    run: () => void edit({ do: 'set_to_robot', nodes: selectedNodes() }),
  },
  {
    id: 'edit.change_frame',
    title: 'Give goal in another frame…',
    group: 'Edit',
    enabled: () => fieldOf('frame'),
    run: () => useUi.setState({ overlay: { is: 'frame' } }),
  },
];

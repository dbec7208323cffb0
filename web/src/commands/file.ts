import { ask, save } from '../state/actions';
import { useDoc } from '../state/document';
import { useUi } from '../state/ui';
import type { Command } from './registry';

export async function refreshFolder(): Promise<void> {
  const answer = await ask({ ask: 'files' });
  if (answer?.is === 'files') useDoc.setState({ folder: answer.files, folders: answer.folders });
}

const isOpen = (): boolean => useDoc.getState().open;

export const fileCommands: Command[] = [
  {
    id: 'file.start',
    title: 'Start page: behaviors, worlds, recent runs…',
    group: 'File',
    keys: 'Alt+S',
    run: () => useUi.setState({ overlay: { is: 'start' } }),
  },
  {
    id: 'file.new',
    title: 'New behavior…',
    group: 'File',
    keys: 'Ctrl+Alt+N',
    run: () => useUi.setState({ overlay: { is: 'files', for: 'new' } }),
  },
  {
    id: 'file.open',
    title: 'Open behavior…',
    group: 'File',
    keys: 'Ctrl+O',
    run: () => {
      void refreshFolder();
      useUi.setState({ overlay: { is: 'files', for: 'open' } });
    },
  },
  {
    id: 'file.save',
    title: 'Save all',
    group: 'File',
    keys: 'Ctrl+S',
    inText: true,
    enabled: isOpen,
    run: () => {
      // A field that is being typed in gives its value when it loses the focus: save must not miss it.
      if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      void save();
    },
  },
  {
    id: 'file.save_as',
    title: 'Save as…',
    group: 'File',
    keys: 'Ctrl+Shift+S',
    inText: true,
    enabled: isOpen,
    run: () => useUi.setState({ overlay: { is: 'save_as' } }),
  },
  {
    id: 'file.history',
    title: 'Who changed what…',
    group: 'File',
    enabled: isOpen,
    run: () => useUi.setState({ overlay: { is: 'history' } }),
  },
];

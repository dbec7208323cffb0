import { ask } from '../state/actions';
import { useContact } from '../state/contact';
import { previewAsked, usePreviewing } from '../state/previewing';
import { useReviewing } from '../state/reviewing';
import type { Command } from './registry';

const on = (): boolean => usePreviewing.getState().on !== null;
const hears = (): boolean => useContact.getState().lost?.of !== 'page';
/** A recording has no robot that a preview could begin at. */
const live = (): boolean => useReviewing.getState().on === null;
const speed = (): number | undefined => usePreviewing.getState().on?.speed;

export const previewCommands: Command[] = [
  {
    id: 'run.preview_mode',
    title: 'Preview mode: run it on a second robot',
    group: 'Run',
    keys: 'Ctrl+Alt+V',
    checked: on,
    enabled: () => hears() && live(),
    run: () => previewAsked(ask(on() ? { ask: 'end_preview' } : { ask: 'start_preview', from: 'next' })),
  },
  {
    id: 'run.preview_next',
    title: 'Preview from next',
    group: 'Run',
    enabled: live,
    run: () => previewAsked(ask({ ask: 'start_preview', from: 'next', speed: speed() })),
  },
  {
    id: 'run.preview_beginning',
    title: 'Preview from the beginning',
    group: 'Run',
    enabled: live,
    run: () => previewAsked(ask({ ask: 'start_preview', from: 'beginning', speed: speed() })),
  },
];

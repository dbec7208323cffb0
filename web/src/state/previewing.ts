import { create } from 'zustand';
import { previewState } from '../api/slots';
import type { PreviewModeView, Push, RunView } from '../api/types';
import { NO_STORY, useStory } from './run';
import { Shelf } from './shelf';
import { notify } from './ui';

/**
 * A preview of this window. While there is one, tree, run bar, timeline, log, variables and scene show it; what the robot
 * does is kept here until it ends.
 */
interface Previewing {
  on: PreviewModeView | null;
  /** The run of the robot, as it is. */
  real: RunView | null;
}

export const usePreviewing = create<Previewing>(() => ({ on: null, real: null }));

/** Who presses Preview and then Automatic means the preview, however late its beginning is told. */
let asking: Promise<unknown> = Promise.resolve();

export function previewAsked(answered: Promise<unknown>): void {
  asking = answered;
}

export const previewIsSettled = (): Promise<unknown> => asking;

let shelf: Shelf | null = null;

export function putPreviewMode(on: PreviewModeView | null, ended: string | null): void {
  if (on && !shelf) {
    shelf = new Shelf();
    useStory.setState(NO_STORY);
    usePreviewing.setState({ on, real: shelf.run });
  } else if (on) {
    usePreviewing.setState({ on });
  } else {
    endPreview();
  }
  if (ended !== null) notify('error', `The preview has ended: ${ended}`);
}

/** The page shows the robot again, with all that it did meanwhile. */
export function endPreview(): void {
  const kept = shelf;
  shelf = null;
  usePreviewing.setState({ on: null, real: null });
  previewState.clear();
  kept?.putBack();
}

/** What the robot tells while the page shows a preview. True: it was put aside. */
export function putAside(push: Push): boolean {
  if (!shelf?.take(push)) return false;
  if (push.push === 'run') usePreviewing.setState({ real: push });
  return true;
}

import { create } from 'zustand';
import { previewState } from '../api/slots';
import type { HappeningView, PreviewModeView, Push, RunView } from '../api/types';
import { NO_STORY, putHappenings, putRun, useRun, useStory, type Story } from './run';
import { notify } from './ui';
import { putScene, putVariables, useWorld } from './world';

type Variables = Extract<Push, { push: 'variables' }>;
type Scene = Extract<Push, { push: 'scene' }>;

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

const MOST_HAPPENINGS = 5000;

interface Shelf {
  story: Story;
  happenings: HappeningView[];
  variables: Variables | null;
  scene: Scene | null;
}

let shelf: Shelf | null = null;

const asVariables = (): Variables => {
  const { variables, tokens } = useWorld.getState();
  return { push: 'variables', variables: [...variables.values()], tokens };
};

const asScene = (): Scene => {
  const { objects, detections, frames, cameras } = useWorld.getState();
  return { push: 'scene', objects, detections, frames, cameras };
};

export function putPreviewMode(on: PreviewModeView | null, ended: string | null): void {
  if (on && !shelf) {
    shelf = { story: useStory.getState(), happenings: [], variables: asVariables(), scene: asScene() };
    useStory.setState(NO_STORY);
    usePreviewing.setState({ on, real: useRun.getState().view });
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
  const { real } = usePreviewing.getState();
  shelf = null;
  usePreviewing.setState({ on: null, real: null });
  previewState.clear();
  if (!kept) return;
  useStory.setState(kept.story);
  putHappenings(kept.happenings);
  if (real) putRun(real);
  if (kept.variables) putVariables(kept.variables.variables, kept.variables.tokens);
  if (kept.scene) putScene(kept.scene);
}

/** What the robot tells while the page shows a preview. True: it was put aside. */
export function putAside(push: Push): boolean {
  if (!shelf) return false;
  switch (push.push) {
    case 'run':
      usePreviewing.setState({ real: push });
      return true;
    case 'happened':
      shelf.happenings = [...shelf.happenings, ...push.happenings].slice(-MOST_HAPPENINGS);
      return true;
    case 'variables':
      shelf.variables = push;
      return true;
    case 'scene':
      shelf.scene = push;
      return true;
    default:
      return false;
  }
}

import type { HappeningView, Push, RunView } from '../api/types';
import { NO_RUN, NO_STORY, putHappenings, putRun, useRun, useStory, type Story } from './run';
import { putScene, putVariables, useWorld } from './world';

type Of<K extends Push['push']> = Extract<Push, { push: K }>;

const MOST_HAPPENINGS = 5000;

function variablesNow(): Of<'variables'> {
  const { variables, tokens } = useWorld.getState();
  return { push: 'variables', variables: [...variables.values()], tokens };
}

function sceneNow(): Of<'scene'> {
  const { objects, detections, frames, cameras } = useWorld.getState();
  return { push: 'scene', objects, detections, frames, cameras };
}

/** What is known of the robot's run, kept and kept up to date while the page shows something else. */
export class Shelf {
  /** Of the robot, as it is. */
  run: RunView = useRun.getState().view;
  private known = useRun.getState().known;
  private story: Story = useStory.getState();
  private happenings: HappeningView[] = [];
  private variables = variablesNow();
  private scene = sceneNow();

  /** True: it was about the robot's run, and is kept here. */
  take(push: Push): boolean {
    switch (push.push) {
      case 'run':
        this.run = push;
        this.known = true;
        return true;
      case 'happened':
        this.happenings = [...this.happenings, ...push.happenings].slice(-MOST_HAPPENINGS);
        return true;
      case 'variables':
        this.variables = push;
        return true;
      case 'scene':
        this.scene = push;
        return true;
      default:
        return false;
    }
  }

  /** Another robot process: nothing of it is known. */
  forget(): void {
    this.run = NO_RUN;
    this.known = false;
    this.story = NO_STORY;
    this.happenings = [];
    this.variables = { push: 'variables', variables: [], tokens: [] };
    this.scene = { push: 'scene', objects: [], detections: [], frames: [], cameras: [] };
  }

  /** The page shows the robot again, with all that it did meanwhile. */
  putBack(): void {
    useStory.setState(this.story);
    putHappenings(this.happenings);
    putRun(this.run);
    if (!this.known) useRun.setState({ known: false });
    putVariables(this.variables.variables, this.variables.tokens);
    putScene(this.scene);
  }
}

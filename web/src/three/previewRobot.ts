import { Group } from 'three';
import { previewState } from '../api/slots';
import type { RobotModel } from './urdf';

const BLUE = 0x4c8dff;
const NOBODY: ReadonlySet<string> = new Set();

/** The transparent robot of a preview, beside the real one. */
export class PreviewRobot {
  readonly object = new Group();
  private robot: RobotModel | null = null;
  readonly forget: () => void;

  constructor(private readonly changed: () => void) {
    this.object.name = 'preview robot';
    this.object.visible = false;
    this.forget = previewState.listen(() => this.take());
  }

  setRobot(robot: RobotModel | null): void {
    if (this.robot) this.object.remove(this.robot.object);
    this.robot = robot;
    if (robot) {
      robot.tint(BLUE, 0.5, NOBODY, BLUE);
      this.object.add(robot.object);
    }
    this.take();
  }

  setDetail(full: boolean): void {
    this.robot?.setDetail(full);
  }

  private take(): void {
    const state = previewState.get();
    this.object.visible = state !== null && this.robot !== null;
    if (state) this.robot?.pose(state.base, state.joints);
    this.changed();
  }
}

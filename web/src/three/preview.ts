import { AxesHelper, BoxGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import type { PreviewView } from '../api/types';
import { clear, drawPath, footstep } from './layers';
import { matrixOfSeven } from './pose';
import type { RobotModel } from './urdf';

const REACHED = 0x4c8dff;
const NOT_REACHED = 0xe5484d;
const COLLIDES = 0xffa033;
const PATH = 0x8fc7ff;

/** What a step would do: the robot as it would leave it, the ways of the hands, the footsteps. */
export class PreviewLayer {
  readonly object = new Group();
  private readonly drawn = new Group();
  private readonly played = new Group();
  private ghost: RobotModel | null = null;
  private paths: number[][][] = [];

  constructor() {
    this.object.add(this.drawn, this.played);
  }

  setRobot(ghost: RobotModel | null): void {
    if (this.ghost) this.object.remove(this.ghost.object);
    this.ghost = ghost;
    if (!ghost) return;
    ghost.object.visible = false;
    this.object.add(ghost.object);
  }

  put(preview: PreviewView | null): void {
    clear(this.drawn);
    this.paths = preview?.hand_paths ?? [];
    this.play(null);
    if (this.ghost) {
      this.ghost.object.visible = preview !== null;
      if (preview) {
        const reached = preview.problem === null && preview.quality <= 1;
        this.ghost.pose(preview.base, preview.joints);
        this.ghost.tint(reached ? REACHED : NOT_REACHED, 0.42, new Set(preview.collisions.flat()), COLLIDES);
      }
    }
    for (const path of this.paths) this.drawn.add(drawPath(path, PATH));
    preview?.footsteps.forEach(({ side, pose }, index) => {
      const step = footstep(String(index + 1), side, 0.55);
      matrixOfSeven(pose).decompose(step.position, step.quaternion, new Vector3());
      this.drawn.add(step);
    });
  }

  /** Shows the hands a share of the way along the paths; none: only the paths. */
  play(share: number | null): void {
    clear(this.played);
    for (const path of share === null ? [] : this.paths) {
      const pose = path[Math.round((share ?? 0) * (path.length - 1))];
      if (!pose) continue;
      const hand = new AxesHelper(0.14);
      hand.add(new Mesh(new BoxGeometry(0.1, 0.035, 0.09), new MeshBasicMaterial({ color: PATH, transparent: true, opacity: 0.6 })));
      matrixOfSeven(pose).decompose(hand.position, hand.quaternion, new Vector3());
      this.played.add(hand);
    }
  }
}

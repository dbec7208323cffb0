import { BufferAttribute, Group, type Line, type LineBasicMaterial, Vector3 } from 'three';
import type { PreviewView, SampleView } from '../api/types';
import { clear, drawPath, footstep } from './layers';
import { matrixOfSeven } from './pose';
import type { RobotModel } from './urdf';

const REACHED = 0x4c8dff;
const NOT_REACHED = 0xe5484d;
const COLLIDES = 0xffa033;
const OPACITY = 0.42;
/** The ghost rests at the end of its way before it begins anew. */
const REST_S = 0.6;

/** What a step would do: the robot as it would leave it or on its way there, the ways of the hands, the footsteps. */
export class PreviewLayer {
  readonly object = new Group();
  private readonly drawn = new Group();
  private ghost: RobotModel | null = null;
  private preview: PreviewView | null = null;
  private share: number | null = null;
  private playing = false;
  private passedS = 0;

  constructor() {
    this.object.name = 'ghost';
    this.object.add(this.drawn);
  }

  setRobot(ghost: RobotModel | null): void {
    if (this.ghost) this.object.remove(this.ghost.object);
    this.ghost = ghost;
    if (!ghost) return;
    ghost.object.visible = false;
    this.object.add(ghost.object);
    const shown = this.preview;
    this.preview = null;
    this.put(shown);
  }

  setDetail(full: boolean): void {
    this.ghost?.setDetail(full);
  }

  put(preview: PreviewView | null): void {
    if (preview === this.preview) return;
    clear(this.drawn);
    this.preview = preview;
    if (this.ghost) this.ghost.object.visible = preview !== null;
    this.pose();
    for (const path of preview?.hand_paths ?? []) this.drawn.add(this.path(path));
    preview?.footsteps.forEach(({ side, pose }, index) => {
      const step = footstep(String(index + 1), side, 0.55);
      matrixOfSeven(pose).decompose(step.position, step.quaternion, new Vector3());
      this.drawn.add(step);
    });
  }

  /** The ghost a share of the way; none: at its end. */
  play(share: number | null): void {
    this.share = share;
    this.pose();
  }

  /** Along its way in a loop. */
  setPlaying(on: boolean): void {
    this.playing = on;
    this.passedS = 0;
    this.share = null;
    this.pose();
  }

  /** Whether it moved. */
  advance(seconds: number): boolean {
    const way = this.preview?.way ?? [];
    const lasts = way.at(-1)?.time_s ?? 0;
    if (!this.playing || way.length < 2 || lasts <= 0) return false;
    this.passedS = (this.passedS + seconds) % (lasts + REST_S);
    this.share = Math.min(1, this.passedS / lasts);
    this.pose();
    return true;
  }

  private pose(): void {
    const { ghost, preview } = this;
    if (!ghost || !preview) return;
    const marked = new Set(preview.collisions.flat());
    const at = this.share === null ? null : sampleAt(preview.way, this.share);
    ghost.pose(at?.base ?? preview.base, at?.joints ?? preview.joints);
    const reached = at ? at.reached : preview.problem === null && preview.quality <= 1;
    ghost.tint(reached ? REACHED : NOT_REACHED, OPACITY, marked, COLLIDES);
  }

  /** Blue where the hand gets there, red where it does not. */
  private path(poses: number[][]): Line {
    const line = drawPath(poses, 0xffffff);
    const way = this.preview?.way ?? [];
    const colours = poses.flatMap((_, index) => {
      const sample = way[Math.round((index / Math.max(1, poses.length - 1)) * (way.length - 1))];
      return sample && !sample.reached ? [0.9, 0.28, 0.3] : [0.56, 0.78, 1];
    });
    line.geometry.setAttribute('color', new BufferAttribute(new Float32Array(colours), 3));
    (line.material as LineBasicMaterial).vertexColors = true;
    return line;
  }
}

/** Between two moments that were told, in proportion. */
function sampleAt(way: SampleView[], share: number): SampleView | null {
  const exact = share * (way.length - 1);
  const [before, behind] = [way[Math.floor(exact)], way[Math.ceil(exact)]];
  if (!before || !behind) return null;
  const part = exact - Math.floor(exact);
  const mixed = (from: number[], to: number[]): number[] => from.map((value, index) => value + ((to[index] ?? value) - value) * part);
  return { ...behind, base: mixed(before.base, behind.base), joints: mixed(before.joints, behind.joints) };
}

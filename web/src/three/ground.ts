import { Matrix4, Vector3 } from 'three';
import type { Frames } from './frames';
import { matrixOf, settingOf, type PoseSetting } from './pose';

/** A point on the ground that was clicked. */
export interface Ground {
  world: Vector3;
  /** The same as a pose in a frame; null: there is no such frame now. */
  inFrame(frame: string): Required<PoseSetting> | null;
}

/** A box that was dragged on the map. */
export interface Area {
  centre: Ground;
  /** Along the world's x and y. */
  sizeM: [number, number];
  /** Whether a pose in a frame is in it, whatever its height. */
  holds(frame: string, pose: PoseSetting): boolean;
}

export function groundAt(frames: Frames, world: Vector3, yaw = 0): Ground {
  const inFrame = (name: string): Required<PoseSetting> | null => {
    const frame = frames.find(name);
    return frame && settingOf(frame.clone().invert().multiply(new Matrix4().makeRotationZ(yaw).setPosition(world)));
  };
  return { world, inFrame };
}

export function areaOf(frames: Frames, { centre, size }: { centre: Vector3; size: [number, number] }): Area {
  const holds = (name: string, pose: PoseSetting): boolean => {
    const at = frames.find(name)?.clone().multiply(matrixOf(pose));
    const away = at && new Vector3().setFromMatrixPosition(at).sub(centre);
    return !!away && Math.abs(away.x) <= size[0] / 2 && Math.abs(away.y) <= size[1] / 2;
  };
  return { centre: groundAt(frames, centre), sizeM: size, holds };
}

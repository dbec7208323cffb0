import type { Cloud, Picture, RobotState } from './slots';

export const ROBOT_STATE = 1;
export const CLOUD = 2;
export const PICTURE = 3;
export const PREVIEW_STATE = 4;

/** Null for anything that is not a whole robot state: a cut message must not become a robot at the origin. */
export function readRobotState(buffer: ArrayBuffer, kind = ROBOT_STATE): RobotState | null {
  const HEAD = 1 + 8 + 7 * 4 + 2 + 2;
  if (buffer.byteLength < HEAD) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== kind) return null;
  const base = new Float32Array(7);
  for (let i = 0; i < 7; i++) base[i] = view.getFloat32(9 + i * 4, true);
  const flags = view.getUint16(37, true);
  const count = view.getUint16(39, true);
  if (buffer.byteLength < HEAD + count * 4) return null;
  const joints = new Float32Array(count);
  for (let i = 0; i < count; i++) joints[i] = view.getFloat32(HEAD + i * 4, true);
  return { timeS: view.getFloat64(1, true), base, flags, joints };
}

export function readCloud(buffer: ArrayBuffer): Cloud | null {
  const HEAD = 1 + 8 + 4 + 12;
  if (buffer.byteLength < HEAD) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== CLOUD) return null;
  const count = view.getUint32(21, true);
  if (buffer.byteLength < HEAD + count * 10) return null;
  const origin = [0, 1, 2].map((axis) => view.getFloat32(9 + axis * 4, true));
  const positions = new Float32Array(count * 3);
  for (let axis = 0; axis < 3; axis++) {
    const from = HEAD + axis * count * 2;
    const zero = origin[axis] ?? 0;
    for (let i = 0; i < count; i++) positions[i * 3 + axis] = zero + view.getInt16(from + i * 2, true) / 1000;
  }
  const colours = new Uint8Array(buffer, HEAD + count * 6, count * 4).slice();
  return { timeS: view.getFloat64(1, true), count, positions, colours };
}

export function readPicture(buffer: ArrayBuffer): Picture | null {
  const HEAD = 1 + 8 + 2 + 2 + 1;
  if (buffer.byteLength < HEAD) return null;
  const view = new DataView(buffer);
  if (view.getUint8(0) !== PICTURE) return null;
  const width = view.getUint16(9, true);
  const height = view.getUint16(11, true);
  const named = view.getUint8(13);
  const from = HEAD + named;
  if (buffer.byteLength < from + width * height * 3) return null;
  const camera = new TextDecoder().decode(new Uint8Array(buffer, HEAD, named));
  const rgb = new Uint8Array(buffer, from);
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    pixels[i * 4] = rgb[i * 3] ?? 0;
    pixels[i * 4 + 1] = rgb[i * 3 + 1] ?? 0;
    pixels[i * 4 + 2] = rgb[i * 3 + 2] ?? 0;
    pixels[i * 4 + 3] = 255;
  }
  return { timeS: view.getFloat64(1, true), camera, width, height, pixels };
}

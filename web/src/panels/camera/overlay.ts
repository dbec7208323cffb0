import { type Matrix4, Vector3 } from 'three';
import type { CameraView, DetectionView, FrameView, ObjectView } from '../../api/types';
import { detectionText } from '../../three/detections';
import { matrixOfSeven } from '../../three/pose';

/** Nearer than this a point is not drawn: it would fly about. */
const NEAR_M = 0.05;
const AXIS_M = 0.08;
const AXES: [Vector3, string][] = [
  [new Vector3(AXIS_M, 0, 0), '#e5484d'],
  [new Vector3(0, AXIS_M, 0), '#4cc38a'],
  [new Vector3(0, 0, AXIS_M), '#4c8dff'],
];

export interface Lens {
  cameraFromWorld: Matrix4;
  /** Width over height of the picture, and the tangent of half its view. */
  aspect: number;
  half: number;
}

/** Null: nobody says where this camera is. */
export function lensOf(name: string, aspect: number, views: CameraView[], poses: FrameView[]): Lens | null {
  const view = views.find((one) => one.name === name);
  const pose = poses.find((one) => one.name === name)?.pose;
  if (!view || !pose) return null;
  return { cameraFromWorld: matrixOfSeven(pose).invert(), aspect, half: Math.tan((view.horizontal_view_deg * Math.PI) / 360) };
}

/** As shares of the picture from its top left; the camera looks along x, y is left, z up. Null: it is behind. */
export function project(lens: Lens, point: Vector3): [number, number] | null {
  const { x, y, z } = point.clone().applyMatrix4(lens.cameraFromWorld);
  if (x < NEAR_M) return null;
  return [0.5 - y / x / lens.half / 2, 0.5 - (z / x / lens.half / 2) * lens.aspect];
}

/** Boxes of what detectors see, and the frames of objects, over the picture. */
export function drawOverlay(on: HTMLCanvasElement, camera: string, lens: Lens | null, detections: DetectionView[], objects: ObjectView[]): void {
  const drawing = on.getContext('2d');
  if (!drawing) return;
  const { width, height } = on;
  drawing.clearRect(0, 0, width, height);
  drawing.font = '600 12px system-ui, sans-serif';
  drawing.textBaseline = 'bottom';
  const write = (text: string, x: number, y: number, colour: string): void => {
    drawing.lineWidth = 3;
    drawing.strokeStyle = 'rgba(10, 14, 18, 0.8)';
    drawing.strokeText(text, x, y);
    drawing.fillStyle = colour;
    drawing.fillText(text, x, y);
  };
  for (const detection of detections) {
    if (detection.seen_in?.camera !== camera) continue;
    const [left, top, right, bottom] = detection.seen_in.box;
    const colour = detection.stable ? '#ffc14d' : '#a39778';
    drawing.lineWidth = 2;
    drawing.strokeStyle = colour;
    drawing.strokeRect(left * width, top * height, (right - left) * width, (bottom - top) * height);
    write(detectionText(detection), left * width, Math.max(14, top * height - 2), colour);
  }
  for (const { name, pose } of lens ? objects : []) {
    if (lens && pose) drawFrame(drawing, [width, height], lens, matrixOfSeven(pose), (x, y) => write(name, x + 4, y - 4, '#8ff0c0'));
  }
}

function drawFrame(
  drawing: CanvasRenderingContext2D,
  [width, height]: [number, number],
  lens: Lens,
  frame: Matrix4,
  name: (x: number, y: number) => void,
): void {
  const middle = project(lens, new Vector3().setFromMatrixPosition(frame));
  if (!middle) return;
  for (const [axis, colour] of AXES) {
    const end = project(lens, axis.clone().applyMatrix4(frame));
    if (!end) continue;
    drawing.strokeStyle = colour;
    drawing.lineWidth = 2.5;
    drawing.beginPath();
    drawing.moveTo(middle[0] * width, middle[1] * height);
    drawing.lineTo(end[0] * width, end[1] * height);
    drawing.stroke();
  }
  name(middle[0] * width, middle[1] * height);
}

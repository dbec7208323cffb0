import { Group, Mesh, MeshStandardMaterial, SphereGeometry, TorusGeometry } from 'three';
import type { DetectionView } from '../api/types';
import { label } from './label';
import { clear } from './layers';

export const detectionText = ({ class: kind, confidence }: DetectionView): string => `${kind} ${Math.round(confidence * 100)} %`;

/** A ring that faces up, with class and confidence; dim while it is not seen often enough to be used. */
function draw(detection: DetectionView): Group {
  const group = new Group();
  const opacity = detection.stable ? 0.95 : 0.45;
  const material = new MeshStandardMaterial({ color: 0xd9a441, transparent: true, opacity });
  const ring = new Mesh(new TorusGeometry(0.06, 0.006, 6, 28), material);
  const dot = new Mesh(new SphereGeometry(0.012, 10, 8), material);
  const text = label(detectionText(detection), detection.stable ? '#f3d9a0' : '#b5a888', 0.018);
  text.position.z = -0.07;
  group.add(ring, dot, text);
  return group;
}

/** They move with every picture: only what is written otherwise is drawn anew. */
export class DetectionLayer {
  readonly object = new Group();
  private readonly drawn = new Map<number, { looks: string; group: Group }>();

  put(detections: DetectionView[]): void {
    const now = new Set(detections.map(({ number }) => number));
    for (const number of [...this.drawn.keys()]) if (!now.has(number)) this.remove(number);
    for (const detection of detections) {
      const looks = `${detectionText(detection)} ${detection.stable}`;
      if (this.drawn.get(detection.number)?.looks !== looks) {
        this.remove(detection.number);
        const group = draw(detection);
        this.object.add(group);
        this.drawn.set(detection.number, { looks, group });
      }
      const [x = 0, y = 0, z = 0] = detection.pose;
      this.drawn.get(detection.number)?.group.position.set(x, y, z);
    }
  }

  private remove(number: number): void {
    const known = this.drawn.get(number);
    if (!known) return;
    this.drawn.delete(number);
    this.object.remove(known.group);
    clear(known.group);
  }
}

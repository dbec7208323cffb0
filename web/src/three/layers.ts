import {
  AxesHelper,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  EdgesGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  type Matrix4,
  Mesh,
  MeshStandardMaterial,
  Points,
  ShaderMaterial,
  SphereGeometry,
  Sprite,
  Vector3,
  type Material,
  type Object3D,
  type Texture,
} from 'three';
import type { Cloud } from '../api/slots';
import type { ObjectView } from '../api/types';
import { label } from './label';
import { matrixOfSeven } from './pose';

/** Takes everything out of a group and gives the graphics memory back. */
export function clear(group: Group): void {
  for (const child of [...group.children]) {
    group.remove(child);
    child.traverse((part) => {
      if (!(part instanceof Mesh || part instanceof Line || part instanceof Points || part instanceof Sprite)) return;
      if (!(part instanceof Sprite)) (part.geometry as BufferGeometry).dispose();
      for (const material of [part.material].flat() as (Material & { map?: Texture | null })[]) {
        material.map?.dispose();
        material.dispose();
      }
    });
  }
}

function place(object: Object3D, matrix: Matrix4): void {
  matrix.decompose(object.position, object.quaternion, new Vector3());
}

const FOOT = { length: 0.22, width: 0.1 };
const LEFT = 0xd6793c;
const RIGHT = 0x4c9a6a;

export function footstep(title: string, side: 'left' | 'right' | null, opacity = 0.75): Group {
  const group = new Group();
  group.name = 'footstep';
  const colour = side === 'left' ? LEFT : RIGHT;
  const sole = new Mesh(new BoxGeometry(FOOT.length, FOOT.width, 0.012), new MeshStandardMaterial({ color: colour, transparent: true, opacity }));
  sole.position.z = 0.006;
  const edge = new LineSegments(new EdgesGeometry(sole.geometry), new LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.5 }));
  edge.position.z = 0.006;
  const text = label(title, '#ffffff');
  text.position.z = 0.05;
  group.add(sole, edge, text);
  return group;
}

/** Grey: not seen for a while. A line around it: frozen. */
export function drawObject(object: ObjectView): Object3D | null {
  if (!object.pose) return null;
  const group = new Group();
  const colour = object.stale ? 0x808a94 : 0x4cc38a;
  group.add(new Mesh(new SphereGeometry(0.04, 16, 12), new MeshStandardMaterial({ color: colour, transparent: true, opacity: object.stale ? 0.5 : 0.85 })));
  group.add(new AxesHelper(0.14));
  if (object.frozen) {
    const box = new EdgesGeometry(new BoxGeometry(0.13, 0.13, 0.13));
    group.add(new LineSegments(box, new LineBasicMaterial({ color: 0x9fd8ff })));
  }
  const marks = `${object.frozen ? ' ❄' : ''}${object.stale ? ' (not seen)' : ''}`;
  const text = label(`${object.name}${marks}`, object.stale ? '#aab2ba' : '#e8edf1', 0.022);
  text.position.z = 0.09;
  group.add(text);
  place(group, matrixOfSeven(object.pose));
  return group;
}

export function drawPath(poses: number[][], colour: number): Line {
  const points = poses.map((pose) => new Vector3(pose[0] ?? 0, pose[1] ?? 0, pose[2] ?? 0));
  return new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: colour }));
}

/** A few thousand points in one draw; colours are linear in the buffer and made so in the shader. */
export class CloudLayer {
  readonly object: Points;
  private readonly geometry = new BufferGeometry();
  private count = 0;
  private full = true;

  constructor() {
    const material = new ShaderMaterial({
      uniforms: { size: { value: 3 } },
      vertexShader: `
        attribute vec4 colour;
        varying vec3 shown;
        uniform float size;
        void main() {
          shown = pow(colour.rgb, vec3(2.2));
          vec4 seen = modelViewMatrix * vec4(position, 1.0);
          gl_Position = projectionMatrix * seen;
          gl_PointSize = size;
        }`,
      fragmentShader: `
        varying vec3 shown;
        void main() {
          gl_FragColor = vec4(shown, 1.0);
          #include <colorspace_fragment>
        }`,
    });
    this.object = new Points(this.geometry, material);
    this.object.frustumCulled = false;
  }

  /** With less, every second point. */
  setDetail(full: boolean): void {
    this.full = full;
    this.geometry.setDrawRange(0, full ? this.count : Math.ceil(this.count / 2));
    Object.assign((this.object.material as ShaderMaterial).uniforms.size ?? {}, { value: full ? 3 : 4 });
  }

  put(cloud: Cloud | null): void {
    if (!cloud) {
      this.count = 0;
      this.geometry.setDrawRange(0, 0);
      return;
    }
    const before = this.geometry.getAttribute('position') as BufferAttribute | undefined;
    if (before && before.count >= cloud.count) {
      (before.array as Float32Array).set(secondsLast(cloud.positions, 3));
      before.needsUpdate = true;
      const colours = this.geometry.getAttribute('colour') as BufferAttribute;
      (colours.array as Uint8Array).set(secondsLast(cloud.colours, 4));
      colours.needsUpdate = true;
    } else {
      this.geometry.setAttribute('position', new BufferAttribute(secondsLast(cloud.positions, 3), 3));
      this.geometry.setAttribute('colour', new BufferAttribute(secondsLast(cloud.colours, 4), 4, true));
    }
    this.count = cloud.count;
    this.setDetail(this.full);
    this.geometry.boundingSphere = null; // of the points before: a click would miss the new ones
  }
}

/** A copy with every second entry first, then those between: the first half of it is the whole, thinner. */
function secondsLast<T extends Float32Array | Uint8Array>(values: T, size: number): T {
  const sorted = values.slice() as T;
  const count = values.length / size;
  const half = Math.ceil(count / 2);
  for (let index = 0; index < count; index++) {
    const from = (index < half ? index * 2 : (index - half) * 2 + 1) * size;
    for (let part = 0; part < size; part++) sorted[index * size + part] = values[from + part] ?? 0;
  }
  return sorted;
}

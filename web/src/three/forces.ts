import {
  BufferGeometry,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Shape,
  ShapeGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import type { BodyView } from '../api/types';
import { label } from './label';
import { clear } from './layers';

/** A push of 100 N is 40 cm long; what a foot carries is ten times that. */
const HAND_M_PER_N = 0.004;
const FOOT_M_PER_N = 0.0008;
const LONGEST_M = 0.9;
/** What sensors tell when nothing touches. */
const LEAST_N = 3;
const ABOVE_M = 0.008;
/** Smaller changes are not drawn anew: a robot that stands still is told again and again. */
const SAME_N = 2;
const SAME_M = 0.003;

const HAND = 0x39c5ff;
const FOOT = 0x58c089;
export const LEVEL = { good: 0x58c089, warn: 0xe2b04a, bad: 0xe5484d } as const;

/** A joint that has much to do. */
export interface Loaded {
  at: Vector3;
  level: 'warn' | 'bad';
}

const shaft = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const tip = new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const along = new Vector3(0, 0, 1);

/** Seen through whatever is in front of it: a hand that pushes is behind what it pushes. */
function arrow(from: Vector3, direction: Vector3, lengthM: number, colour: number, text: string): Group {
  const group = new Group();
  const material = new MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity: 0.92 });
  const headM = Math.min(0.07, lengthM / 2);
  const stem = new Mesh(shaft.clone(), material);
  stem.scale.set(0.011, 0.011, lengthM - headM);
  const head = new Mesh(tip.clone(), material.clone());
  head.scale.set(0.03, 0.03, headM);
  head.position.z = lengthM - headM;
  for (const part of [stem, head]) part.renderOrder = 20;
  const written = label(text, '#ffffff', 0.026);
  written.position.z = lengthM + 0.05;
  group.add(stem, head, written);
  group.position.copy(from);
  group.quaternion.copy(new Quaternion().setFromUnitVectors(along, direction));
  return group;
}

/** Of the centre of pressure, by how far it is from the edge. */
export const pressureLevel = (marginM: number): keyof typeof LEVEL => (marginM < 0 ? 'bad' : marginM < 0.015 ? 'warn' : 'good');

function polygon(corners: [number, number][], heightM: number): Group {
  const group = new Group();
  const [first, ...rest] = corners;
  if (!first || rest.length < 2) return group;
  const outline = new Shape();
  outline.moveTo(...first);
  for (const corner of rest) outline.lineTo(...corner);
  const area = new Mesh(
    new ShapeGeometry(outline),
    new MeshBasicMaterial({ color: FOOT, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false }),
  );
  const points = [...corners, first].map(([x, y]) => new Vector3(x, y, 0));
  const edge = new Line(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: FOOT }));
  group.add(area, edge);
  group.position.z = heightM + ABOVE_M;
  return group;
}

/** What pushes the robot, where it stands and presses, and which joints have much to do. */
export class ForceLayer {
  readonly object = new Group();
  private drawn: number[] = [];

  constructor() {
    this.object.name = 'forces';
  }

  /** Whether anything of it is to be seen otherwise. */
  put(body: BodyView | null, loaded: readonly Loaded[]): boolean {
    const numbers = body
      ? [...body.hands, ...body.feet]
          .flatMap((one) => [...one.at.map((at) => at / SAME_M), ...('load' in one ? [one.load / 10] : one.world_force)].map((value) => value / SAME_N))
          .concat(
            body.support.flat().map((at) => at / SAME_M),
            body.pressure ? [...body.pressure.at, body.pressure.margin].map((at) => at / SAME_M) : [],
            loaded.flatMap(({ at, level }) => [at.x / SAME_M, at.y / SAME_M, at.z / SAME_M, level === 'bad' ? 10 : 0]),
          )
      : [];
    if (numbers.length === this.drawn.length && numbers.every((value, index) => Math.abs(value - (this.drawn[index] ?? 0)) < 1)) return false;
    this.drawn = numbers;
    clear(this.object);
    if (body) this.draw(body, loaded);
    return true;
  }

  private draw({ hands, feet, pressure, support, ground_m }: BodyView, loaded: readonly Loaded[]): void {
    for (const { at, world_force } of hands) {
      const force = new Vector3(...world_force);
      const newtons = force.length();
      if (newtons >= LEAST_N)
        this.object.add(arrow(new Vector3(...at), force.normalize(), Math.min(LONGEST_M, 0.05 + newtons * HAND_M_PER_N), HAND, `${newtons.toFixed(0)} N`));
    }
    for (const { at, load } of feet) {
      if (load >= LEAST_N) this.object.add(arrow(new Vector3(...at), along, Math.min(LONGEST_M, 0.05 + load * FOOT_M_PER_N), FOOT, `${load.toFixed(0)} N`));
    }
    this.object.add(polygon(support, ground_m));
    if (pressure) {
      const dot = new Mesh(
        new CircleGeometry(0.022, 24),
        new MeshBasicMaterial({ color: LEVEL[pressureLevel(pressure.margin)], depthTest: false, transparent: true }),
      );
      dot.position.set(pressure.at[0], pressure.at[1], ground_m + 2 * ABOVE_M);
      dot.renderOrder = 21;
      dot.name = 'centre of pressure';
      this.object.add(dot);
    }
    for (const { at, level } of loaded) {
      const ball = new Mesh(
        new SphereGeometry(0.045, 14, 10),
        new MeshBasicMaterial({ color: LEVEL[level], depthTest: false, transparent: true, opacity: 0.75 }),
      );
      ball.position.copy(at);
      ball.renderOrder = 19;
      this.object.add(ball);
    }
  }
}

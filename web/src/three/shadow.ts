import {
  AlwaysStencilFunc,
  BoxGeometry,
  DoubleSide,
  Group,
  IncrementStencilOp,
  InstancedMesh,
  KeepStencilOp,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  RingGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import type { RobotState } from '../api/slots';
import type { Frames } from './frames';
import type { RobotModel } from './urdf';

/** Where the light comes from, as the lamps of the scene have it; steeper, so that the shadow lies by the feet. */
const LIGHT = new Vector3(0.8, -1.2, 5).normalize();
const ABOVE_M = 0.004;
/** What is smaller than this casts none that anybody would miss. */
const SMALLEST_M = 0.05;
/** A shadow is soft in its form: each part of the robot casts that of a ball or box of its size, which is quickly drawn. */
const BALL = new SphereGeometry(0.5, 10, 6);
const BOX = new BoxGeometry(1, 1, 1);
const ON_GROUND = { left: 16, right: 32 } as const;

interface Part {
  from: Mesh;
  /** Of the ball or box in the mesh. */
  place: Matrix4;
}

const matrix = new Matrix4();

/** The shadow of the robot on the ground and where its feet touch it: so that one sees that it stands, and where. */
export class GroundContact {
  readonly object = new Group();
  /** What casts: few things to draw, whatever the robot is made of. */
  private casts: { parts: Part[]; all: InstancedMesh }[] = [];
  private readonly rings: Record<'left' | 'right', Mesh>;
  /** Each pixel is darkened once, however many links are above it. */
  private readonly dark = new MeshBasicMaterial({
    color: 0x000000,
    side: DoubleSide,
    transparent: true,
    opacity: 0.34,
    depthWrite: false,
    stencilWrite: true,
    stencilRef: 1,
    stencilFunc: NotEqualStencilFunc,
    stencilFail: KeepStencilOp,
    stencilZFail: KeepStencilOp,
    stencilZPass: IncrementStencilOp,
  });

  constructor(private readonly frames: Frames) {
    this.object.name = 'ground contact';
    const ring = (): Mesh => {
      const mesh = new Mesh(
        new RingGeometry(0.055, 0.075, 28),
        new MeshBasicMaterial({ color: 0x58c089, transparent: true, depthWrite: false, stencilFunc: AlwaysStencilFunc }),
      );
      this.object.add(mesh);
      return mesh;
    };
    this.rings = { left: ring(), right: ring() };
  }

  setRobot(robot: RobotModel | null): void {
    for (const { all } of this.casts) {
      this.object.remove(all);
      all.dispose();
    }
    const parts = (robot?.meshes ?? []).flatMap((from): Part[] => {
      from.geometry.computeBoundingBox();
      const box = from.geometry.boundingBox;
      const size = box?.getSize(new Vector3());
      if (!box || !size || size.length() < SMALLEST_M) return [];
      return [{ from, place: new Matrix4().makeTranslation(box.getCenter(new Vector3())).scale(size) }];
    });
    const isBox = ({ from }: Part): boolean => from.geometry.type === 'BoxGeometry';
    this.casts = [
      { form: BOX, parts: parts.filter(isBox) },
      { form: BALL, parts: parts.filter((part) => !isBox(part)) },
    ].map(({ form, parts: cast }) => ({ parts: cast, all: new InstancedMesh(form, this.dark, cast.length) }));
    for (const { all } of this.casts) {
      all.frustumCulled = false;
      this.object.add(all);
    }
  }

  /** Everything of the robot onto the level of its feet. */
  pose(state: RobotState | null): void {
    this.object.visible = state !== null;
    if (!state) return;
    const height = this.height();
    const flat = flatten(height + ABOVE_M);
    for (const { parts, all } of this.casts) {
      parts.forEach(({ from, place }, index) => all.setMatrixAt(index, matrix.multiplyMatrices(flat, from.matrixWorld).multiply(place)));
      all.instanceMatrix.needsUpdate = true;
    }
    for (const side of ['left', 'right'] as const) {
      const sole = this.frames.find(`${side}_sole`);
      const ring = this.rings[side];
      ring.visible = sole !== null && (state.flags & ON_GROUND[side]) !== 0;
      if (!sole) continue;
      ring.position.setFromMatrixPosition(sole);
      ring.position.z += ABOVE_M;
    }
  }

  /** Of the ground under the feet: that of the lower one. */
  private height(): number {
    const soles = (['left_sole', 'right_sole'] as const).flatMap((name) => this.frames.find(name) ?? []);
    const heights = soles.map((sole) => new Vector3().setFromMatrixPosition(sole).z);
    return heights.length > 0 ? Math.min(...heights) : 0;
  }
}

/** What it casts on a level plane, along the light. */
function flatten(height: number): Matrix4 {
  const [x, y] = [LIGHT.x / LIGHT.z, LIGHT.y / LIGHT.z];
  return new Matrix4().set(1, 0, -x, x * height, 0, 1, -y, y * height, 0, 0, 0, height, 0, 0, 0, 1);
}

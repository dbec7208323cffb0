import { AlwaysStencilFunc, DoubleSide, Group, IncrementStencilOp, KeepStencilOp, Matrix4, Mesh, MeshBasicMaterial, NotEqualStencilFunc, RingGeometry, Vector3 } from 'three';
import type { RobotState } from '../api/slots';
import type { Frames } from './frames';
import type { RobotModel } from './urdf';

/** Where the light comes from, as the lamps of the scene have it; steeper, so that the shadow lies by the feet. */
const LIGHT = new Vector3(0.8, -1.2, 5).normalize();
const ABOVE_M = 0.004;
const ON_GROUND = { left: 16, right: 32 } as const;

/** The shadow of the robot on the ground and where its feet touch it: so that one sees that it stands, and where. */
export class GroundContact {
  readonly object = new Group();
  private readonly shadows: { from: Mesh; shadow: Mesh }[] = [];
  private readonly rings: Record<'left' | 'right', Mesh>;
  /** Each pixel is darkened once, however many links are above it. */
  private readonly dark = new MeshBasicMaterial({
    color: 0x000000, side: DoubleSide, transparent: true, opacity: 0.34, depthWrite: false, stencilWrite: true, stencilRef: 1, stencilFunc: NotEqualStencilFunc, stencilFail: KeepStencilOp, stencilZFail: KeepStencilOp, stencilZPass: IncrementStencilOp,
  });

  constructor(private readonly frames: Frames) {
    this.object.name = 'ground contact';
    const ring = (): Mesh => {
      const mesh = new Mesh(new RingGeometry(0.055, 0.075, 28), new MeshBasicMaterial({ color: 0x58c089, transparent: true, depthWrite: false, stencilFunc: AlwaysStencilFunc }));
      this.object.add(mesh);
      return mesh;
    };
    this.rings = { left: ring(), right: ring() };
  }

  setRobot(robot: RobotModel | null): void {
    for (const { shadow } of this.shadows) this.object.remove(shadow);
    this.shadows.length = 0;
    for (const from of robot?.meshes ?? []) {
      const shadow = new Mesh(from.geometry, this.dark);
      shadow.matrixAutoUpdate = false;
      shadow.frustumCulled = false;
      this.shadows.push({ from, shadow });
      this.object.add(shadow);
    }
  }

  /** Everything of the robot onto the level of its feet. */
  pose(state: RobotState | null): void {
    this.object.visible = state !== null;
    if (!state) return;
    const height = this.height();
    const flat = flatten(height + ABOVE_M);
    for (const { from, shadow } of this.shadows) {
      shadow.matrix.multiplyMatrices(flat, from.matrixWorld);
      shadow.matrixWorldNeedsUpdate = true;
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

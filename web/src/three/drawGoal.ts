import {
  ArrowHelper,
  AxesHelper,
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  type Matrix4,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  Sprite,
  Vector3,
  type Object3D,
} from 'three';
import type { Goal } from './goals';
import { label } from './label';
import { footstep } from './layers';
import { matrixOf, type PoseSetting } from './pose';

function shapeMesh(settings: Record<string, unknown>): Mesh {
  const shape = (settings.shape ?? { shape: 'sphere', radius_m: 0.1 }) as { shape: string; radius_m?: number; length_m?: number; size_m?: number[] };
  const radius = shape.radius_m ?? 0.1;
  const [x = 0.1, y = 0.1, z = 0.1] = shape.size_m ?? [];
  const geometry =
    shape.shape === 'box'
      ? new BoxGeometry(x, y, z)
      : shape.shape === 'capsule'
        ? new CapsuleGeometry(radius, shape.length_m ?? 0.2, 8, 20).rotateX(Math.PI / 2)
        : shape.shape === 'cylinder'
          ? new CylinderGeometry(radius, radius, shape.length_m ?? 0.2, 24).rotateX(Math.PI / 2)
          : new SphereGeometry(radius, 24, 16);
  return new Mesh(geometry, new MeshStandardMaterial({ color: 0xb58cff, transparent: true, opacity: 0.3, depthWrite: false }));
}

/** Where it stands, `pose` seen from `seat`. An arrow begins there and ends at the pose. */
export function placeGoal(object: Object3D, goal: Goal, seat: Matrix4, pose: PoseSetting): void {
  if (goal.looks !== 'force') {
    seat.clone().multiply(matrixOf(pose)).decompose(object.position, object.quaternion, new Vector3());
    return;
  }
  seat.decompose(object.position, object.quaternion, new Vector3());
  const arrow = object.children.find((child) => child instanceof ArrowHelper) as ArrowHelper | undefined;
  const tip = new Vector3(pose.x_m ?? 0, pose.y_m ?? 0, pose.z_m ?? 0);
  const length = tip.length();
  if (!arrow) return;
  arrow.visible = length > 1e-3;
  // The name stands at the tip: two arrows begin at one hand.
  object.children
    .find((child) => child instanceof Sprite)
    ?.position.copy(tip)
    .setZ(tip.z + 0.04);
  if (length > 1e-3) arrow.setDirection(tip.clone().normalize());
  arrow.setLength(Math.max(0.01, length), Math.min(0.08, length * 0.4), 0.045);
}

/** A torque, not a force: it is given in newton metres. */
const turns = ({ written }: Goal): boolean => typeof written === 'object' && 'vector' in written && written.vector.unit === 'nm';

/** How a goal looks; `lit`: of the selected step, not of one that runs together with it. */
export function drawGoal(goal: Goal, settings: Record<string, unknown>, lit: boolean): Object3D {
  const group = new Group();
  const colour = lit ? 0x4fb0d4 : 0x7d8a96;
  switch (goal.looks) {
    case 'foot':
      group.add(footstep(goal.title, goal.side, lit ? 0.85 : 0.4));
      break;
    case 'shape':
      group.add(shapeMesh(goal.index === null ? settings : (((settings[goal.field] as Record<string, unknown>[] | undefined) ?? [])[goal.index] ?? {})));
      break;
    case 'axis': {
      const line = new BufferGeometry().setFromPoints([new Vector3(-0.25, 0, 0), new Vector3(0.25, 0, 0)]);
      group.add(new Line(line, new LineBasicMaterial({ color: 0xffd84d })), new AxesHelper(0.08));
      break;
    }
    case 'hand':
      group.add(
        new Mesh(new BoxGeometry(0.1, 0.035, 0.09), new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.55 })),
        new AxesHelper(0.12),
      );
      break;
    case 'body': {
      const box = new Mesh(new BoxGeometry(0.2, 0.3, 0.16), new MeshStandardMaterial({ color: colour, transparent: true, opacity: 0.35, depthWrite: false }));
      group.add(box, new AxesHelper(0.2));
      break;
    }
    case 'force': {
      group.add(new ArrowHelper(new Vector3(1, 0, 0), new Vector3(), 0.1, turns(goal) ? 0xb58cff : 0xffd84d));
      const text = label(goal.title, lit ? '#ffe9a8' : '#c3cbd3', 0.022);
      text.position.z = 0.05;
      group.add(text);
      break;
    }
    case 'point': {
      const ball = new Mesh(new SphereGeometry(0.03, 16, 12), new MeshStandardMaterial({ color: colour }));
      const text = label(goal.title, lit ? '#bfe6f5' : '#c3cbd3', 0.022);
      text.position.z = 0.07;
      group.add(ball, text);
      break;
    }
  }
  group.name = `goal ${goal.field}${goal.index === null ? '' : ` ${goal.index}`}`;
  return group;
}

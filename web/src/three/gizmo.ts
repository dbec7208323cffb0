import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Quaternion,
  type Raycaster,
  TorusGeometry,
  Vector3,
  type Camera,
  type Object3D,
  type Ray,
} from 'three';
import type { FocusCamera } from './camera';
import type { Nudge } from './keys';

export type Axis = 'x' | 'y' | 'z' | 'roll' | 'pitch' | 'yaw';

const COLOURS: Record<Axis, number> = { x: 0xe5484d, y: 0x4cc38a, z: 0x4c8dff, roll: 0xe5484d, pitch: 0x4cc38a, yaw: 0x4c8dff };
const DIRECTION: Record<Axis, Vector3> = {
  x: new Vector3(1, 0, 0),
  y: new Vector3(0, 1, 0),
  z: new Vector3(0, 0, 1),
  roll: new Vector3(1, 0, 0),
  pitch: new Vector3(0, 1, 0),
  yaw: new Vector3(0, 0, 1),
};
const AXES: Axis[] = ['x', 'y', 'z', 'roll', 'pitch', 'yaw'];
const turns = (axis: Axis): boolean => axis === 'roll' || axis === 'pitch' || axis === 'yaw';
const METRES = 0.01;
const RADIANS = Math.PI / 180;
const COARSE = 5;

/** How keys move the gizmo: along what is seen over the ground, the world's axes or its own; five times as far. */
export const nudging: { along: 'seen' | 'world' | 'own'; coarse: boolean } = { along: 'seen', coarse: false };

/** Arrows and rings that move a pose; red, green, blue for x, y, z and roll, pitch, yaw. */
export class Gizmo {
  readonly object = new Group();
  hovered: Axis | null = null;
  private readonly handles = new Map<Object3D, Axis>();
  private readonly materials = new Map<Axis, MeshBasicMaterial>();
  /** Without an axis: the whole pose is in a hand. */
  private drag: { axis: Axis | null; from: Matrix4; grip: Vector3; fine: number } | null = null;
  private allowed = new Set<Axis>(AXES);

  constructor() {
    this.object.visible = false;
    for (const axis of AXES) this.build(axis);
  }

  private build(axis: Axis): void {
    const material = new MeshBasicMaterial({ color: COLOURS[axis], depthTest: false, transparent: true, opacity: 0.9 });
    this.materials.set(axis, material);
    const unseen = new MeshBasicMaterial({ visible: false });
    const part = new Group();
    const add = (geometry: TorusGeometry | CylinderGeometry | ConeGeometry, grips: boolean): void => {
      const mesh = new Mesh(geometry, grips ? unseen : material);
      mesh.renderOrder = 9;
      part.add(mesh);
      if (grips) this.handles.set(mesh, axis);
    };
    if (turns(axis)) {
      add(new TorusGeometry(0.72, 0.014, 6, 64), false);
      add(new TorusGeometry(0.72, 0.06, 6, 32), true);
      part.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), DIRECTION[axis]);
    } else {
      add(new CylinderGeometry(0.016, 0.016, 1.9, 8), false);
      add(new ConeGeometry(0.055, 0.16, 12).translate(0, 1.02, 0), false);
      add(new CylinderGeometry(0.07, 0.07, 0.5, 8).translate(0, 0.9, 0), true);
      add(new CylinderGeometry(0.07, 0.07, 0.5, 8).translate(0, -0.75, 0), true);
      part.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), DIRECTION[axis]);
    }
    part.name = axis;
    this.object.add(part);
  }

  show(worldFromGoal: Matrix4 | null, axes: Axis[] = AXES): void {
    this.allowed = new Set(axes);
    this.object.visible = worldFromGoal !== null;
    for (const part of this.object.children) part.visible = this.allowed.has(part.name as Axis);
    if (worldFromGoal && !this.drag) this.put(worldFromGoal);
  }

  private put(worldFromGoal: Matrix4): void {
    worldFromGoal.decompose(this.object.position, this.object.quaternion, new Vector3());
  }

  get pose(): Matrix4 {
    return new Matrix4().compose(this.object.position, this.object.quaternion, new Vector3(1, 1, 1));
  }

  get dragging(): boolean {
    return this.drag !== null;
  }

  /** The same size on the screen however far away. */
  update(camera: FocusCamera): void {
    this.paint(camera.fixed ? camera.distance : camera.camera.position.distanceTo(this.object.position));
  }

  paint(distance: number): void {
    this.object.scale.setScalar(Math.max(0.02, distance * 0.085));
    for (const [axis, material] of this.materials) {
      const lit = this.drag ? this.drag.axis === axis || this.drag.axis === null : this.hovered === axis;
      material.color.set(lit ? 0xffd84d : COLOURS[axis]);
      material.opacity = this.drag && !lit ? 0.25 : 0.9;
    }
  }

  hover(ray: Raycaster): Axis | null {
    if (!this.object.visible) {
      this.hovered = null;
      return null;
    }
    const hits = ray.intersectObjects([...this.handles.keys()], false);
    const hit = hits.find(({ object }) => this.allowed.has(this.handles.get(object) ?? 'x'));
    this.hovered = hit ? (this.handles.get(hit.object) ?? null) : null;
    return this.hovered;
  }

  begin(ray: Ray, camera: Camera, fine: boolean): boolean {
    if (!this.hovered) return false;
    const grip = this.grip(this.hovered, this.pose, ray, camera);
    if (!grip) return false;
    this.drag = { axis: this.hovered, from: this.pose, grip, fine: fine ? 0.1 : 1 };
    return true;
  }

  /** Takes the whole pose into a hand, which carries it until the end. */
  take(): Matrix4 {
    this.drag = { axis: null, from: this.pose, grip: new Vector3(), fine: 1 };
    return this.pose;
  }

  carry(worldFromGoal: Matrix4): void {
    if (this.drag?.axis === null) this.put(worldFromGoal);
  }

  move(ray: Ray, camera: Camera): void {
    if (!this.drag?.axis) return;
    const { axis, from, grip, fine } = this.drag;
    const now = this.grip(axis, from, ray, camera);
    if (!now) return;
    const centre = new Vector3().setFromMatrixPosition(from);
    const direction = DIRECTION[axis].clone().transformDirection(from);
    if (!turns(axis)) {
      this.object.position.copy(centre).addScaledVector(direction, now.clone().sub(grip).dot(direction) * fine);
      return;
    }
    const a = grip.clone().sub(centre);
    const b = now.clone().sub(centre);
    const angle = Math.atan2(direction.dot(a.clone().cross(b)), a.dot(b)) * fine;
    const turned = new Quaternion().setFromAxisAngle(direction, angle);
    this.object.quaternion.copy(turned.multiply(new Quaternion().setFromRotationMatrix(from)));
  }

  /** The pose it was dragged to, or null if nothing was dragged. */
  end(): Matrix4 | null {
    if (!this.drag) return null;
    this.drag = null;
    return this.pose;
  }

  cancel(): boolean {
    if (!this.drag) return false;
    this.put(this.drag.from);
    this.drag = null;
    return true;
  }

  /** By key: moves along what is seen over the ground and up, or as `nudging` says; turns about its own axes and about up. */
  nudge(by: Nudge, camera: FocusCamera, fine: boolean): Matrix4 {
    const scale = (fine ? 0.1 : 1) * (nudging.coarse ? COARSE : 1);
    const own = (axis: Vector3): Vector3 => axis.clone().applyQuaternion(this.object.quaternion);
    if (by.move) this.nudgeAlong(by.move, this.directions(camera), METRES * scale);
    if (by.turn) {
      const [roll, pitch, yaw] = by.turn;
      const turn = (axis: Vector3, steps: number): void => {
        if (steps !== 0) this.object.quaternion.premultiply(new Quaternion().setFromAxisAngle(axis, steps * RADIANS * scale));
      };
      turn(own(DIRECTION.roll), roll);
      turn(own(DIRECTION.pitch), pitch);
      turn(nudging.along === 'own' ? own(DIRECTION.yaw) : DIRECTION.yaw, yaw);
    }
    return this.pose;
  }

  private directions(camera: FocusCamera): [Vector3, Vector3, Vector3] {
    switch (nudging.along) {
      case 'seen': {
        const { forward, left } = camera.axes();
        return [forward, left, DIRECTION.z];
      }
      case 'world':
        return [DIRECTION.x, DIRECTION.y, DIRECTION.z];
      case 'own': {
        const own = (axis: Vector3): Vector3 => axis.clone().applyQuaternion(this.object.quaternion);
        return [own(DIRECTION.x), own(DIRECTION.y), own(DIRECTION.z)];
      }
    }
  }

  private nudgeAlong(steps: [number, number, number], directions: [Vector3, Vector3, Vector3], metres: number): void {
    directions.forEach((direction, index) => this.object.position.addScaledVector(direction, (steps[index] ?? 0) * metres));
  }

  /** Where the mouse holds an axis: the nearest point of the line, or the point in the ring's plane. */
  private grip(axis: Axis, pose: Matrix4, ray: Ray, camera: Camera): Vector3 | null {
    const centre = new Vector3().setFromMatrixPosition(pose);
    const direction = DIRECTION[axis].clone().transformDirection(pose);
    const towards = camera.getWorldDirection(new Vector3());
    if (turns(axis)) return ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(direction, centre), new Vector3());
    const normal = towards.sub(direction.clone().multiplyScalar(towards.dot(direction)));
    if (normal.lengthSq() < 1e-6) return null; // looked at along the axis
    const hit = ray.intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal.normalize(), centre), new Vector3());
    return hit && centre.addScaledVector(direction, hit.sub(centre).dot(direction));
  }
}

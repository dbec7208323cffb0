import { Group, PerspectiveCamera, Vector3 } from 'three';

const UP = new Vector3(0, 0, 1);

/** Where the room of the headset stands in the world. WebXR has y up, the world z: the room is turned. */
export class Rig {
  readonly object = new Group();
  readonly room = new Group();
  readonly camera = new PerspectiveCamera(70, 1, 0.05, 100);

  constructor() {
    this.room.rotation.x = Math.PI / 2;
    this.room.add(this.camera);
    this.object.add(this.room);
  }

  /** The middle of the room there, its front along the heading (radians from x). */
  stand(at: Vector3, heading: number): void {
    this.object.position.set(at.x, at.y, 0);
    this.object.rotation.z = heading - Math.PI / 2;
    this.object.updateMatrixWorld(true);
  }

  get head(): Vector3 {
    return this.camera.getWorldPosition(new Vector3());
  }

  /** Where the person looks, over the ground. */
  get heading(): number {
    const ahead = this.camera.getWorldDirection(new Vector3());
    return Math.atan2(ahead.y, ahead.x);
  }

  /** Metres ahead and to the left, as the person looks. */
  walk(ahead: number, left: number): void {
    const { heading } = this;
    this.object.position.x += Math.cos(heading) * ahead - Math.sin(heading) * left;
    this.object.position.y += Math.sin(heading) * ahead + Math.cos(heading) * left;
    this.object.updateMatrixWorld(true);
  }

  /** About the person, who may stand anywhere in the room. */
  turn(angle: number): void {
    const { head } = this;
    this.object.position.sub(head).applyAxisAngle(UP, angle).add(head);
    this.object.rotation.z += angle;
    this.object.updateMatrixWorld(true);
  }

  /** The person, not the middle of the room, is there then; the ground stays the ground. */
  teleport(to: Vector3): void {
    const { head } = this;
    this.object.position.x += to.x - head.x;
    this.object.position.y += to.y - head.y;
    this.object.updateMatrixWorld(true);
  }
}

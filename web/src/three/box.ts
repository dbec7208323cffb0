import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineLoop, Mesh, MeshBasicMaterial, PlaneGeometry, Vector3 } from 'three';

/** A box on the ground, in the world's directions, being dragged on the map. */
export class MapBox {
  readonly object = new Group();
  private readonly line = new LineLoop(
    new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(12), 3)),
    new LineBasicMaterial({ color: 0xffd84d }),
  );
  private readonly fill = new Mesh(
    new PlaneGeometry(1, 1),
    new MeshBasicMaterial({ color: 0xffd84d, transparent: true, opacity: 0.15, side: DoubleSide, depthWrite: false }),
  );
  private from: Vector3 | null = null;
  private to = new Vector3();

  constructor() {
    this.line.frustumCulled = false;
    this.object.add(this.line, this.fill);
    this.object.visible = false;
  }

  get dragging(): boolean {
    return this.from !== null;
  }

  begin(at: Vector3): void {
    this.from = at.clone();
    this.move(at);
  }

  move(at: Vector3): void {
    if (!this.from) return;
    this.to.copy(at);
    const { from, to } = this;
    const corners = this.line.geometry.getAttribute('position') as BufferAttribute;
    [
      [from.x, from.y],
      [to.x, from.y],
      [to.x, to.y],
      [from.x, to.y],
    ].forEach(([x = 0, y = 0], index) => corners.setXYZ(index, x, y, 0.02));
    corners.needsUpdate = true;
    this.fill.position.set((from.x + to.x) / 2, (from.y + to.y) / 2, 0.01);
    this.fill.scale.set(Math.max(1e-3, Math.abs(to.x - from.x)), Math.max(1e-3, Math.abs(to.y - from.y)), 1);
    this.object.visible = true;
  }

  /** Its middle on the ground and its size; null: there was none. */
  end(): { centre: Vector3; size: [number, number] } | null {
    const { from, to } = this;
    this.cancel();
    if (!from) return null;
    const centre = from.clone().add(to).multiplyScalar(0.5).setZ(0);
    return { centre, size: [Math.abs(to.x - from.x), Math.abs(to.y - from.y)] };
  }

  cancel(): boolean {
    const was = this.dragging;
    this.from = null;
    this.object.visible = false;
    return was;
  }
}

import { BufferGeometry, Group, LineBasicMaterial, LineLoop, type Matrix4, Mesh, MeshStandardMaterial, SRGBColorSpace, Vector3, type Material } from 'three';
import type { ObjectView, OutlineView, SolidView, TemplateView } from '../api/types';
import { footprintOf, geometryOf } from './form';
import { matrixOfSeven } from './pose';

/** What stands in the way is between these heights: a floor does not, neither does a lamp. */
const LOW_M = 0.05;
const HIGH_M = 1.9;
/** Above everything, so that a map shows it. */
const MAP_M = 2.4;
const TRUTH = 0x9a86c9;
const KNOWN = 0xd6793c;
const GROUND = 0x5f9ea0;
const SEEN = 0x4cc38a;

/** The simulated world, which the robot does not know, and outlines of what is in the way, for the map. */
export class AroundLayer {
  readonly world = new Group();
  readonly outlines = new Group();
  private readonly meshes = new Map<number, { solid: SolidView; mesh: Mesh }>();
  private solids: readonly SolidView[] = [];
  private terrain: OutlineView[] = [];
  private objects: ObjectView[] = [];
  private templates: TemplateView[] = [];

  constructor() {
    this.world.name = 'world';
    this.outlines.name = 'outlines';
    this.outlines.visible = false;
  }

  setSolids(solids: readonly SolidView[]): void {
    this.solids = solids;
    const now = new Set(solids.map(({ number }) => number));
    for (const [number, { mesh }] of this.meshes) if (!now.has(number)) this.remove(number, mesh);
    for (const solid of solids) this.putSolid(solid);
    this.drawOutlines();
  }

  setKnown(terrain: OutlineView[], objects: ObjectView[], templates: TemplateView[]): void {
    Object.assign(this, { terrain, objects, templates });
    this.drawOutlines();
  }

  setShown(world: boolean): void {
    this.world.visible = world;
    this.drawOutlines();
  }

  private putSolid(solid: SolidView): void {
    let known = this.meshes.get(solid.number);
    if (known?.solid === solid) return;
    if (known && JSON.stringify(known.solid.form) !== JSON.stringify(solid.form)) {
      this.remove(solid.number, known.mesh);
      known = undefined;
    }
    if (!known) {
      const [red, green, blue, alpha] = solid.colour;
      const material = new MeshStandardMaterial({ transparent: alpha < 255, opacity: alpha / 255, roughness: 0.9 });
      material.color.setRGB(red / 255, green / 255, blue / 255, SRGBColorSpace);
      const mesh = new Mesh(geometryOf(solid.form), material);
      mesh.name = solid.name;
      // The grid is the floor: a floor over it would hide it.
      mesh.visible = !('plane' in solid.form);
      this.world.add(mesh);
      known = { solid, mesh };
    }
    known.solid = solid;
    this.meshes.set(solid.number, known);
    matrixOfSeven(solid.pose).decompose(known.mesh.position, known.mesh.quaternion, new Vector3());
  }

  private remove(number: number, mesh: Mesh): void {
    this.world.remove(mesh);
    mesh.geometry.dispose();
    (mesh.material as Material).dispose();
    this.meshes.delete(number);
  }

  private drawOutlines(): void {
    for (const line of this.outlines.children as LineLoop[]) {
      line.geometry.dispose();
      (line.material as Material).dispose();
    }
    this.outlines.clear();
    for (const { form, pose } of this.world.visible ? this.solids : []) this.addFootprint(form, matrixOfSeven(pose), TRUTH);
    for (const { obstacle, corners } of this.terrain) this.addOutline(corners, obstacle ? KNOWN : GROUND);
    for (const object of this.objects) {
      const template = this.templates.find((one) => one.class === (object.class ?? object.name));
      if (template?.form && object.pose) this.addFootprint(template.form, matrixOfSeven(object.pose).multiply(matrixOfSeven(template.form_at)), SEEN);
    }
  }

  private addFootprint(form: SolidView['form'], at: Matrix4, colour: number): void {
    const footprint = footprintOf(form, at);
    if (footprint && footprint.top > LOW_M && footprint.bottom < HIGH_M) this.addOutline(footprint.outline, colour);
  }

  private addOutline(corners: [number, number][], colour: number): void {
    const points = corners.map(([x, y]) => new Vector3(x, y, MAP_M));
    const line = new LineLoop(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: colour, depthTest: false }));
    line.renderOrder = 8;
    this.outlines.add(line);
  }
}

import {
  CapsuleGeometry,
  Color,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Material,
  type Object3D,
  type Raycaster,
  type Texture,
} from 'three';
import URDFLoader, { type URDFRobot } from 'urdf-loader';
import { addressOf, hasOwnLook, meshOf } from './meshes';

export interface Limit {
  lower: number;
  upper: number;
}

/** Of links that nothing was said of; of those that are pointed at. */
const GREY = 0x8a929a;
const LIT = 0x38b6ff;
const LIT_FROM_WITHIN = 0x0a3a5c;

const known = new Map<string, Map<string, Limit>>();

/** Of every joint that has some, in radians or metres. */
export function limitsOf(urdf: string): Map<string, Limit> {
  const before = known.get(urdf);
  if (before) return before;
  const limits = new Map<string, Limit>();
  for (const joint of new DOMParser().parseFromString(urdf, 'text/xml').querySelectorAll('joint')) {
    const limit = joint.querySelector('limit');
    if (limit)
      limits.set(joint.getAttribute('name') ?? '', { lower: Number(limit.getAttribute('lower') ?? 0), upper: Number(limit.getAttribute('upper') ?? 0) });
  }
  known.set(urdf, limits);
  return limits;
}

const numbers = (text: string | null | undefined): number[] => (text ?? '').trim().split(/\s+/).map(Number);

/** Our robots have capsules, which urdf-loader leaves out: they are put into the visuals it made for them. */
function addCapsules(robot: URDFRobot, xml: Document): void {
  const colours = new Map<string, number[]>();
  for (const material of xml.querySelectorAll('robot > material')) {
    colours.set(material.getAttribute('name') ?? '', numbers(material.querySelector('color')?.getAttribute('rgba')));
  }
  for (const link of xml.querySelectorAll('robot > link')) {
    const made = robot.links[link.getAttribute('name') ?? '']?.children.filter((child) => (child as { isURDFVisual?: boolean }).isURDFVisual) ?? [];
    const visuals = [...link.children].filter((child) => child.tagName === 'visual');
    visuals.forEach((visual, index) => {
      const capsule = visual.querySelector('geometry > capsule');
      const into = made[index];
      if (!capsule || !into) return;
      const geometry = new CapsuleGeometry(Number(capsule.getAttribute('radius')), Number(capsule.getAttribute('length')), 6, 16).rotateX(Math.PI / 2);
      const [red = 0.7, green = 0.7, blue = 0.7] = colours.get(visual.querySelector('material')?.getAttribute('name') ?? '') ?? [];
      into.add(new Mesh(geometry, new MeshStandardMaterial({ color: new Color().setRGB(red, green, blue, 'srgb'), roughness: 0.6 })));
    });
  }
}

/** A robot of its URDF, to be posed by joint values and a base. */
export class RobotModel {
  readonly object: Object3D;
  private readonly robot: URDFRobot;
  private readonly joints: string[];
  readonly meshes: Mesh[] = [];
  /** Of each mesh with all its detail, and with less: light that is quicker to draw. */
  private readonly looks: { mesh: Mesh; fine: MeshStandardMaterial; plain: MeshLambertMaterial; color: Color; map: Texture | null }[] = [];
  private full = true;
  /** Meshes that are asked for and have not come. */
  waiting = 0;
  private painted: [ReadonlyMap<string, number> | null, ReadonlySet<string>] | null = null;
  private tinted: [number, number, ReadonlySet<string>, number] | null = null;

  /** Meshes come later, one by one: then `came` is called, with what is wrong if one does not. */
  constructor(
    urdf: string,
    joints: string[],
    private readonly came: (problem: string | null) => void,
  ) {
    const xml = new DOMParser().parseFromString(urdf, 'text/xml');
    for (const mesh of xml.querySelectorAll('geometry > mesh')) mesh.setAttribute('filename', addressOf(mesh.getAttribute('filename') ?? ''));
    const loader = new URDFLoader();
    loader.parseCollision = false;
    loader.loadMeshCb = (address, _manager, material, done) => this.fetch(address, material, done);
    this.robot = loader.parse(xml);
    addCapsules(this.robot, xml);
    this.object = this.robot;
    this.joints = joints;
    this.take(this.robot);
    this.robot.matrixAutoUpdate = true;
  }

  private fetch(address: string, material: Material, done: (mesh: Object3D) => void): void {
    this.waiting++;
    const come = meshOf(address).finally(() => this.waiting--);
    come.then(
      (mesh) => {
        mesh.traverse((part) => {
          if (part instanceof Mesh && !hasOwnLook(part)) part.material = material;
        });
        done(mesh);
        this.take(mesh);
        this.came(null);
      },
      (error: unknown) => this.came(error instanceof Error ? error.message : String(error)),
    );
  }

  /** What is drawn of the robot, each mesh with materials of its own. */
  private take(of: Object3D): void {
    of.traverse((part) => {
      if (!(part instanceof Mesh) || this.meshes.includes(part)) return;
      this.meshes.push(part);
      const { color, map = null, opacity, side } = part.material as MeshStandardMaterial;
      // A mesh may look inward; a shape of the URDF does not.
      const look = { color, map, opacity, transparent: opacity < 1, side: part.userData.fromFile ? DoubleSide : side };
      const fine = new MeshStandardMaterial({ ...look, roughness: 0.55, metalness: 0.05 });
      const plain = new MeshLambertMaterial(look);
      part.material = this.full ? fine : plain;
      this.looks.push({ mesh: part, fine, plain, color: color.clone(), map });
    });
    if (this.tinted) this.tint(...this.tinted);
    if (this.painted) this.paint(...this.painted);
  }

  pose(base: ArrayLike<number>, joints: ArrayLike<number>): void {
    this.joints.forEach((name, index) => this.robot.setJointValue(name, joints[index] ?? 0));
    this.robot.position.set(base[0] ?? 0, base[1] ?? 0, base[2] ?? 0);
    this.robot.quaternion.set(base[3] ?? 0, base[4] ?? 0, base[5] ?? 0, base[6] ?? 1).normalize();
    this.robot.updateMatrixWorld(true);
  }

  setDetail(full: boolean): void {
    this.full = full;
    for (const { mesh, fine, plain } of this.looks) mesh.material = full ? fine : plain;
  }

  link(name: string): Object3D | null {
    return this.robot.links[name] ?? null;
  }

  joint(name: string): Object3D | null {
    return this.robot.joints[name] ?? null;
  }

  /** Links in these colours and the others grey, those that are lit brighter; none: as they look. */
  paint(colours: ReadonlyMap<string, number> | null, lit: ReadonlySet<string>): void {
    this.painted = [colours, lit];
    for (const { mesh, fine, plain, color, map } of this.looks) {
      const link = colours && linkOf(mesh);
      const isLit = link !== null && lit.has(link);
      for (const material of [fine, plain]) {
        if (link === null) material.color.copy(color);
        else material.color.set(isLit ? LIT : (colours?.get(link) ?? GREY));
        material.emissive.set(isLit ? LIT_FROM_WITHIN : 0);
        const pictured = link === null ? map : null;
        material.needsUpdate ||= material.map !== pictured;
        material.map = pictured;
      }
    }
  }

  /** The link that a ray meets first. */
  linkAt(ray: Raycaster): string | null {
    const [first] = ray.intersectObjects(this.meshes, false);
    return first ? linkOf(first.object) || null : null;
  }

  /** One transparent colour for all of it, another for the links named. */
  tint(colour: number, opacity: number, marked: ReadonlySet<string>, mark: number): void {
    this.tinted = [colour, opacity, marked, mark];
    for (const { mesh, fine, plain } of this.looks) {
      for (const material of [fine, plain]) {
        material.transparent = true;
        material.opacity = opacity;
        material.map = null;
        material.depthWrite = false;
        // Where the ghost stands as the robot does, the robot is seen.
        material.polygonOffset = true;
        material.polygonOffsetFactor = 2;
        material.polygonOffsetUnits = 2;
        material.color.set(marked.has(linkOf(mesh)) ? mark : colour);
      }
    }
  }
}

export function linkOf(mesh: Object3D): string {
  for (let at: Object3D | null = mesh; at; at = at.parent) if ((at as { isURDFLink?: boolean }).isURDFLink) return at.name;
  return '';
}

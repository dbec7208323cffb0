import { CapsuleGeometry, Color, Mesh, MeshLambertMaterial, MeshStandardMaterial, type Object3D } from 'three';
import URDFLoader, { type URDFRobot } from 'urdf-loader';

export interface Limit {
  lower: number;
  upper: number;
}

const known = new Map<string, Map<string, Limit>>();

/** Of every joint that has some, in radians or metres. */
export function limitsOf(urdf: string): Map<string, Limit> {
  const before = known.get(urdf);
  if (before) return before;
  const limits = new Map<string, Limit>();
  for (const joint of new DOMParser().parseFromString(urdf, 'text/xml').querySelectorAll('joint')) {
    const limit = joint.querySelector('limit');
    if (limit) limits.set(joint.getAttribute('name') ?? '', { lower: Number(limit.getAttribute('lower') ?? 0), upper: Number(limit.getAttribute('upper') ?? 0) });
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
  private readonly looks: { mesh: Mesh; fine: MeshStandardMaterial; plain: MeshLambertMaterial }[] = [];

  constructor(urdf: string, joints: string[]) {
    const xml = new DOMParser().parseFromString(urdf, 'text/xml');
    const loader = new URDFLoader();
    loader.parseCollision = false;
    this.robot = loader.parse(urdf);
    addCapsules(this.robot, xml);
    this.object = this.robot;
    this.joints = joints;
    this.robot.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      this.meshes.push(part);
      const old = part.material as MeshStandardMaterial;
      const fine = new MeshStandardMaterial({ color: old.color, roughness: 0.55, metalness: 0.05 });
      part.material = fine;
      this.looks.push({ mesh: part, fine, plain: new MeshLambertMaterial({ color: old.color }) });
    });
    this.robot.matrixAutoUpdate = true;
  }

  pose(base: ArrayLike<number>, joints: ArrayLike<number>): void {
    this.joints.forEach((name, index) => this.robot.setJointValue(name, joints[index] ?? 0));
    this.robot.position.set(base[0] ?? 0, base[1] ?? 0, base[2] ?? 0);
    this.robot.quaternion.set(base[3] ?? 0, base[4] ?? 0, base[5] ?? 0, base[6] ?? 1).normalize();
    this.robot.updateMatrixWorld(true);
  }

  setDetail(full: boolean): void {
    for (const { mesh, fine, plain } of this.looks) mesh.material = full ? fine : plain;
  }

  link(name: string): Object3D | null {
    return this.robot.links[name] ?? null;
  }

  /** One transparent colour for all of it, another for the links named. */
  tint(colour: number, opacity: number, marked: ReadonlySet<string>, mark: number): void {
    for (const { mesh, fine, plain } of this.looks) {
      for (const material of [fine, plain]) {
        material.transparent = true;
        material.opacity = opacity;
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

function linkOf(mesh: Object3D): string {
  for (let at: Object3D | null = mesh; at; at = at.parent) if ((at as { isURDFLink?: boolean }).isURDFLink) return at.name;
  return '';
}

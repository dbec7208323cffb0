import { CanvasTexture, Mesh, MeshBasicMaterial, PlaneGeometry, SRGBColorSpace, Vector3, type Raycaster } from 'three';
import { buttonAt, drawPanel, HEIGHT, layOut, WIDTH, type Box, type Line } from './panel';

const TALL_M = 0.3;

/** A panel above a wrist, read by the person and pointed at with the other hand. */
export class Wrist {
  readonly object: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly canvas = document.createElement('canvas');
  private readonly texture: CanvasTexture;
  private boxes: Box[] = [];
  private drawn = '';

  constructor() {
    this.canvas.width = WIDTH;
    this.canvas.height = HEIGHT;
    this.texture = new CanvasTexture(this.canvas);
    this.texture.colorSpace = SRGBColorSpace;
    this.object = new Mesh(new PlaneGeometry((TALL_M * WIDTH) / HEIGHT, TALL_M), new MeshBasicMaterial({ map: this.texture, fog: false }));
    this.object.position.set(0, 0.17, 0.03);
    this.object.rotation.x = -0.6;
  }

  /** Drawn anew only when something on it has changed. */
  show(lines: Line[], pointed: string | null): void {
    const now = JSON.stringify([lines, pointed]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.boxes = layOut(lines);
    const to = this.canvas.getContext('2d');
    if (to) drawPanel(to, this.boxes, pointed);
    this.texture.needsUpdate = true;
  }

  /** What a ray points at: a button, or the panel itself (null); undefined: beside it. */
  at(ray: Raycaster): { button: string | null; distance: number } | undefined {
    const [hit] = ray.intersectObject(this.object, false);
    if (!hit?.uv) return undefined;
    return { button: buttonAt(this.boxes, hit.uv.x, 1 - hit.uv.y), distance: hit.distance };
  }

  /** Where a button is in the world; tests point there. */
  placeOf(title: string): Vector3 | null {
    const box = this.boxes.find(({ line, button }) => 'buttons' in line && line.buttons[button ?? -1]?.title === title);
    if (!box) return null;
    const u = (box.x + box.width / 2) / WIDTH;
    const v = (box.y + box.height / 2) / HEIGHT;
    this.object.updateWorldMatrix(true, false);
    return this.object.localToWorld(new Vector3((u - 0.5) * ((TALL_M * WIDTH) / HEIGHT), (0.5 - v) * TALL_M, 0));
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.texture.dispose();
  }
}

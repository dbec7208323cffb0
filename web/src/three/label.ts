import { CanvasTexture, type Object3D, type Scene, Sprite, SpriteMaterial, Vector3, type Camera } from 'three';

const FONT = '600 40px system-ui, sans-serif';

/**
 * A short text that faces the camera and keeps its size on the screen. A headset draws it with the scene; on a screen
 * [`LabelSheet`] writes it above the picture, sharp however coarse that is.
 */
export function label(text: string, colour: string, height = 0.028): Sprite {
  const canvas = document.createElement('canvas');
  const drawing = canvas.getContext('2d');
  let width = 40;
  if (drawing) {
    drawing.font = FONT;
    width = Math.ceil(drawing.measureText(text).width) + 16;
    canvas.width = width;
    canvas.height = 56;
    drawing.font = FONT;
    drawing.textBaseline = 'middle';
    drawing.lineWidth = 7;
    drawing.strokeStyle = 'rgba(10, 14, 18, 0.75)';
    drawing.strokeText(text, 8, 29);
    drawing.fillStyle = colour;
    drawing.fillText(text, 8, 29);
  }
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, transparent: true, sizeAttenuation: false }));
  sprite.userData = { size: [(height * width) / 56, height], text, colour };
  fitLabel(sprite, 1);
  sprite.renderOrder = 10;
  return sprite;
}

/** Without perspective three.js does not keep the size on the screen: whoever draws says how large a unit is. */
export function fitLabel(sprite: Sprite, unit: number): void {
  const [width, height] = sprite.userData.size as [number, number];
  sprite.scale.set(width * unit, height * unit, 1);
}

/** Every label that is shown; nothing of what is hidden. */
export function labelsIn(scene: Scene): Sprite[] {
  const found: Sprite[] = [];
  scene.traverseVisible((part: Object3D) => {
    if (part instanceof Sprite && typeof part.userData.text === 'string') found.push(part);
  });
  return found;
}

/** Of a view: left, top, width and height in pixels of the page. */
export type Box = readonly [number, number, number, number];

const at = new Vector3();
/** A label of the usual height on a screen of the usual height. */
const SHARE_TO_PX = 470;
/** Between lines, in heights of the text. */
const LINE = 1.15;
/** With more in one place, they lie over each other. */
const MOST_LINES = 12;

/** Text above the picture, as sharp as the screen can. */
export class LabelSheet {
  private readonly canvas = document.createElement('canvas');
  private readonly drawing = this.canvas.getContext('2d');
  /** What was written last, for whoever wants to know, and where. */
  written: string[] = [];
  boxes: Box[] = [];

  private readonly host = document.createElement('div');

  constructor(beside: HTMLCanvasElement) {
    this.host.className = 'labels';
    this.host.setAttribute('aria-hidden', 'true');
    Object.assign(this.canvas.style, { width: '100%', height: '100%', display: 'block' });
    this.host.attachShadow({ mode: 'closed' }).append(this.canvas);
    beside.after(this.host);
  }

  begin(width: number, height: number): void {
    const ratio = window.devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) Object.assign(this.canvas, { width: wide, height: high });
    this.drawing?.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawing?.clearRect(0, 0, width, height);
    this.written = [];
    this.boxes = [];
  }

  write(labels: Sprite[], camera: Camera, [left, top, width, height]: Box): void {
    const { drawing } = this;
    if (!drawing) return;
    drawing.save();
    drawing.beginPath();
    drawing.rect(left, top, width, height);
    drawing.clip();
    drawing.textAlign = 'center';
    drawing.textBaseline = 'middle';
    drawing.lineJoin = 'round';
    drawing.strokeStyle = 'rgba(10, 14, 18, 0.8)';
    for (const sprite of labels) {
      at.setFromMatrixPosition(sprite.matrixWorld).project(camera);
      if (at.z < -1 || at.z > 1 || Math.abs(at.x) > 1.1 || Math.abs(at.y) > 1.1) continue;
      const { text, colour, size } = sprite.userData as { text: string; colour: string; size: [number, number] };
      const x = left + ((at.x + 1) / 2) * width;
      const pixels = Math.max(10, Math.min(16, size[1] * SHARE_TO_PX));
      drawing.font = `600 ${pixels}px system-ui, sans-serif`;
      drawing.lineWidth = pixels / 4;
      const y = this.free([x, top + ((1 - at.y) / 2) * height], [drawing.measureText(text).width, pixels * LINE]);
      drawing.strokeText(text, x, y);
      drawing.fillStyle = colour;
      drawing.fillText(text, x, y);
      this.written.push(text);
    }
    drawing.restore();
  }

  /** Below what is written there already: the middle of the first line that is free. */
  private free([x, y]: [number, number], [wide, high]: [number, number]): number {
    const over = (at: number): Box | undefined =>
      this.boxes.find(
        ([left, top, width, height]) => x - wide / 2 < left + width && x + wide / 2 > left && at - high / 2 < top + height && at + high / 2 > top,
      );
    let at = y;
    for (let line = 0; line < MOST_LINES; line++) {
      const other = over(at);
      if (!other) break;
      at = other[1] + other[3] + high / 2;
    }
    this.boxes.push([x - wide / 2, at - high / 2, wide, high]);
    return at;
  }

  remove(): void {
    this.host.remove();
  }
}

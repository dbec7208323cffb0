import { CanvasTexture, Sprite, SpriteMaterial } from 'three';

/** A short text that faces the camera and keeps its size on the screen. */
export function label(text: string, colour: string, height = 0.028): Sprite {
  const canvas = document.createElement('canvas');
  const drawing = canvas.getContext('2d');
  const font = '600 40px system-ui, sans-serif';
  let width = 40;
  if (drawing) {
    drawing.font = font;
    width = Math.ceil(drawing.measureText(text).width) + 16;
    canvas.width = width;
    canvas.height = 56;
    drawing.font = font;
    drawing.textBaseline = 'middle';
    drawing.lineWidth = 7;
    drawing.strokeStyle = 'rgba(10, 14, 18, 0.75)';
    drawing.strokeText(text, 8, 29);
    drawing.fillStyle = colour;
    drawing.fillText(text, 8, 29);
  }
  const sprite = new Sprite(new SpriteMaterial({ map: new CanvasTexture(canvas), depthTest: false, transparent: true, sizeAttenuation: false }));
  sprite.userData.size = [(height * width) / 56, height];
  fitLabel(sprite, 1);
  sprite.renderOrder = 10;
  return sprite;
}

/** Without perspective three.js does not keep the size on the screen: whoever draws says how large a unit is. */
export function fitLabel(sprite: Sprite, unit: number): void {
  const [width, height] = sprite.userData.size as [number, number];
  sprite.scale.set(width * unit, height * unit, 1);
}

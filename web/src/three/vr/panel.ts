/** What stands on a panel: a line of text, perhaps with how far it is, or buttons side by side. */
export type Line =
  | { text: string; dim?: boolean; heading?: boolean; share?: number | null }
  | { buttons: { id: string; title: string; on?: boolean; off?: boolean; stop?: boolean }[] };

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  line: Line;
  /** Of a button: which. */
  button: number | null;
}

export const WIDTH = 640;
export const HEIGHT = 960;
const EDGE = 16;
const GAP = 8;

const heightOf = (line: Line): number => ('buttons' in line ? (line.buttons.some(({ stop }) => stop) ? 84 : 62) : line.heading ? 40 : 32);

/** From top to bottom; what does not fit is left out. */
export function layOut(lines: Line[]): Box[] {
  const boxes: Box[] = [];
  let y = EDGE;
  for (const line of lines) {
    const height = heightOf(line);
    if (y + height > HEIGHT - EDGE) break;
    if ('buttons' in line) {
      const width = (WIDTH - 2 * EDGE - GAP * (line.buttons.length - 1)) / Math.max(1, line.buttons.length);
      line.buttons.forEach((_, index) => boxes.push({ x: EDGE + index * (width + GAP), y, width, height, line, button: index }));
    } else boxes.push({ x: EDGE, y, width: WIDTH - 2 * EDGE, height, line, button: null });
    y += height + GAP;
  }
  return boxes;
}

/** The button at a place of the panel, in shares from its top left. */
export function buttonAt(boxes: Box[], u: number, v: number): string | null {
  const x = u * WIDTH;
  const y = v * HEIGHT;
  const hit = boxes.find((box) => box.button !== null && x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);
  if (!hit || !('buttons' in hit.line)) return null;
  const button = hit.line.buttons[hit.button ?? 0];
  return button && !button.off ? button.id : null;
}

export function drawPanel(to: CanvasRenderingContext2D, boxes: Box[], pointed: string | null): void {
  to.fillStyle = '#10161b';
  to.fillRect(0, 0, WIDTH, HEIGHT);
  to.textBaseline = 'middle';
  for (const box of boxes) {
    if ('buttons' in box.line) drawButton(to, box, box.line.buttons[box.button ?? 0], pointed);
    else drawText(to, box, box.line);
  }
}

function drawButton(
  to: CanvasRenderingContext2D,
  box: Box,
  button: { id: string; title: string; on?: boolean; off?: boolean; stop?: boolean } | undefined,
  pointed: string | null,
): void {
  if (!button) return;
  to.fillStyle = button.stop ? '#c62f38' : button.on ? '#1f6f93' : '#26313a';
  to.fillRect(box.x, box.y, box.width, box.height);
  if (button.id === pointed && !button.off) {
    to.strokeStyle = '#ffd84d';
    to.lineWidth = 5;
    to.strokeRect(box.x + 2, box.y + 2, box.width - 4, box.height - 4);
  }
  to.fillStyle = button.off ? '#6d7780' : '#ffffff';
  to.font = `600 ${button.stop ? 36 : 26}px system-ui, sans-serif`;
  to.textAlign = 'center';
  to.fillText(button.title, box.x + box.width / 2, box.y + box.height / 2, box.width - 10);
}

function drawText(to: CanvasRenderingContext2D, box: Box, line: Extract<Line, { text: string }>): void {
  if (line.share !== undefined) {
    to.fillStyle = '#23445a';
    to.fillRect(box.x, box.y, box.width * (line.share ?? 1), box.height);
  }
  to.fillStyle = line.dim ? '#a9b4be' : '#f2f5f7';
  to.font = `${line.heading ? 700 : 500} ${line.heading ? 28 : 24}px system-ui, sans-serif`;
  to.textAlign = 'left';
  to.fillText(line.text, box.x + 4, box.y + box.height / 2, box.width - 8);
}

import type { FocusCamera } from './camera';

interface Finger {
  x: number;
  y: number;
}

const between = (a: Finger, b: Finger): number => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Finger, b: Finger): Finger => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** One finger is the left button; two move and zoom what is seen, and end what the first one began. */
export function listenToTouch(canvas: HTMLCanvasElement, camera: FocusCamera, changed: () => void): () => void {
  const fingers = new Map<number, Finger>();
  let two = false;
  const place = (event: PointerEvent): Finger => ({ x: event.clientX, y: event.clientY });
  const down = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, place(event));
    if (fingers.size < 2) return;
    two = true;
    event.stopImmediatePropagation();
    canvas.dispatchEvent(new PointerEvent('pointercancel', { pointerId: event.pointerId, pointerType: 'mouse' }));
  };
  const move = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    fingers.set(event.pointerId, now);
    if (!two) return;
    event.stopImmediatePropagation();
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return;
    const [from, to] = [middle(before, other), middle(now, other)];
    camera.pan(to.x - from.x, to.y - from.y, false);
    camera.distance = Math.min(60, Math.max(0.15, (camera.distance * between(before, other)) / Math.max(1, between(now, other))));
    changed();
  };
  const up = (event: PointerEvent): void => {
    // Ours that ends what the first finger began is of no finger.
    if (event.pointerType !== 'touch' || !fingers.delete(event.pointerId) || !two) return;
    event.stopImmediatePropagation();
    // The last finger that is lifted chooses nothing.
    two = fingers.size > 0;
  };
  const all: [keyof HTMLElementEventMap, EventListener][] = [
    ['pointerdown', down as EventListener],
    ['pointermove', move as EventListener],
    ['pointerup', up as EventListener],
    ['pointercancel', up as EventListener],
  ];
  for (const [name, act] of all) canvas.addEventListener(name, act, { capture: true });
  return () => {
    for (const [name, act] of all) canvas.removeEventListener(name, act, { capture: true });
  };
}

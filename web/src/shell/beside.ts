export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Beside {
  /** Of the target, where the card stands. */
  side: 'left' | 'right' | 'above' | 'below' | 'inside';
  left: number;
  top: number;
  /** Where the arrow is at the card. */
  arrow: { left?: number; top?: number };
}

const GAP = 14;
const EDGE = 8;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** A card beside what it is about, whole in the window; inside where it has no room beside. */
export function placeBeside(target: Box, card: { width: number; height: number }, free: Box): Beside {
  const middle = { x: (target.left + target.right) / 2, y: (target.top + target.bottom) / 2 };
  const within = {
    left: (at: number): number => clamp(at, free.left + EDGE, free.right - card.width - EDGE),
    top: (at: number): number => clamp(at, free.top + EDGE, free.bottom - card.height - EDGE),
  };
  const across = { left: within.left(middle.x - card.width / 2), top: within.top(middle.y - card.height / 2) };
  const arrow = { left: clamp(middle.x - across.left, 16, card.width - 16), top: clamp(middle.y - across.top, 16, card.height - 16) };
  if (target.bottom + GAP + card.height <= free.bottom) return { side: 'below', left: across.left, top: target.bottom + GAP, arrow: { left: arrow.left } };
  if (target.top - GAP - card.height >= free.top) return { side: 'above', left: across.left, top: target.top - GAP - card.height, arrow: { left: arrow.left } };
  if (target.right + GAP + card.width <= free.right) return { side: 'right', left: target.right + GAP, top: across.top, arrow: { top: arrow.top } };
  if (target.left - GAP - card.width >= free.left) return { side: 'left', left: target.left - GAP - card.width, top: across.top, arrow: { top: arrow.top } };
  return { side: 'inside', left: within.left(target.right - card.width - GAP), top: within.top(target.bottom - card.height - GAP), arrow: {} };
}

import { expect, test } from 'vitest';
import { placeBeside } from './beside';

const free = { left: 0, top: 0, right: 1000, bottom: 700 };
const card = { width: 300, height: 200 };
const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

test('a card stands beside what it is about, whole in the window, and its arrow points there', () => {
  expect(placeBeside(box(100, 20, 200, 50), card, free)).toEqual({ side: 'below', left: 8, top: 64, arrow: { left: 142 } });
  expect(placeBeside(box(0, 100, 250, 690), card, free)).toMatchObject({ side: 'right', left: 264 });
  expect(placeBeside(box(700, 100, 1000, 690), card, free)).toMatchObject({ side: 'left', left: 386 });
  expect(placeBeside(box(0, 600, 1000, 690), card, free)).toMatchObject({ side: 'above', top: 386 });
  const inside = placeBeside(box(0, 30, 1000, 690), card, free);
  expect(inside.side).toBe('inside');
  expect(inside.left + card.width).toBeLessThanOrEqual(1000);
  expect(inside.top + card.height).toBeLessThanOrEqual(700);
});

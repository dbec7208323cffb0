import type { Bar } from '../../state/run';

export interface LaidBar extends Bar {
  lane: number;
  /** Now, while it runs. */
  shownEndS: number;
}

/** Bars in the topmost lane where they overlap nothing: what ran at once lies below each other. */
export function laneBars(bars: Bar[], nowS: number): LaidBar[] {
  const free: number[] = [];
  return [...bars]
    .sort((a, b) => a.startS - b.startS)
    .map((bar) => {
      const shownEndS = Math.max(bar.startS, bar.endS ?? nowS);
      let lane = free.findIndex((untilS) => untilS <= bar.startS + 1e-9);
      if (lane < 0) lane = free.length;
      free[lane] = Math.max(shownEndS, bar.startS + 1e-6);
      return { ...bar, lane, shownEndS };
    });
}

/** Round times that are not closer than their texts are wide. */
export function ticksOf(fromS: number, toS: number, pixelsPerS: number): number[] {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
  const step = steps.find((one) => one * pixelsPerS >= 56) ?? 7200;
  const ticks: number[] = [];
  for (let at = 0; at <= toS - fromS + 1e-9 && ticks.length < 500; at += step) ticks.push(fromS + at);
  return ticks;
}

/** Without those that would be drawn over the one before in their lane: thousands of bars are more than there are pixels. */
export function thin(bars: LaidBar[], pixelsPerS: number): LaidBar[] {
  const drawnTo = new Map<number, number>();
  return bars.filter(({ lane, startS, shownEndS, result }) => {
    const before = drawnTo.get(lane);
    // What failed is what one looks for, however short it was.
    if (result !== 'failure' && before !== undefined && (shownEndS - before) * pixelsPerS < 3) return false;
    drawnTo.set(lane, Math.max(shownEndS, startS + 3 / pixelsPerS));
    return true;
  });
}

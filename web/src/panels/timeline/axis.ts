/** Time in which nothing ran, shown as a mark of this width instead of its length. */
export const CUT_PX = 22;
/** Shorter ones are shown as they were. */
const LEAST_S = 3;
const LEFT_PX = 8;
const RIGHT_PX = 16;

export interface Cut {
  fromS: number;
  toS: number;
}

export interface Span {
  startS: number;
  shownEndS: number;
}

/** Where nothing runs for long, between the first bar and the last. */
export function idleCuts(spans: readonly Span[]): Cut[] {
  const cuts: Cut[] = [];
  let untilS: number | null = null;
  for (const { startS, shownEndS } of [...spans].sort((a, b) => a.startS - b.startS)) {
    if (untilS !== null && startS - untilS > LEAST_S) cuts.push({ fromS: untilS, toS: startS });
    untilS = Math.max(untilS ?? shownEndS, shownEndS);
  }
  return cuts;
}

export interface Axis {
  scale: number;
  x: (atS: number) => number;
  timeAt: (x: number) => number;
}

/** Times to pixels and back, with what is idle cut out. */
export function axisOf({ fromS, toS, width, zoom }: { fromS: number; toS: number; width: number; zoom: number }, cuts: readonly Cut[]): Axis {
  const idleS = cuts.reduce((sum, cut) => sum + cut.toS - cut.fromS, 0);
  const roomPx = Math.max(40, width - LEFT_PX - RIGHT_PX - cuts.length * CUT_PX);
  const scale = (roomPx / Math.max(0.1, toS - fromS - idleS)) * zoom;
  const x = (atS: number): number => {
    let [seconds, pixels] = [atS - fromS, LEFT_PX];
    for (const cut of cuts) {
      const inside = Math.min(Math.max(0, atS - cut.fromS), cut.toS - cut.fromS);
      seconds -= inside;
      pixels += (CUT_PX * inside) / (cut.toS - cut.fromS);
    }
    return pixels + seconds * scale;
  };
  const timeAt = (pixels: number): number => {
    let atS = fromS;
    let leftPx = pixels - LEFT_PX;
    for (const cut of cuts) {
      const beforePx = (cut.fromS - atS) * scale;
      if (leftPx <= beforePx) break;
      leftPx -= beforePx;
      if (leftPx <= CUT_PX) return cut.fromS + (leftPx / CUT_PX) * (cut.toS - cut.fromS);
      leftPx -= CUT_PX;
      atS = cut.toS;
    }
    return atS + leftPx / scale;
  };
  return { scale, x, timeAt };
}

/** A frame that takes longer is drawn by software, or by something as slow. */
const SLOW_MS = 35;
/** Between two pictures then, so that the rest of the page gets its turn. */
const REST_MS = 66;
/** What a key changed elsewhere is shown before the next picture; but the picture never stands longer than this. */
const KEY_MS = 100;
const MOST_MS = 300;
/** Not moved for so long, it is drawn with all its detail. */
const STILL_MS = 400;

/** When to draw and with how much detail, by how long the browser took for the last pictures. Times are of animation frames. */
export class Pace {
  private drawnMs = -1e9;
  private keyMs = -1e9;
  private took = 16;
  private measured = true;
  private sharp = true;

  key(nowMs: number): void {
    this.keyMs = nowMs;
  }

  get slow(): boolean {
    return this.took > SLOW_MS;
  }

  /** At each animation frame: whether to draw with all detail; none: not now. */
  next(nowMs: number, changed: boolean): boolean | null {
    const since = nowMs - this.drawnMs;
    if (!this.measured) {
      this.measured = true;
      // After a pause the gap says nothing.
      if (since < 1000) this.took += (since - this.took) * 0.2;
    }
    if (!changed) {
      if (this.sharp || since < STILL_MS) return null;
      return this.draw(nowMs, true);
    }
    if (this.slow && since < REST_MS) return null;
    if (nowMs - this.keyMs < KEY_MS && since < MOST_MS) return null;
    return this.draw(nowMs, !this.slow);
  }

  private draw(nowMs: number, sharp: boolean): boolean {
    this.drawnMs = nowMs;
    this.measured = false;
    this.sharp = sharp;
    return sharp;
  }
}

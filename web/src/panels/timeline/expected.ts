import { keyOf } from '../../api/ids';
import type { FileView, InstanceView, NodeView } from '../../api/types';
import type { Bar } from '../../state/run';
import type { NodeType } from '../settings/schema';

interface Source {
  files: FileView[];
  nodes: ReadonlyMap<string, NodeView>;
}

export interface Known {
  types: ReadonlyMap<string, NodeType>;
  /** Of steps that were previewed, by their keys. */
  durations: ReadonlyMap<string, number>;
}

// A skill that uses itself must not hang the page.
const DEEPEST = 100;
const MOST = 5000;

interface Track {
  beginS: number;
  /** The step before, in this track. */
  previous: { startS: number; endS: number } | null;
  endS: number;
}

/** When each step would run: what waits for nothing begins at once, what executes after something when that has ended. */
export class Expected {
  readonly bars: Bar[] = [];
  private readonly spans = new Map<string, { startS: number; endS: number; beforeS: number }>();

  constructor(
    private readonly doc: Source,
    private readonly known: Known,
  ) {
    const root = doc.files[0]?.root;
    if (root) this.children({ uses: [], node: root }, { beginS: 0, previous: null, endS: 0 }, 0);
  }

  private children({ uses, node: id }: InstanceView, track: Track, depth: number): void {
    const node = this.doc.nodes.get(id);
    if (!node || depth > DEEPEST || this.bars.length > MOST) return;
    // What a fallback does in the end is not what is expected of it.
    const ids = node.tries === undefined ? node.children : node.children.slice(0, Math.max(1, node.tries));
    for (const child of ids) this.one({ uses, node: child }, track, depth + 1);
  }

  private one(step: InstanceView, track: Track, depth: number): void {
    const node = this.doc.nodes.get(step.node);
    if (!node) return;
    const role = this.known.types.get(node.kind)?.role ?? 'step';
    const key = keyOf(step);
    const beforeS = track.previous?.endS ?? track.beginS;
    const from = track.previous?.startS ?? track.beginS;
    if (role === 'sequence' || role === 'fallback' || role === 'skill') {
      const inner = node.skill === undefined ? undefined : this.doc.files[node.skill]?.root;
      this.spans.set(key, { startS: from, endS: beforeS, beforeS });
      this.children(inner ? { uses: [...step.uses, step.node], node: inner } : step, track, depth);
      this.spans.set(key, { startS: from, endS: track.endS, beforeS });
      return;
    }
    const startS = Math.max(from, this.after(node, step, track));
    const endS = role === 'composite' ? this.composite(step, node, startS, depth) : startS + this.duration(node, key);
    this.spans.set(key, { startS, endS, beforeS });
    this.bars.push({ key, step, startS, endS, result: null, reason: null });
    track.previous = { startS, endS };
    track.endS = Math.max(track.endS, endS);
  }

  /** Branches of a parallel go side by side, the steps of any other one behind the other, once. */
  private composite(step: InstanceView, node: NodeView, startS: number, depth: number): number {
    const side = node.kind === 'parallel';
    let track: Track = { beginS: startS, previous: null, endS: startS };
    let endS = startS;
    for (const child of node.kind === 'choose' ? node.children.slice(0, 1) : node.children) {
      this.one({ uses: step.uses, node: child }, track, depth + 1);
      endS = Math.max(endS, track.endS);
      if (side) track = { beginS: startS, previous: null, endS: startS };
    }
    return endS;
  }

  private after(node: NodeView, step: InstanceView, track: Track): number {
    const previousS = track.previous?.endS ?? track.beginS;
    if (node.settings.after === 'Beginning') return track.beginS;
    const target = node.references?.after;
    if (!target) return previousS;
    const role = this.known.types.get(this.doc.nodes.get(target)?.kind ?? '')?.role;
    const span = this.spans.get(keyOf({ uses: step.uses, node: target }));
    // The root, or an organising node around it or before it: together with its first step.
    if (role === 'sequence' || role === 'fallback' || role === 'skill') return span?.beforeS ?? track.beginS;
    return span?.endS ?? previousS;
  }

  private duration(node: NodeView, key: string): number {
    const previewed = this.known.durations.get(key);
    if (previewed !== undefined) return previewed;
    const field = this.known.types.get(node.kind)?.fields.find(({ name }) => name === 'duration_s');
    const written = node.settings.duration_s ?? field?.default;
    return typeof written === 'number' ? written : 0;
  }
}

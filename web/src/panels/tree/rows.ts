import type { InstanceKey } from '../../api/ids';
import type { FileView, NodeView } from '../../api/types';

/** One line of the tree as it is shown: skills are opened in place, so a node can have several. */
export interface Row {
  key: InstanceKey;
  uses: string[];
  node: NodeView;
  depth: number;
  /** Has something to open: children, or the skill it uses. */
  opens: boolean;
  open: boolean;
  /** Of a child of a fallback. */
  part: 'try' | 'catch' | null;
  /** The first of the catch: the line is drawn above it. */
  catchBegins: boolean;
  /** It is disabled, or in something that is. */
  off: boolean;
  /** The file that is shown from here on, if this is the top of one. */
  top: FileView | null;
  /** It is not there yet: what would be put in. */
  ghost?: true;
}

export interface Shown {
  closed: ReadonlySet<InstanceKey>;
  openSkills: ReadonlySet<InstanceKey>;
  search: string;
}

interface Source {
  files: FileView[];
  nodes: ReadonlyMap<string, NodeView>;
}

// A skill that uses itself, or a damaged document, must not hang the page.
const DEEPEST = 200;

export function rowsOf(doc: Source, shown: Shown): Row[] {
  const rows: Row[] = [];
  const words = shown.search.trim().toLowerCase();
  const main = doc.files[0];
  const root = main && doc.nodes.get(main.root);
  if (!main || !root) return rows;

  const childrenOf = (node: NodeView, key: InstanceKey, uses: string[]): { ids: string[]; uses: string[]; open: boolean; opens: boolean } => {
    if (node.skill === undefined) {
      return { ids: node.children, uses, open: !shown.closed.has(key), opens: node.children.length > 0 };
    }
    const file = doc.files[node.skill];
    const inner = file && doc.nodes.get(file.root);
    return { ids: inner?.children ?? [], uses: [...uses, node.id], open: shown.openSkills.has(key), opens: (inner?.children.length ?? 0) > 0 };
  };

  /** Whether anything of it is shown. */
  const visit = (node: NodeView, uses: string[], depth: number, place: Pick<Row, 'part' | 'catchBegins' | 'top' | 'off'>): boolean => {
    const key = uses.length > 0 ? `${uses.join('/')}/${node.id}` : node.id;
    const inside = childrenOf(node, key, uses);
    const at = rows.length;
    const off = place.off || (node.parent !== null && node.settings.disabled === true);
    const row: Row = { key, uses, node, depth, opens: inside.opens, open: inside.open, ...place, off };
    rows.push(row);
    let wanted = words === '' || matches(node, words);
    const look = depth < DEEPEST && (inside.open || (words !== '' && node.skill === undefined));
    if (look) {
      if (words !== '') row.open = true;
      inside.ids.forEach((id, index) => {
        const child = doc.nodes.get(id);
        if (!child) return;
        const tries = node.tries;
        const part = tries === undefined ? null : index < tries ? 'try' : 'catch';
        const found = visit(child, inside.uses, depth + 1, { part, catchBegins: tries !== undefined && index === tries, top: null, off });
        wanted ||= found;
      });
    }
    if (!wanted) rows.length = at;
    return wanted;
  };
  visit(root, [], 0, { part: null, catchBegins: false, top: main, off: false });
  return rows;
}

export function matches(node: NodeView, words: string): boolean {
  return `${node.name}\n${node.kind}\n${node.notes ?? ''}`.toLowerCase().includes(words);
}

/** Rows from one key to another, both included, in tree order. */
export function range(rows: Row[], from: InstanceKey, to: InstanceKey): InstanceKey[] {
  const a = rows.findIndex((row) => row.key === from);
  const b = rows.findIndex((row) => row.key === to);
  if (a < 0 || b < 0) return [to];
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1).map((row) => row.key);
}

export interface Arrow {
  key: InstanceKey;
  from: number;
  to: number;
  lane: number;
}

/** Execute-after arrows between rows that are shown, each in a lane where it crosses none of the others. */
export function arrowsOf(rows: Row[]): Arrow[] {
  const at = new Map(rows.map((row, index) => [row.key, index]));
  const found: Omit<Arrow, 'lane'>[] = [];
  rows.forEach((row, from) => {
    const target = row.node.references?.after;
    if (!target) return;
    const to = at.get([...row.uses, target].join('/'));
    if (to !== undefined && to !== from) found.push({ key: row.key, from, to });
  });
  found.sort((a, b) => Math.abs(a.from - a.to) - Math.abs(b.from - b.to));
  const lanes: { low: number; high: number }[][] = [];
  return found.map((arrow) => {
    const low = Math.min(arrow.from, arrow.to);
    const high = Math.max(arrow.from, arrow.to);
    let lane = lanes.findIndex((taken) => taken.every((other) => high < other.low || low > other.high));
    if (lane < 0) lane = lanes.push([]) - 1;
    lanes[lane]?.push({ low, high });
    return { ...arrow, lane };
  });
}

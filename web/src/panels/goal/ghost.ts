import type { NodeView, SynthesizedView, Then } from '../../api/types';
import type { Row } from '../tree/rows';

/** Rows with those of a behavior that was found, where it would be put in; a jump is of the type `jump`. */
export function withGhosts(rows: Row[], found: SynthesizedView, then: { is: Then; name: string; jump: string }): Row[] {
  const parentAt = rows.findIndex((row) => row.uses.length === 0 && row.node.id === found.place.parent);
  const parent = rows[parentAt];
  if (!parent) return rows;
  const before = parent.node.children[found.place.index];
  let at = rows.findIndex((row) => row.uses.length === 0 && row.node.id === before);
  if (before === undefined || at < 0) {
    at = parentAt + 1;
    while ((rows[at]?.depth ?? 0) > parent.depth) at += 1;
  }
  const title = `Achieve: ${found.request.goals.join(', ')}`;
  const steps = found.steps.map(({ name, is_mode }) => ({ name, kind: is_mode ? 'mode' : 'action' }));
  if (then.is !== 'waited') steps.push({ name: `→ ${then.name}`, kind: then.jump });
  const ghosts = [ghost('', title, 'sequence', parent.depth + 1), ...steps.map(({ name, kind }, index) => ghost(String(index), name, kind, parent.depth + 2))];
  return [...rows.slice(0, at), ...ghosts, ...rows.slice(at)];
}

function ghost(number: string, name: string, kind: string, depth: number): Row {
  const node: NodeView = { id: `ghost${number}`, parent: null, file: 0, kind, name, children: [], settings: {} };
  return { key: node.id, uses: [], node, depth, opens: false, open: false, part: null, catchBegins: false, off: false, top: null, ghost: true };
}

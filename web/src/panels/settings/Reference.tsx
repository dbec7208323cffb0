import type { ReactNode } from 'react';
import type { NodeView } from '../../api/types';
import { edit } from '../../state/actions';
import { useDoc } from '../../state/document';
import type { Field } from './schema';
import { labelOf } from './schema';

interface Option {
  id: string;
  title: string;
}

/** Every node of the file in tree order, indented, up to the one that asks where only earlier ones make sense. */
function optionsOf(nodes: ReadonlyMap<string, NodeView>, root: string, self: NodeView, onlyBefore: boolean): Option[] {
  const found: Option[] = [];
  const visit = (id: string, depth: number): boolean => {
    const node = nodes.get(id);
    if (!node || depth > 100) return true;
    if (id === self.id && onlyBefore) return false;
    if (id !== self.id) found.push({ id, title: `${'\u2003'.repeat(depth)}${node.name || node.kind}` });
    for (const child of node.children) if (!visit(child, depth + 1)) return false;
    return true;
  };
  visit(root, 0);
  return found;
}

/** A setting that names another node. */
export function Reference({ id, field, node }: { id: string; field: Field; node: NodeView }): ReactNode {
  const nodes = useDoc((doc) => doc.nodes);
  const root = useDoc((doc) => doc.files[node.file]?.root ?? '');
  const isAfter = field.name === 'after';
  const options = optionsOf(nodes, root, node, isAfter);
  const named = node.references?.[field.name];
  // The text is the one that was written: it counts where the node is gone.
  const target = named !== undefined && nodes.has(named) ? named : undefined;
  const text = typeof node.settings[field.name] === 'string' ? (node.settings[field.name] as string) : '';
  const word = isAfter ? (text === 'Beginning' ? 'Beginning' : 'Previous') : '';
  const value = target ?? (text && text !== word && !['Previous', 'Beginning'].includes(text) ? `?${text}` : word);
  return (
    <select
      id={id}
      aria-label={labelOf(field.name, null)}
      value={value}
      onChange={(event) => {
        const chosen = event.target.value;
        if (nodes.has(chosen)) void edit({ do: 'refer', node: node.id, field: field.name, target: chosen });
        else void edit({ do: 'set', node: node.id, settings: { [field.name]: chosen === '' || chosen === 'Previous' ? null : chosen } });
      }}
    >
      {isAfter ? (
        <>
          <option value="Previous">Previous</option>
          <option value="Beginning">Beginning</option>
        </>
      ) : (
        <option value="">—</option>
      )}
      {value.startsWith('?') && <option value={value}>{value.slice(1)} (not found)</option>}
      {options.map((option) => (
        <option key={option.id} value={option.id}>
          {option.title}
        </option>
      ))}
    </select>
  );
}

import type { DragEvent } from 'react';
import { edit, selectedNodes } from '../../state/actions';
import { useDoc } from '../../state/document';
import { useWorld } from '../../state/world';
import { holdsChildren as typeHoldsChildren } from '../settings/schema';
import type { Row } from './rows';

export type DropPlace = 'before' | 'inside' | 'after';

export function holdsChildren(kind: string): boolean {
  const type = useWorld.getState().nodeTypes.get(kind);
  return type !== undefined && typeHoldsChildren(type);
}

export function dropAt(event: DragEvent, row: Row): DropPlace {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (event.clientY - box.top) / box.height;
  if (row.node.parent === null) return 'inside';
  if (!holdsChildren(row.node.kind)) return share < 0.5 ? 'before' : 'after';
  return share < 0.28 ? 'before' : share > 0.72 && !(row.opens && row.open) ? 'after' : 'inside';
}

export function dropOn(row: Row, place: DropPlace): void {
  const nodes = selectedNodes();
  if (nodes.length === 0 || nodes.includes(row.node.id)) return;
  const target = placeOf(row, place);
  if (target) void edit({ do: 'move', nodes, ...target });
}

/** The parent and the index among its children as they stand now. */
export function placeOf(row: Pick<Row, 'node' | 'opens' | 'open'>, place: DropPlace): { parent: string; index: number } | null {
  const { node } = row;
  if (place === 'inside') return { parent: node.id, index: node.children.length };
  const parent = node.parent === null ? undefined : useDoc.getState().nodes.get(node.parent);
  if (!parent) return null;
  const at = parent.children.indexOf(node.id);
  return { parent: parent.id, index: place === 'before' ? at : at + 1 };
}

import { instanceOf, type InstanceKey } from '../../api/ids';
import { select, useUi } from '../../state/ui';
import { range, type Row } from './rows';

export function clickRow(rows: Row[], key: InstanceKey, more: { toggle: boolean; range: boolean }): void {
  const { selection, anchor } = useUi.getState();
  if (more.range && anchor) {
    const between = range(rows, anchor, key);
    // The clicked one is the last, and so the one whose settings are shown.
    select([...between.filter((one) => one !== key), key], anchor);
  } else if (more.toggle) {
    const without = selection.filter((one) => one !== key);
    select(without.length === selection.length ? [...selection, key] : without, key);
  } else {
    select([key]);
  }
}

export function moveSelection(rows: Row[], by: number, extend: boolean): void {
  const { selection } = useUi.getState();
  const now = rows.findIndex((row) => row.key === selection.at(-1));
  // From nothing, down leads to the first row and up to the last, Home and End where they always do.
  const fromNothing = by <= -rows.length || (by > 0 && by < rows.length) ? 0 : rows.length - 1;
  const to = now < 0 ? fromNothing : Math.max(0, Math.min(rows.length - 1, now + by));
  const key = rows[to]?.key;
  if (key !== undefined) clickRow(rows, key, { toggle: false, range: extend });
}

export function toggleOpen(row: Row): void {
  const name = row.node.skill === undefined ? 'closed' : 'openSkills';
  const set = new Set(useUi.getState()[name]);
  if (!set.delete(row.key)) set.add(row.key);
  useUi.setState({ [name]: set });
}

/** As in every tree: right opens, then goes inside; left closes, then goes outside. */
export function setOpen(rows: Row[], open: boolean): void {
  const at = rows.findIndex((row) => row.key === useUi.getState().selection.at(-1));
  const row = rows[at];
  if (!row) return;
  if (row.opens && row.open !== open) {
    toggleOpen(row);
    return;
  }
  if (open) {
    const inside = rows[at + 1];
    if (row.opens && inside && inside.depth > row.depth) select([inside.key]);
    return;
  }
  const outside = rows.slice(0, at).findLast((other) => other.depth < row.depth);
  if (outside) select([outside.key]);
}

export const nodeOfKey = (key: InstanceKey): string => instanceOf(key).node;

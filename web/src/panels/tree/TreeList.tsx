import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useUi } from '../../state/ui';
import { Arrows } from './Arrows';
import { arrowsOf, type Row } from './rows';
import { moveSelection, setOpen } from './select';
import { TreeRow } from './TreeRow';

/** Rows as high as a finger is wide. */
const FINGERS = window.matchMedia('(pointer: coarse)').matches;

export function TreeList({ rows }: { rows: Row[] }): ReactNode {
  const real = useMemo(() => rows.filter((row) => !row.ghost), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const textSize = useUi((ui) => ui.textSize);
  const height = Math.round(textSize * (FINGERS ? 2.6 : 1.85));
  const [hovered, setHovered] = useState<string | null>(null);
  const arrows = useMemo(() => arrowsOf(rows), [rows]);
  const lanes = arrows.reduce((most, arrow) => Math.max(most, arrow.lane + 1), 0);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 3,
    useFlushSync: false,
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  useEffect(() => list.measure(), [height, list]);

  const current = useUi((ui) => ui.selection.at(-1));
  const at = current === undefined ? -1 : rows.findIndex((row) => row.key === current);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at, { align: 'auto' });
    // Only when something else is selected: scrolling by hand must not be undone by an edit.
  }, [current]);

  const pressed = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? height) / height) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length }[event.key];
    if (by !== undefined) moveSelection(real, by, event.shiftKey);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') setOpen(real, event.key === 'ArrowRight');
    else if (event.key === 'Enter') document.querySelector<HTMLElement>('.panel-settings input, .panel-settings select')?.focus();
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={scroller}
      className="tree"
      role="tree"
      aria-label="Behavior"
      aria-multiselectable
      aria-activedescendant={current && at >= 0 ? `row-${current}` : undefined}
      tabIndex={0}
      onKeyDown={pressed}
      onPointerLeave={() => setHovered(null)}
      style={{ '--row': `${height}px`, '--lanes': `${Math.min(lanes, 8) * 7 + (lanes > 0 ? 8 : 0)}px` } as React.CSSProperties}
    >
      <div className="tree-inner" role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (!row) return null;
          return row.ghost ? (
            <GhostRow key={row.key} row={row} top={item.start} />
          ) : (
            <TreeRow key={row.key} row={row} top={item.start} rows={real} hover={setHovered} />
          );
        })}
        <Arrows arrows={arrows} height={height} first={list.range?.startIndex ?? 0} last={list.range?.endIndex ?? 0} hovered={hovered} />
      </div>
    </div>
  );
}

/** What would be put in: to be looked at, until it is. */
function GhostRow({ row, top }: { row: Row; top: number }): ReactNode {
  return (
    <div
      className="row-line ghost"
      role="treeitem"
      aria-level={row.depth + 1}
      aria-disabled
      aria-label={`${row.node.name}, not there yet`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className="indent" style={{ width: `${row.depth * 1.1 + 2.2}em` }} />
      <span className="name">{row.node.name}</span>
    </div>
  );
}

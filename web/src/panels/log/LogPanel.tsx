import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import { jumpTo } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { hoverTime, pinTime, sinceStart, useStory, type LogLine } from '../../state/run';
import { useUi } from '../../state/ui';

const KINDS: [LogLine['kind'], string][] = [
  ['failure', 'Failures'],
  ['warning', 'Warnings'],
  ['log', 'Log'],
  ['run', 'Run'],
  ['audit', 'Who did what'],
];

export function LogPanel(): ReactNode {
  const lines = useStory((story) => story.lines);
  const cursorS = useStory((story) => story.cursorS);
  const pinnedS = useStory((story) => story.pinnedS);
  const textSize = useUi((ui) => ui.textSize);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState('');
  const doc = useDoc();
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const shown = useMemo(
    () => lines.filter((line) => !hidden.has(line.kind) && line.text.toLowerCase().includes(wanted.toLowerCase())),
    [lines, hidden, wanted],
  );
  const list = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => Math.round(textSize * 1.6), overscan: 20 });
  useEffect(() => {
    if (atEnd.current && shown.length > 0) list.scrollToIndex(shown.length - 1);
  }, [shown.length]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // A panel that was hidden had no end to scroll to.
    const size = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    size.observe(element);
    return () => size.disconnect();
  }, []);
  // Where one looks back to is seen here, too.
  const pinned = pinnedS === null ? -1 : shown.findLastIndex((line) => line.atS <= pinnedS);
  useEffect(() => {
    if (pinned >= 0) list.scrollToIndex(pinned, { align: 'center' });
  }, [pinned]);
  const nearest = cursorS === null ? pinned : shown.findLastIndex((line) => line.atS <= cursorS);
  return (
    <>
      <div className="log-tools">
        {KINDS.map(([kind, title]) => (
          <label key={kind} className={`kind-${kind}`}>
            <input
              type="checkbox"
              checked={!hidden.has(kind)}
              onChange={() => {
                const next = new Set(hidden);
                if (!next.delete(kind)) next.add(kind);
                setHidden(next);
              }}
            />
            {title} <span className="dim">{lines.reduce((count, line) => count + Number(line.kind === kind), 0)}</span>
          </label>
        ))}
        <input type="search" placeholder="Search" aria-label="Search the log" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      </div>
      <div
        ref={box}
        className="scroll log"
        tabIndex={0}
        role="log"
        aria-label="Log"
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          if (clientHeight > 0) atEnd.current = scrollHeight - scrollTop - clientHeight < 30;
        }}
      >
        <div style={{ height: list.getTotalSize(), position: 'relative' }}>
          {list.getVirtualItems().map((item) => {
            const line = shown[item.index];
            if (!line) return null;
            return (
              <div
                key={line.number}
                className={`log-line kind-${line.kind}${item.index === nearest ? ' at-cursor' : ''}${pinnedS !== null && line.atS > pinnedS ? ' later' : ''}`}
                style={{ transform: `translateY(${item.start}px)` }}
                onPointerEnter={() => hoverTime(line.atS)}
              >
                <button type="button" className="link mono time" tabIndex={-1} title="Show the robot as it was then" onClick={() => pinTime(line.atS)}>
                  {sinceStart(line.atS, line.originS)}
                </button>
                {line.step && (
                  <button type="button" className="link" tabIndex={-1} onClick={() => line.step && jumpTo(keyOf(line.step))}>
                    {nameOf(doc, line.step.node)}
                  </button>
                )}
                <span title={line.text}>{line.text}</span>
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

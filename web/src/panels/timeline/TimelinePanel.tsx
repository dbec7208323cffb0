import { useEffect, useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { jumpTo } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { hoverTime, pinTime, useRun, useStory } from '../../state/run';
import { useUi } from '../../state/ui';
import { laneBars, ticksOf, type LaidBar } from './lanes';

const LANE = 20;

/** What ran when: one bar a step, those that ran at once below each other. */
export function TimelinePanel(): ReactNode {
  const bars = useStory((story) => story.bars);
  const before = useStory((story) => story.before);
  const [compare, setCompare] = useState(false);
  const cursorS = useStory((story) => story.cursorS);
  const nowS = useRun((state) => state.view.time_s);
  const selection = useUi((ui) => ui.selection);
  const doc = useDoc();
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const size = new ResizeObserver(() => setWidth(element.clientWidth));
    size.observe(element);
    return () => size.disconnect();
  }, []);
  const laid = useMemo(() => laneBars(bars, nowS), [bars, nowS]);
  const fromS = laid[0]?.startS ?? 0;
  const older = useMemo(() => (compare ? shifted(laneBars(before, before.at(-1)?.startS ?? 0), fromS) : []), [before, compare, fromS]);
  const toS = [...laid, ...older].reduce((last, bar) => Math.max(last, bar.shownEndS), fromS + 1);
  const scale = ((width - 24) / (toS - fromS)) * zoom;
  const lanes = laid.reduce((most, bar) => Math.max(most, bar.lane + 1), 1);
  const olderLanes = older.reduce((most, bar) => Math.max(most, bar.lane + 1), 0);
  const x = (atS: number): number => 8 + (atS - fromS) * scale;
  return (
    <>
    <div
      ref={box}
      className="timeline"
      tabIndex={0}
      role="region"
      aria-label="Timeline of the run"
      onWheel={(event) => {
        if (event.ctrlKey) setZoom((before) => Math.min(50, Math.max(1, before * Math.exp(-Math.sign(event.deltaY) * 0.2))));
      }}
      onPointerMove={(event) => {
        hoverTime(timeUnder(event, fromS, scale));
        if (event.buttons === 1 && useStory.getState().pinnedS !== null) pinTime(timeUnder(event, fromS, scale));
      }}
      onPointerDown={(event) => {
        // A bar is selected by a click; beside the bars the click puts the cursor there.
        if (event.button === 0 && !(event.target as HTMLElement).closest('.time-bar')) pinTime(timeUnder(event, fromS, scale));
      }}
      onPointerLeave={() => hoverTime(null)}
    >
      {bars.length === 0 && <p className="dim pad">Bars appear here when steps run.</p>}
      <div hidden={bars.length === 0} className="timeline-inner" style={{ width: x(toS) + 12, height: (lanes + olderLanes + 1) * LANE + 26 }}>
        {ticksOf(fromS, toS, scale).map((tick) => (
          <span key={tick} className="tick" style={{ left: x(tick) }}>
            {Math.round((tick - fromS) * 10) / 10} s
          </span>
        ))}
        {laid.map((bar) => (
          <Bar key={`${bar.key} ${bar.startS}`} bar={bar} name={nameOf(doc, bar.step.node)} left={x(bar.startS)} width={(bar.shownEndS - bar.startS) * scale} selected={selection.includes(bar.key)} />
        ))}
        {older.map((bar) => (
          <Bar key={`before ${bar.key} ${bar.startS}`} bar={{ ...bar, lane: bar.lane + lanes + 0.5 }} name={nameOf(doc, bar.step.node)} left={x(bar.startS)} width={(bar.shownEndS - bar.startS) * scale} selected={false} before />
        ))}
        {cursorS !== null && <i className="cursor" style={{ left: x(cursorS) }} />}
      </div>
    </div>
    {before.length > 0 && (
      <label className="timeline-tools">
        <input type="checkbox" checked={compare} onChange={(event) => setCompare(event.target.checked)} /> Compare with the run before
      </label>
    )}
    </>
  );
}

function timeUnder(event: PointerEvent<HTMLElement>, fromS: number, scale: number): number {
  const at = event.clientX - event.currentTarget.getBoundingClientRect().left + event.currentTarget.scrollLeft;
  return fromS + (at - 8) / scale;
}

/** Both runs begin at the same place. */
function shifted(bars: LaidBar[], toS: number): LaidBar[] {
  const by = toS - (bars[0]?.startS ?? 0);
  return bars.map((bar) => ({ ...bar, startS: bar.startS + by, shownEndS: bar.shownEndS + by }));
}

function Bar({ bar, name, left, width, selected, before }: { bar: LaidBar; name: string; left: number; width: number; selected: boolean; before?: boolean }): ReactNode {
  const took = `${(bar.shownEndS - bar.startS).toFixed(2)} s`;
  return (
    <button
      type="button"
      className={`time-bar ${bar.result ?? 'running'}${selected ? ' selected' : ''}${before ? ' before' : ''}`}
      style={{ left, width: Math.max(3, width), top: 20 + bar.lane * LANE }}
      title={`${name}: ${took}${bar.reason ? `, ${bar.reason}` : ''}`}
      onClick={() => jumpTo(bar.key)}
    >
      {name} <span className="took">{took}</span>
    </button>
  );
}

import { memo, useEffect, useMemo, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { jumpTo } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { hoverTime, pinTime, useRun, useStory } from '../../state/run';
import { useReviewing } from '../../state/reviewing';
import { useUi } from '../../state/ui';
import { axisOf, CUT_PX, idleCuts } from './axis';
import { laneBars, thin, ticksOf, type LaidBar } from './lanes';
import { useExpected } from './useExpected';

const LANE = 20;

/** What ran when: one bar a step, those that ran at once below each other. */
export function TimelinePanel(): ReactNode {
  const bars = useStory((story) => story.bars);
  const before = useStory((story) => story.before);
  const [compare, setCompare] = useState(false);
  const [compareExpected, setCompareExpected] = useState(false);
  const cursorS = useStory((story) => story.cursorS);
  const pinnedS = useStory((story) => story.pinnedS);
  const recorded = useStory((story) => story.recorded);
  const beside = useReviewing((review) => review.beside);
  const marks = useReviewing((review) => review.on?.marks);
  // What is recorded has ended.
  const nowS = useRun((state) => (recorded ? 0 : state.view.time_s));
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
  const originS = useStory((story) => story.originS);
  const firstS = laid[0]?.startS ?? 0;
  // All panels count from the beginning of the run.
  const fromS = originS !== null && originS < firstS && firstS - originS < 1 ? originS : firstS;
  const older = useMemo(() => (compare ? shifted(laneBars(before, before.at(-1)?.startS ?? 0), fromS) : []), [before, compare, fromS]);
  const planned = useExpected(bars.length === 0 || compareExpected);
  // Another behavior may be open before it is known what it would do.
  const foreseen = useMemo(
    () =>
      shifted(
        laneBars(
          planned.filter((bar) => doc.nodes.has(bar.step.node)),
          0,
        ),
        fromS,
      ),
    [planned, fromS, doc.nodes],
  );
  const under = useMemo(() => (beside ? laneBars(beside.bars, 0) : []), [beside]);
  const toS = [...laid, ...older, ...under, ...foreseen].reduce((last, bar) => Math.max(last, bar.shownEndS), fromS + 1);
  const cuts = useMemo(() => idleCuts([...laid, ...older, ...under, ...foreseen]), [laid, older, under, foreseen]);
  const { scale, x, timeAt } = axisOf({ fromS, toS, width, zoom }, cuts);
  const lanes = laid.reduce((most, bar) => Math.max(most, bar.lane + 1), 1);
  const olderLanes = older.reduce((most, bar) => Math.max(most, bar.lane + 1), 0);
  const underLanes = under.reduce((most, bar) => Math.max(most, bar.lane + 1), 0);
  const foreseenFrom = (bars.length === 0 ? 0 : lanes + 0.5) + (olderLanes > 0 ? olderLanes + 0.5 : 0);
  const foreseenLanes = foreseen.reduce((most, bar) => Math.max(most, bar.lane + 1), 0);
  const selected = new Set(selection);
  const draw = (bar: LaidBar, below: number, kind?: Kind): ReactNode => (
    <Bar
      key={`${kind ?? ''} ${bar.key} ${bar.startS}`}
      at={bar.key}
      name={nameOf(doc, bar.step.node)}
      tookS={bar.shownEndS - bar.startS}
      result={bar.result}
      reason={bar.reason}
      left={x(bar.startS)}
      width={x(bar.shownEndS) - x(bar.startS)}
      lane={bar.lane + below}
      selected={kind !== 'before' && selected.has(bar.key)}
      kind={kind}
    />
  );
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
          hoverTime(timeAt(pixelUnder(event)));
          if (event.buttons === 1 && useStory.getState().pinnedS !== null) pinTime(timeAt(pixelUnder(event)));
        }}
        onPointerDown={(event) => {
          // A bar is selected by a click; beside the bars the click puts the cursor there.
          if (event.button === 0 && !(event.target as HTMLElement).closest('.time-bar, .time-mark')) pinTime(timeAt(pixelUnder(event)));
        }}
        onPointerLeave={() => hoverTime(null)}
      >
        {bars.length + foreseen.length === 0 && <p className="dim pad">{recorded ? 'No step ran in this recording.' : 'Bars appear here when steps run.'}</p>}
        <div
          hidden={bars.length + foreseen.length === 0}
          className="timeline-inner"
          style={{ width: x(toS) + 12, height: (lanes + olderLanes + underLanes + foreseenLanes + 2 + (beside ? 1.5 : 0)) * LANE + 26 }}
        >
          {ticksOf(fromS, toS, scale)
            .filter((tick) => !cuts.some((cut) => cut.fromS < tick && tick < cut.toS))
            .map((tick) => (
              <span key={tick} className="tick" style={{ left: x(tick) }}>
                {Math.round((tick - fromS) * 10) / 10} s
              </span>
            ))}
          {cuts.map((cut) => (
            <span
              key={cut.fromS}
              className="idle-cut"
              role="img"
              aria-label={`Nothing ran for ${(cut.toS - cut.fromS).toFixed(1)} s`}
              title={`Nothing ran for ${(cut.toS - cut.fromS).toFixed(1)} s: cut out`}
              style={{ left: x(cut.fromS), width: CUT_PX }}
            />
          ))}
          {thin(laid, scale).map((bar) => draw(bar, 0))}
          {thin(older, scale).map((bar) => draw(bar, lanes + 0.5, 'before'))}
          {thin(foreseen, scale).map((bar) => draw(bar, foreseenFrom, 'expected'))}
          {beside && (
            <span className="beside-title" style={{ top: 20 + lanes * LANE }}>
              {beside.title}
            </span>
          )}
          {thin(under, scale).map((bar) => draw(bar, lanes + 1.2, 'beside'))}
          {beside?.difference && (
            <i className="cursor difference" role="img" aria-label="Here they part" title={beside.difference.text} style={{ left: x(beside.difference.atS) }} />
          )}
          {(marks ?? []).map((mark) => (
            <button
              key={`${mark.at_s} ${mark.by} ${mark.text}`}
              type="button"
              className="time-mark"
              style={{ left: x(mark.at_s) }}
              title={`${mark.by}: ${mark.text}`}
              onClick={() => pinTime(mark.at_s)}
            >
              {mark.text}
            </button>
          ))}
          {recorded && pinnedS !== null && <i className="cursor here" style={{ left: x(Math.min(toS, Math.max(fromS, pinnedS))) }} />}
          {cursorS !== null && <i className="cursor" style={{ left: x(cursorS) }} />}
        </div>
      </div>
      {bars.length > 0 && !recorded && (
        <div className="timeline-tools">
          <label>
            <input type="checkbox" checked={compareExpected} onChange={(event) => setCompareExpected(event.target.checked)} /> Compare with what is expected
          </label>
          {before.length > 0 && (
            <label>
              <input type="checkbox" checked={compare} onChange={(event) => setCompare(event.target.checked)} /> Compare with the run before
            </label>
          )}
        </div>
      )}
    </>
  );
}

function pixelUnder(event: PointerEvent<HTMLElement>): number {
  return event.clientX - event.currentTarget.getBoundingClientRect().left + event.currentTarget.scrollLeft;
}

/** Both runs begin at the same place. */
function shifted(bars: LaidBar[], toS: number): LaidBar[] {
  const by = toS - (bars[0]?.startS ?? 0);
  return bars.map((bar) => ({ ...bar, startS: bar.startS + by, shownEndS: bar.shownEndS + by }));
}

/** Not of the run that is shown: of the one before, as it was expected, or of another recording. */
type Kind = 'before' | 'expected' | 'beside';

interface BarProps {
  at: string;
  name: string;
  tookS: number;
  result: string | null;
  reason: string | null;
  left: number;
  width: number;
  lane: number;
  selected: boolean;
  kind: Kind | undefined;
}

/** Drawn again only when something of it has changed: there may be thousands. */
const Bar = memo(function Bar({ at, name, tookS, result, reason, left, width, lane, selected, kind }: BarProps): ReactNode {
  const took = `${tookS.toFixed(2)} s`;
  const state = kind === 'expected' ? '' : (result ?? 'running');
  return (
    <button
      type="button"
      className={`time-bar ${state}${selected ? ' selected' : ''} ${kind ?? ''}`}
      style={{ left, width: Math.max(3, width), top: 20 + lane * LANE }}
      title={`${name}: ${kind === 'expected' ? 'expected to take ' : ''}${took}${reason ? `, ${reason}` : ''}`}
      onClick={() => jumpTo(at)}
    >
      {name} <span className="took">{took}</span>
    </button>
  );
});

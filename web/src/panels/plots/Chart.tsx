import { useEffect, useRef, type ReactNode } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { aligned, sampled } from '../../state/plots';
import { dataOf, holds, otherOf, recordedSpan, setRange, usePlotting } from '../../state/plotting';
import { hoverTime, pinTime, useStory } from '../../state/run';
import { useUi } from '../../state/ui';

export const COLOURS = ['#4fb0d4', '#e2b04a', '#58c089', '#f07178', '#b795e8', '#e58fb8'];
export const colourOf = (index: number): string => COLOURS[index % COLOURS.length] ?? '#fff';

/** Further than this it was a drag, no click. */
const CLICK_PX = 4;

const cursorOf = (plot: uPlot): number | null => (plot.cursor.left !== undefined && plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, 'x') : null);

/** A line at the time that all panels point at, and one where the recording stands. */
function lines(plot: uPlot): () => void {
  const make = (name: string): HTMLElement => {
    const line = document.createElement('i');
    line.className = name;
    plot.over.append(line);
    return line;
  };
  const here = make('cursor here');
  const hover = make('cursor');
  const put = (line: HTMLElement, atS: number | null): void => {
    const { min, max } = plot.scales.x ?? {};
    const inside = atS !== null && min != null && max != null && atS >= min && atS <= max;
    line.style.display = inside ? '' : 'none';
    if (inside) line.style.left = `${plot.valToPos(atS, 'x')}px`;
  };
  return () => {
    const { cursorS, pinnedS } = useStory.getState();
    put(here, pinnedS);
    put(hover, cursorS);
  };
}

function clicks(plot: uPlot): void {
  let downX = 0;
  plot.over.addEventListener('pointerdown', (event) => (downX = event.clientX));
  plot.over.addEventListener('click', (event) => {
    const atS = cursorOf(plot);
    if (atS !== null && Math.abs(event.clientX - downX) < CLICK_PX) pinTime(atS);
  });
  plot.over.addEventListener('dblclick', () => setRange(null));
}

function selected(plot: uPlot): void {
  const { left, width } = plot.select;
  if (width < CLICK_PX) return;
  setRange([plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')]);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

/** Seconds since the run began, as everywhere. */
const sinceBegin = (_: uPlot, at: number[]): string[] => {
  const { originS } = useStory.getState();
  return at.map((atS) => String(Math.round((atS - (originS ?? 0)) * 1000) / 1000));
};

const stepped = uPlot.paths.stepped?.({ align: 1 });

function lineOf(channel: string, index: number, more: Partial<uPlot.Series>): uPlot.Series {
  return {
    label: channel,
    stroke: colourOf(index),
    width: 1.5,
    spanGaps: true,
    points: { show: false },
    ...(holds(channel) && stepped ? { paths: stepped } : {}),
    ...more,
  };
}

/** At round times of the run, not of the robot's clock. */
function round(_: uPlot, __: number, fromS: number, toS: number, everyS: number): number[] {
  const beganS = useStory.getState().originS ?? 0;
  const first = Math.ceil((fromS - beganS) / everyS);
  const count = Math.max(0, Math.floor((toS - beganS) / everyS) - first + 1);
  return Array.from({ length: count }, (_, index) => beganS + (first + index) * everyS);
}

/** Channels over time, drawn past React. */
export function Chart({ channels }: { channels: string[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const theme = useUi((ui) => ui.theme);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const axis = { stroke: style.getPropertyValue('--dim'), grid: { stroke: style.getPropertyValue('--line'), width: 1 }, ticks: { show: false } };
    const data = (): uPlot.AlignedData => aligned([...channels.map(dataOf), ...channels.map(otherOf)]) as uPlot.AlignedData;
    let place = (): void => undefined;
    const plot = new uPlot(
      {
        width: element.clientWidth || 300,
        height: element.clientHeight || 120,
        scales: { x: { time: false, range: (_, min, max) => recordedSpan() ?? usePlotting.getState().range ?? [min ?? 0, max ?? 1] } },
        axes: [
          { ...axis, size: 22, values: sinceBegin, splits: round },
          { ...axis, size: 46 },
        ],
        legend: { show: false },
        cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 5 } },
        series: [
          {},
          ...channels.map((name, index) => lineOf(name, index, {})),
          ...channels.map((name, index) => lineOf(name, index, { width: 1, dash: [4, 4] })),
        ],
        hooks: { setCursor: [(self) => hoverTime(cursorOf(self))], setSelect: [selected], draw: [() => place()] },
      },
      data(),
      element,
    );
    place = lines(plot);
    place();
    clicks(plot);
    let dirty = false;
    const forget = [
      sampled.listen(() => (dirty = true)),
      usePlotting.subscribe((now, before) => (dirty ||= now.ranges !== before.ranges || now.others !== before.others || now.range !== before.range)),
      useStory.subscribe((now, before) => {
        if (now.recorded !== before.recorded || now.originS !== before.originS) dirty = true;
        place();
      }),
    ];
    const timer = setInterval(() => {
      if (!dirty || element.offsetParent === null) return;
      dirty = false;
      plot.setData(data());
    }, 100);
    const size = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: element.clientHeight }));
    size.observe(element);
    return () => {
      for (const one of forget) one();
      clearInterval(timer);
      size.disconnect();
      plot.destroy();
    };
  }, [channels, theme]);
  return <div ref={box} className="plot" role="img" aria-label={`Plot of ${channels.join(', ')}`} />;
}

import { Download, List, Maximize2, Minus, Plus, X } from 'lucide-react';
import { useEffect, useMemo, useState, type DragEvent, type ReactNode } from 'react';
import type { ChannelOf, StatisticsView } from '../../api/types';
import {
  addChannel,
  dataOf,
  exported,
  loadRanges,
  recordedSpan,
  removeChannel,
  setRange,
  statisticsOf,
  usePlotting,
  valueAt,
  type Plot,
} from '../../state/plotting';
import { liveChannels } from '../../state/plots';
import { useReviewing } from '../../state/reviewing';
import { useRun, useStory } from '../../state/run';
import { Words } from '../Words';
import { Chart, colourOf } from './Chart';
import { DRAGGED } from './dragged';

/** What can be plotted: all that was recorded, or what has come since the page is open. */
function useChannels(): ChannelOf[] {
  const recorded = useReviewing((review) => review.on?.channels);
  const [live, setLive] = useState<ChannelOf[]>(liveChannels);
  useEffect(() => {
    if (recorded) return;
    const look = (): void =>
      setLive((before) => {
        const now = liveChannels();
        return now.length === before.length ? before : now;
      });
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [recorded]);
  return recorded ?? live;
}

/** What is shown of a recording is asked for when it changes. */
function useLoaded(): void {
  const recording = useReviewing((review) => review.on?.entry.name);
  const run = useReviewing((review) => review.run);
  const beside = useReviewing((review) => review.beside);
  const plots = usePlotting((plotting) => plotting.plots);
  const range = usePlotting((plotting) => plotting.range);
  useEffect(() => {
    usePlotting.setState({ range: null, ranges: new Map() });
  }, [recording, run]);
  useEffect(() => usePlotting.setState({ others: new Map() }), [recording, beside]);
  useEffect(() => {
    if (recording === undefined) return;
    const timer = setTimeout(() => void loadRanges(), 80);
    return () => clearTimeout(timer);
  }, [recording, run, plots, range, beside]);
}

/** Anything that is a number, over time. */
export function PlotsPanel(): ReactNode {
  const plots = usePlotting((plotting) => plotting.plots);
  const zoomed = usePlotting((plotting) => plotting.range !== null);
  const channels = useChannels();
  const [list, setList] = useState(true);
  useLoaded();
  return (
    <div className="plots">
      {list && <Channels channels={channels} />}
      <div className="plots-side">
        <div className="log-tools">
          <button type="button" className="button" aria-pressed={list} onClick={() => setList(!list)}>
            <List size={13} aria-hidden /> Channels
          </button>
          {plots.length > 0 && (
            <>
              <button type="button" className="icon" aria-label="Closer: a shorter stretch of time" onClick={() => zoom(0.5)}>
                <Plus size={14} />
              </button>
              <button type="button" className="icon" aria-label="Further: a longer stretch of time" disabled={!zoomed} onClick={() => zoom(2)}>
                <Minus size={14} />
              </button>
              <button type="button" className="icon" aria-label="All of the time" disabled={!zoomed} onClick={() => setRange(null)}>
                <Maximize2 size={14} />
              </button>
              <button type="button" className="button" onClick={() => void save([...new Set(plots.flatMap((plot) => plot.channels))])}>
                <Download size={13} aria-hidden /> CSV
              </button>
            </>
          )}
        </div>
        {plots.map((plot) => (
          <OnePlot key={plot.number} plot={plot} />
        ))}
        <Drop to={undefined} className={plots.length > 0 ? 'plot-new' : 'plot-new alone'}>
          {plots.length > 0 ? 'A channel dropped here gets a plot of its own.' : 'Click a channel, or drag it or a variable here, to see it over time.'}
        </Drop>
      </div>
    </div>
  );
}

/** Around the cursor, or the middle of what is shown. */
function zoom(by: number): void {
  const { pinnedS } = useStory.getState();
  const nowS = useRun.getState().view.time_s;
  const all = recordedSpan() ?? usePlotting.getState().range ?? [useStory.getState().originS ?? nowS - 60, nowS];
  const [fromS, toS] = all;
  const middleS = pinnedS !== null && pinnedS >= fromS && pinnedS <= toS ? pinnedS : (fromS + toS) / 2;
  const half = ((toS - fromS) / 2) * by;
  setRange([middleS - half, middleS + half]);
}

async function save(channels: string[]): Promise<void> {
  const text = await exported(channels);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${useReviewing.getState().on?.entry.name ?? 'live'}.csv`;
  link.click();
  // When the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** More rows than anybody looks through; the search finds the rest. */
const MOST_ROWS = 200;

/** By what stands before the first slash. */
function grouped(channels: readonly ChannelOf[]): Map<string, ChannelOf[]> {
  const groups = new Map<string, ChannelOf[]>();
  for (const channel of channels) {
    const group = channel.name.split('/')[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), channel]);
  }
  return groups;
}

function Channels({ channels }: { channels: ChannelOf[] }): ReactNode {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = useMemo(() => channels.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word))), [channels, wanted]);
  const groups = grouped(shown.slice(0, MOST_ROWS));
  return (
    <div className="channels" role="region" aria-label="Channels">
      <input
        className="filter"
        type="search"
        placeholder="Search"
        aria-label="Search channels"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <div className="scroll" tabIndex={0} role="region" aria-label="List of channels">
        {[...groups].map(([group, members]) => (
          <div key={group}>
            <h4>{group}</h4>
            {members.map(({ name, unit }) => (
              <button
                key={name}
                type="button"
                className="channel"
                draggable
                title={`${name}${unit ? `, ${unit}` : ''}: click or drag into a plot`}
                onDragStart={(event) => event.dataTransfer.setData(DRAGGED, name)}
                onClick={() => addChannel(name, usePlotting.getState().plots.at(-1)?.number)}
              >
                <Words text={name.slice(group.length + 1) || name} />
                {unit && <span className="dim"> {unit}</span>}
              </button>
            ))}
          </div>
        ))}
        {shown.length > MOST_ROWS && <p className="dim pad">{shown.length - MOST_ROWS} more: search for them.</p>}
        {shown.length === 0 && <p className="dim pad">{wanted ? 'Nothing of that name.' : 'Nothing has been told yet.'}</p>}
      </div>
    </div>
  );
}

function Drop({ to, className, children }: { to: number | undefined; className: string; children: ReactNode }): ReactNode {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const name = event.dataTransfer.getData(DRAGGED);
    if (name) addChannel(name, to);
  };
  return (
    <div
      className={over ? `${className} over` : className}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

function OnePlot({ plot: { number, channels } }: { plot: Plot }): ReactNode {
  return (
    <Drop to={number} className="plot-one">
      <Chart channels={channels} />
      <Numbers number={number} channels={channels} />
    </Drop>
  );
}

const short = (value: number | undefined): string => (value === undefined || Number.isNaN(value) ? '–' : Number(value.toPrecision(4)).toString());

const COLUMNS: [keyof StatisticsView, string][] = [
  ['least', 'least'],
  ['greatest', 'greatest'],
  ['mean', 'mean'],
  ['deviation', 'deviation'],
  ['count', 'values'],
];

/** Of the visible stretch; beside it what it is at the cursor. */
function Numbers({ number, channels }: { number: number; channels: string[] }): ReactNode {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, []);
  const { cursorS, pinnedS } = useStory.getState();
  return (
    <table className="plot-numbers">
      <thead>
        <tr>
          <th scope="col">channel</th>
          <th scope="col">{cursorS === null && pinnedS === null ? 'now' : 'at the cursor'}</th>
          {COLUMNS.map(([id, title]) => (
            <th key={id} scope="col">
              {title}
            </th>
          ))}
          <th />
        </tr>
      </thead>
      <tbody>
        {channels.map((name, index) => {
          const data = dataOf(name);
          const told = statisticsOf(name);
          return (
            <tr key={name}>
              <th scope="row" title={name}>
                <i className="dot" style={{ color: colourOf(index) }} /> {name}
                {data.unit && <span className="dim"> {data.unit}</span>}
              </th>
              <td className="mono">{short(valueAt(data, cursorS ?? pinnedS))}</td>
              {COLUMNS.map(([id]) => (
                <td key={id} className="mono">
                  {short(told[id])}
                </td>
              ))}
              <td>
                <button type="button" className="icon" aria-label={`Take ${name} out`} onClick={() => removeChannel(name, number)}>
                  <X size={12} />
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

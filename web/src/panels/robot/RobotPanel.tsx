import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { cloud, picture, robotState } from '../../api/slots';
import { runCommand } from '../../commands/registry';
import { ageS } from '../../state/contact';
import { askQuietly } from '../../state/actions';
import { useReviewing } from '../../state/reviewing';
import { pinTime, sinceStart, useRun, useStory } from '../../state/run';
import { useWorld } from '../../state/world';
import { Words } from '../Words';
import { health, limitsOf, nearLimits, worst, type Item, type Known, type Level } from './health';

const EVERY_MS = 500;
const MOST_JOINTS = 8;
const MOST_WARNINGS = 8;
const SAYS: Record<Level, string> = { good: 'All is well', warn: 'Something needs a look', bad: 'Something is wrong', none: 'Nothing is known' };

/** Twice a second, and how many came of each in a second meanwhile. */
function useRates(): Known['rates'] {
  const [rates, setRates] = useState<Known['rates']>({ states: 0, pictures: 0, clouds: 0 });
  const before = useRef<{ ms: number; counts: number[] }[]>([]);
  useEffect(() => {
    const look = (): void => {
      const now = { ms: performance.now(), counts: [robotState.count, picture.count, cloud.count] };
      before.current = [...before.current, now].slice(-7);
      const first = before.current[0] ?? now;
      const seconds = Math.max(0.5, (now.ms - first.ms) / 1000);
      const [states = 0, pictures = 0, clouds = 0] = now.counts.map((count, index) => (count - (first.counts[index] ?? 0)) / seconds);
      setRates({ states, pictures, clouds });
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return rates;
}

/** How the robot is, at a glance: green, yellow, red, and what to do. */
export function RobotPanel(): ReactNode {
  const rates = useRates();
  const link = useWorld((world) => world.link);
  const late = useRun((run) => run.view.late);
  const recorded = useStory((story) => story.recorded);
  const lines = useStory((story) => story.lines);
  const pinnedS = useStory((story) => story.pinnedS);
  const warnings = useMemo(() => lines.filter(({ kind, atS }) => (kind === 'warning' || kind === 'failure') && (pinnedS === null || atS <= pinnedS)).slice(-MOST_WARNINGS).reverse(), [lines, pinnedS]);
  const warned = warnings.find(({ kind }) => kind === 'warning')?.text ?? null;
  const items = health({ state: robotState.get(), link, late, rates, ages: { state: ageS(robotState), picture: ageS(picture), cloud: ageS(cloud) }, warned, recorded });
  const level = worst(items);
  return (
    <div className="scroll robot" tabIndex={0} role="region" aria-label="State of the robot">
      <p className={`robot-all ${level}`} role="status">
        <i className="dot" /> {SAYS[level]}
        {recorded && <span className="dim"> at this moment of the recording</span>}
      </p>
      <table className="plain">
        <tbody>
          {items.map((item) => (
            <Row key={item.name} item={item} />
          ))}
        </tbody>
      </table>
      <Guess />
      <Forces />
      <NearEnds />
      {warnings.length > 0 && (
        <table className="plain">
          <caption>Warnings and failures, the newest first</caption>
          <tbody>
            {warnings.map(({ number, atS, originS, text, kind }) => (
              <tr key={number} className={`kind-${kind}`}>
                <td className="mono">
                  <button type="button" className="link" title="Show that moment" onClick={() => pinTime(atS)}>
                    {sinceStart(atS, originS)} s
                  </button>
                </td>
                <td className={kind === 'failure' ? 'bad' : 'warn'}>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Where what was guessed of it is looked at and corrected. */
function Guess(): ReactNode {
  const workshop = useWorld((world) => world.welcome?.workshop);
  if (workshop !== 'guessed' && workshop !== 'written') return null;
  return (
    <p>
      <button type="button" className="button" onClick={() => runCommand('view.layout_robot')}>
        {workshop === 'guessed' ? 'It was guessed from its URDF: look at what is not sure…' : 'What was guessed of it…'}
      </button>
    </p>
  );
}

const LIGHT: Record<Level, string> = { good: 'well', warn: 'needs a look', bad: 'wrong', none: 'not known' };

function Row({ item: { name, level, text, remedy } }: { item: Item }): ReactNode {
  return (
    <tr>
      <th scope="row">
        <i className={`dot ${level}`} role="img" aria-label={LIGHT[level]} /> {name}
      </th>
      <td>
        {text}
        {remedy && <span className="remedy">{remedy}</span>}
      </td>
    </tr>
  );
}

function NearEnds(): ReactNode {
  const robot = useWorld((world) => world.robot);
  const limits = useMemo(() => limitsOf(robot?.urdf ?? '<robot/>'), [robot]);
  const state = robotState.get();
  const near = state && robot ? nearLimits(robot.joints, state.joints, limits).slice(0, MOST_JOINTS) : [];
  if (near.length === 0) return null;
  return (
    <table className="plain">
      <caption>Joints nearest to their ends</caption>
      <tbody>
        {near.map(({ joint, at, share, level }) => (
          <tr key={joint}>
            <th scope="row">
              <i className={`dot ${level}`} role="img" aria-label={LIGHT[level]} /> <Words text={joint} />
            </th>
            <td className="mono">{at.toFixed(2)}</td>
            <td className="share">
              <span className="bar" role="progressbar" aria-label={`${joint}: share of its range`} aria-valuenow={Math.round(share * 100)}>
                <i className={level} style={{ width: `${Math.min(100, share * 100)}%` }} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Of what pushes and stands, the last value before a moment. */
const FORCE = /^(hand\/.*\/force_[xyz]|foot\/.*\/load)$/;
const BACK_S = 0.25;

/** What a recording has of forces, at its moment; the live state has none. */
function Forces(): ReactNode {
  const on = useReviewing((review) => review.on);
  const atS = useReviewing((review) => (review.playing ? Math.round(review.atS * 2) / 2 : review.atS));
  const [values, setValues] = useState<ReadonlyMap<string, number>>(new Map());
  const channels = useMemo(() => on?.channels.filter(({ name }) => FORCE.test(name)) ?? [], [on]);
  useEffect(() => {
    if (!on) return setValues(new Map());
    let stale = false;
    const timer = setTimeout(() => {
      const all = channels.map(async ({ name }): Promise<[string, number] | null> => {
        const answer = await askQuietly({ ask: 'range', recording: on.entry.name, channel: name, from_s: atS - BACK_S, to_s: atS, most: 100 });
        const last = answer?.is === 'range' ? answer.values.at(-1) : undefined;
        return last === undefined ? null : [name, last];
      });
      void Promise.all(all).then((told) => !stale && setValues(new Map(told.filter((one) => one !== null))));
    }, 120);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [on, atS, channels]);
  const rows = forceRows(values);
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.map(([, force]) => force));
  return (
    <table className="plain">
      <caption>Forces</caption>
      <tbody>
        {rows.map(([name, force]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="mono">{force.toFixed(1)} N</td>
            <td className="share">
              <span className="bar" aria-hidden>
                <i style={{ width: `${(force / most) * 100}%` }} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A hand by how hard it is pushed whatever way, a foot by what it carries. */
export function forceRows(values: ReadonlyMap<string, number>): [string, number][] {
  const squares = new Map<string, number>();
  for (const [channel, value] of values) {
    const [part = '', side = ''] = channel.split('/');
    const name = `${side} ${part}`;
    squares.set(name, (squares.get(name) ?? 0) + value * value);
  }
  return [...squares].map(([name, square]) => [name, Math.sqrt(square)]);
}

import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { bodyState, cloud, picture, robotState } from '../../api/slots';
import { runCommand } from '../../commands/registry';
import { ageS } from '../../state/contact';
import { effortLimits, loadsOf } from '../../state/loads';
import { pinTime, sinceStart, useRun, useStory } from '../../state/run';
import { useBody } from '../../state/wanted';
import { useWorld } from '../../state/world';
import { Words } from '../Words';
import { Faults, Forces, Loads } from './Felt';
import { health, limitsOf, nearLimits, worst, type Item, type Known, type Level } from './health';
import { LIGHT } from './light';

const EVERY_MS = 500;
/** More often nobody reads it. */
const HZ = 5;
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
  const box = useRef<HTMLDivElement>(null);
  useBody('panel', HZ, box);
  const robot = useWorld((world) => world.robot);
  const link = useWorld((world) => world.link);
  const late = useRun((run) => run.view.late);
  const recorded = useStory((story) => story.recorded);
  const lines = useStory((story) => story.lines);
  const pinnedS = useStory((story) => story.pinnedS);
  const warnings = useMemo(
    () =>
      lines
        .filter(({ kind, atS }) => (kind === 'warning' || kind === 'failure') && (pinnedS === null || atS <= pinnedS))
        .slice(-MOST_WARNINGS)
        .reverse(),
    [lines, pinnedS],
  );
  const warned = warnings.find(({ kind }) => kind === 'warning')?.text ?? null;
  const body = bodyState.get();
  const loads = body && robot ? loadsOf(robot.joints, body, effortLimits(robot.urdf)) : [];
  const items = health({
    state: robotState.get(),
    link,
    late,
    rates,
    ages: { state: ageS(robotState), picture: ageS(picture), cloud: ageS(cloud) },
    warned,
    recorded,
    body,
    loads,
  });
  const level = worst(items);
  return (
    <div ref={box} className="scroll robot" tabIndex={0} role="region" aria-label="State of the robot">
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
      {body && <Faults body={body} joints={robot?.joints ?? []} />}
      {body && <Forces body={body} />}
      <Loads loads={loads} />
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

import { useEffect, useState, type ReactNode } from 'react';
import type { Confidence, Guessed, RobotGuessView } from '../../api/types';
import { byDoubt, guess, useGuess, without, withLink, withValue } from '../../state/guess';
import { useWorld } from '../../state/world';
import { Words } from '../Words';
import { SaveRobot } from './SaveRobot';
import { rowsOf, titleOf, valueText } from './words';

const SAYS: Record<Confidence, string> = { sure: 'sure', likely: 'likely', doubtful: 'not sure', missing: 'not found' };
const LEGEND: Confidence[] = ['sure', 'likely', 'doubtful', 'missing'];

/** What was guessed of a robot from its URDF, to be looked at and said otherwise. */
export function GuessPanel(): ReactNode {
  const process = useWorld((world) => world.welcome?.process);
  const workshop = useWorld((world) => world.welcome?.workshop);
  const view = useGuess((state) => state.view);
  const busy = useGuess((state) => state.busy);
  const failed = useGuess((state) => state.failed);
  const can = workshop === 'written' || workshop === 'guessed';
  useEffect(() => {
    useGuess.setState({ view: null, chosen: null, shown: can });
    if (can) void guess();
    return () => useGuess.setState({ shown: false, hovered: null, under: null });
  }, [process, can]);
  if (!can) {
    return (
      <p className="guess-none">
        This robot was not guessed. To look at what is guessed of one, and to correct it: <code>coact demo --robot FILE.urdf</code>
      </p>
    );
  }
  return (
    <div className="scroll guess" tabIndex={0} role="region" aria-label="What was guessed of the robot">
      <p className="guess-legend">
        {LEGEND.map((confidence) => (
          <span key={confidence}>
            <i className={`dot guess-${confidence}`} aria-hidden /> {SAYS[confidence]}
          </span>
        ))}
      </p>
      <p className="guess-now" role="status">
        {busy ? 'Guessing and checking…' : failed ? <span className="bad">{failed}</span> : view && <Summary view={view} />}
      </p>
      {view && (
        <>
          <Changes />
          <Rows view={view} />
          <Problems view={view} />
          <SaveRobot view={view} />
        </>
      )}
    </div>
  );
}

function Summary({ view }: { view: RobotGuessView }): ReactNode {
  const errors = view.problems.filter(({ error }) => error).length;
  const unsure = rowsOf(view.guessed).filter(({ confidence }) => confidence !== 'sure').length;
  return (
    <>
      {unsure} of {rowsOf(view.guessed).length} to look at;{' '}
      {errors === 0 ? 'no errors' : <span className="bad">{errors === 1 ? '1 error' : `${errors} errors`}</span>}
    </>
  );
}

/** What the last correction has changed. */
function Changes(): ReactNode {
  const { changed, came, gone, view } = useGuess();
  if (!view || changed.size + came.length + gone.length === 0) return null;
  const titles = rowsOf(view.guessed)
    .filter(({ key }) => changed.has(key))
    .map(titleOf);
  return (
    <div className="guess-changes" role="status" aria-label="What has changed">
      {titles.length > 0 && <p>Changed: {titles.join(', ')}</p>}
      {came.map((text) => (
        <p key={text} className="bad">
          New: {text}
        </p>
      ))}
      {gone.map((text) => (
        <p key={text} className="good">
          Gone: {text}
        </p>
      ))}
    </div>
  );
}

function Rows({ view }: { view: RobotGuessView }): ReactNode {
  const rows = byDoubt(rowsOf(view.guessed));
  return (
    <ul className="guess-rows">
      {rows.map((told) => (
        <Row key={told.key} told={told} view={view} />
      ))}
    </ul>
  );
}

function Row({ told, view }: { told: Guessed; view: RobotGuessView }): ReactNode {
  const chosen = useGuess((state) => state.chosen === told.key);
  const changed = useGuess((state) => state.changed.has(told.key));
  const hover = (on: boolean): void => useGuess.setState(({ hovered }) => ({ hovered: on ? told.key : hovered === told.key ? null : hovered }));
  return (
    <li className={changed ? 'changed' : ''} data-key={told.key} data-confidence={told.confidence}>
      <button
        type="button"
        aria-expanded={chosen}
        onClick={() => useGuess.setState({ chosen: chosen ? null : told.key, under: null })}
        onMouseEnter={() => hover(true)}
        onMouseLeave={() => hover(false)}
        onFocus={() => hover(true)}
        onBlur={() => hover(false)}
      >
        <i className={`dot guess-${told.confidence}`} role="img" aria-label={SAYS[told.confidence]} />
        <strong>{titleOf(told)}</strong>
        <span className="mono">
          <Words text={shortly(told)} />
        </span>
        <span className="dim">{told.reason}</span>
      </button>
      {chosen && <Otherwise told={told} view={view} />}
    </li>
  );
}

/** Of a posture or a walk there is too much for a line. */
function shortly({ topic, links, value }: Guessed): string {
  switch (topic.is) {
    case 'preset':
    case 'walking':
    case 'grip':
      return '';
    case 'frame':
    case 'camera':
      return links.length > 0 ? links.join(', ') : valueText(value);
    default:
      return valueText(value);
  }
}

/** How a person says it otherwise. */
function Otherwise({ told, view }: { told: Guessed; view: RobotGuessView }): ReactNode {
  const busy = useGuess((state) => state.busy);
  const under = useGuess((state) => state.under);
  const { corrections, links } = view;
  const takesLink = withLink(corrections, told, '') !== null;
  const forgotten = without(corrections, told);
  return (
    <div className="guess-otherwise">
      {takesLink && (
        <p>
          Click the right link in the 3D view
          {under ? (
            <>
              : <code>{under}</code>
            </>
          ) : (
            '.'
          )}
        </p>
      )}
      <div className="row wrap">
        {told.alternatives.map(({ link, value, reason }) => {
          const said = link === null ? withValue(corrections, told, value) : withLink(corrections, told, link);
          return (
            said && (
              <button key={`${link} ${String(value)}`} type="button" className="button" disabled={busy} title={reason} onClick={() => void guess(said)}>
                {link === null ? reason : <Words text={link} />}
              </button>
            )
          );
        })}
        {takesLink && (
          <select aria-label="Any link" value="" disabled={busy} onChange={(event) => void guess(withLink(corrections, told, event.target.value) ?? undefined)}>
            <option value="" disabled>
              Any link…
            </option>
            {links.map((link) => (
              <option key={link}>{link}</option>
            ))}
          </select>
        )}
        {forgotten && (
          <button type="button" className="button" disabled={busy} onClick={() => void guess(forgotten)}>
            As it was guessed
          </button>
        )}
      </div>
      {told.topic.is === 'part' && <p className="dim">It follows from the frames at its ends: correct those.</p>}
      {(told.topic.is === 'preset' || told.topic.is === 'walking') && <p className="mono">{valueText(told.value)}</p>}
    </div>
  );
}

const MOST = 12;

function Problems({ view }: { view: RobotGuessView }): ReactNode {
  const [all, setAll] = useState(false);
  if (view.problems.length === 0) return null;
  const shown = all ? view.problems : view.problems.slice(0, MOST);
  return (
    <details open={view.problems.some(({ error }) => error)}>
      <summary>{view.problems.length === 1 ? '1 remark of the check' : `${view.problems.length} remarks of the check`}</summary>
      <ul className="guess-problems">
        {shown.map(({ text, error }) => (
          <li key={text} className={error ? 'bad' : 'warn'}>
            {text}
          </li>
        ))}
      </ul>
      {!all && view.problems.length > MOST && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          And {view.problems.length - MOST} more
        </button>
      )}
    </details>
  );
}

import { Play, Square } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { SuiteView, TrialCaseView, TrialRunView, TrialView } from '../../api/types';
import { ask, asked } from '../../state/actions';
import { useWorld } from '../../state/world';
import { lookAt } from '../runs/RunsPanel';

const AGAIN_MS = 1000;
/** More rows than anybody reads; the report has all of them. */
const MOST_ROWS = 300;

/** What there is, and how far the trial is while it is to be seen. */
function useTrial(box: RefObject<HTMLElement | null>): {
  suites: SuiteView[];
  trial: TrialView | null;
  refused: string | null;
  put: (trial: TrialView | null) => void;
} {
  const open = useWorld((world) => world.socket === 'open');
  const [suites, setSuites] = useState<SuiteView[]>([]);
  const [trial, put] = useState<TrialView | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const look = useCallback(async () => {
    try {
      const answer = await asked({ ask: 'trial' });
      if (answer.is === 'trial') put(answer.trial);
      setRefused(null);
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  }, []);
  useEffect(() => {
    if (!open) return;
    void look();
    asked({ ask: 'suites' }).then(
      (answer) => answer.is === 'suites' && setSuites(answer.suites),
      () => {},
    );
    const timer = setInterval(() => box.current?.offsetParent && void look(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [open, look, box]);
  return { suites, trial, refused, put };
}

/** Suites are run from here, on the machine of the operator process; what failed is opened beside its tree. */
export function TrialsPanel(): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { suites, trial, refused, put } = useTrial(box);
  return (
    <div ref={box} className="scroll trials" tabIndex={0} role="region" aria-label="Suites and their trials">
      {refused !== null && (
        <p className="dim pad" role="status">
          No trials here: {refused}
        </p>
      )}
      {refused === null && <Begin suites={suites} running={trial?.running ?? false} put={put} />}
      {trial && <Progress trial={trial} put={put} />}
    </div>
  );
}

const whole = (text: string): number | undefined => (/^\d+$/.test(text.trim()) ? Number(text) : undefined);

function Begin({ suites, running, put }: { suites: SuiteView[]; running: boolean; put: (trial: TrialView | null) => void }): ReactNode {
  const [chosen, setChosen] = useState('');
  const [runs, setRuns] = useState('');
  const [seed, setSeed] = useState('');
  const suite = suites.find(({ file }) => file === chosen) ?? suites.find(({ wrong }) => wrong === null) ?? suites[0];
  if (!suite) return <p className="dim pad">There is no suite: put one into the folder `suites` of the operator process, and open this panel again.</p>;
  const start = async (): Promise<void> => {
    const answer = await ask({
      ask: 'start_trial',
      suite: suite.file,
      ...(whole(runs) === undefined ? {} : { runs: whole(runs) }),
      ...(whole(seed) === undefined ? {} : { first_seed: whole(seed) }),
    });
    if (answer?.is === 'trial') put(answer.trial);
  };
  const all = suite.cases.reduce((sum, one) => sum + (whole(runs) ?? one.runs), 0);
  return (
    <form
      className="log-tools"
      aria-label="Start a trial"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <select aria-label="Suite" value={suite.file} onChange={(event) => setChosen(event.target.value)}>
        {suites.map(({ file, wrong }) => (
          <option key={file} value={file}>
            {file}
            {wrong === null ? '' : ' (cannot be run)'}
          </option>
        ))}
      </select>
      <label>
        Runs of each case{' '}
        <input type="text" inputMode="numeric" size={4} placeholder="as it says" value={runs} onChange={(event) => setRuns(event.target.value)} />
      </label>
      <label>
        First seed <input type="text" inputMode="numeric" size={4} placeholder="as it says" value={seed} onChange={(event) => setSeed(event.target.value)} />
      </label>
      <button type="submit" className="button" disabled={running || suite.wrong !== null || all === 0}>
        <Play size={13} aria-hidden /> Start {all} {all === 1 ? 'run' : 'runs'}
      </button>
      {suite.wrong !== null && <span className="bad">{suite.wrong}</span>}
    </form>
  );
}

function Progress({ trial, put }: { trial: TrialView; put: (trial: TrialView | null) => void }): ReactNode {
  const [failed, setFailed] = useState(false);
  const total = trial.cases.reduce((sum, one) => sum + one.total, 0);
  const done = trial.cases.reduce((sum, one) => sum + one.done, 0);
  const shown = trial.runs.filter(({ success }) => !failed || !success);
  const stop = async (): Promise<void> => {
    const answer = await ask({ ask: 'stop_trial' });
    if (answer?.is === 'trial') put(answer.trial);
  };
  return (
    <>
      <div className="log-tools">
        <strong>{trial.suite}</strong>
        <span className="dim">by {trial.by}</span>
        <progress aria-label="Progress of the trial" max={Math.max(1, total)} value={done} />
        <span role="status" aria-label="State of the trial">
          {done} of {total}
          {trial.running ? (trial.stopping ? ', stopping' : ', running') : trial.ended === null ? ', all made' : ''}
        </span>
        {trial.running && (
          <button type="button" className="button" disabled={trial.stopping} onClick={() => void stop()}>
            <Square size={12} aria-hidden /> Stop the trial
          </button>
        )}
        <label>
          <input type="checkbox" checked={failed} onChange={(event) => setFailed(event.target.checked)} /> failed only
        </label>
      </div>
      {trial.ended !== null && <pre className="warn pad trial-end">It ended early: {trial.ended}</pre>}
      {trial.report !== null && <p className="dim pad">The whole report is in {trial.report}</p>}
      <table className="plain" aria-label="Cases">
        <thead>
          <tr>
            {['Case', 'Made', 'Succeeded', '95 % interval', 'Mean time'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {trial.cases.map((one) => (
            <Case key={one.name} one={one} />
          ))}
        </tbody>
      </table>
      <table className="plain runs" aria-label="Runs of the trial">
        <tbody>
          {shown.slice(0, MOST_ROWS).map((run) => (
            <Run key={`${run.case} ${run.seed}`} run={run} />
          ))}
        </tbody>
      </table>
      {shown.length > MOST_ROWS && <p className="dim pad">{shown.length - MOST_ROWS} more are in the report.</p>}
    </>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function Case({ one: { name, total, done, succeeded, least_share, greatest_share, mean_s } }: { one: TrialCaseView }): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="mono">
        {done}/{total}
      </td>
      <td className={`mono ${done > 0 && succeeded < done ? 'bad' : ''}`}>{succeeded}</td>
      <td className="mono">{least_share === null || greatest_share === null ? '–' : `${percent(least_share)} to ${percent(greatest_share)}`}</td>
      <td className="mono">{mean_s === null ? '–' : `${mean_s.toFixed(1)} s`}</td>
    </tr>
  );
}

function Run({ run: { case: name, seed, success, duration_s, why, recording } }: { run: TrialRunView }): ReactNode {
  return (
    <tr>
      <th scope="row">
        {name} seed {seed}
      </th>
      <td>
        <span className={`verdict ${success ? 'success' : 'failure'}`}>{success ? 'Succeeded' : 'Failed'}</span>
        <span className="dim reason"> {why}</span>
      </td>
      <td className="mono">{duration_s.toFixed(1)} s</td>
      <td className="does">
        {recording !== null && (
          <button type="button" className="button" onClick={() => void lookAt(recording)}>
            Review
          </button>
        )}
      </td>
    </tr>
  );
}

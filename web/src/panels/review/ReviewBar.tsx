import {
  Bookmark,
  ChevronLeft,
  ChevronRight,
  CircleX,
  FileClock,
  GitCompareArrows,
  LoaderCircle,
  Pause,
  Pencil,
  Pin,
  Play,
  Radio,
  RefreshCw,
  SkipBack,
  SkipForward,
  Split,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { RecordingView } from '../../api/types';
import { command, isEnabled, runCommand } from '../../commands/registry';
import { openFile, useReviewing, type Reviewing } from '../../state/reviewing';
import { durationText, failuresOf, resultText, runSpan } from '../../state/recorded';
import { goToRun, openRecording, SPEEDS, seek, setSpeed, tickS } from '../../state/review';
import { useRun } from '../../state/run';
import { useWorld } from '../../state/world';
import { REAL } from '../run/PreviewBar';

/** That all that is seen is a recording, and the one clock of it. */
export function ReviewBar(): ReactNode {
  const review = useReviewing();
  if (!review.on) return null;
  return (
    <section className="review-bar" aria-label="Review of a recording">
      <Head on={review.on} review={review} />
      <div className="review-line">
        <Playing review={review} />
        <Slider on={review.on} review={review} />
        <Clock on={review.on} review={review} />
      </div>
      <Doing review={review} />
      <Told review={review} />
    </section>
  );
}

function Head({ on, review }: { on: RecordingView; review: Reviewing }): ReactNode {
  const { entry } = on;
  const robot = useWorld((world) => world.robot?.name ?? world.welcome?.robot ?? null);
  const run = entry.runs[review.run];
  const { result, reason } = run ?? entry;
  return (
    <div className="review-line" role="status">
      <FileClock size={16} aria-hidden />
      <strong>Recording of {entry.behavior}</strong>
      <span>{new Date(entry.began_unix_ms).toLocaleString()}</span>
      <span className={`verdict ${result ?? ''}`} title={reason}>
        {resultText({ ...entry, result })}
        {reason && `: ${reason}`}
      </span>
      {entry.runs.length > 1 && (
        <select aria-label="Which run of it" value={review.run} onChange={(event) => goToRun(Number(event.target.value))}>
          {entry.runs.map((one, index) => (
            <option key={one.began_s} value={index}>
              Run {index + 1} of {entry.runs.length}
            </option>
          ))}
        </select>
      )}
      {entry.robot !== null && robot !== null && entry.robot !== robot && (
        <span className="warn">
          It was {entry.robot}; the body that is drawn is that of {robot}.
        </span>
      )}
      {entry.cut && <span className="warn">It was cut off; all until then is here.</span>}
      {entry.live && (
        <button type="button" className="button" onClick={() => void openRecording(entry.name, review.atS)}>
          Load what came since
        </button>
      )}
      {entry.lost > 0 && <span className="warn">{entry.lost} inputs are missing.</span>}
      <span className="room" />
      <button type="button" className="button main" title="Back to live (Alt+Home)" onClick={() => runCommand('review.close')}>
        <Radio size={14} aria-hidden /> Back to live
      </button>
    </div>
  );
}

interface DoProps {
  id: string;
  label?: string;
  children: ReactNode;
}

/** Drawn again with its bar, which knows when anything of it changes. */
function Do({ id, label, children }: DoProps): ReactNode {
  const one = command(id);
  const checked = one?.checked?.();
  return (
    <button
      type="button"
      className="run-button"
      aria-pressed={checked}
      disabled={one ? !isEnabled(one) : true}
      aria-label={label ? undefined : one?.title}
      title={`${one?.title ?? id}${one?.keys ? ` (${one.keys})` : ''}`}
      onClick={() => runCommand(id)}
    >
      {children}
      {label}
    </button>
  );
}

function Playing({ review: { playing, speed } }: { review: Reviewing }): ReactNode {
  return (
    <>
      <Do id="review.failure_before">
        <SkipBack size={15} className="bad" />
      </Do>
      <Do id="review.back">
        <ChevronLeft size={16} />
      </Do>
      <Do id="review.play">{playing ? <Pause size={16} /> : <Play size={16} />}</Do>
      <Do id="review.ahead">
        <ChevronRight size={16} />
      </Do>
      <Do id="review.failure_next">
        <SkipForward size={15} className="bad" />
      </Do>
      <select aria-label="Speed" value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one} ×
          </option>
        ))}
      </select>
    </>
  );
}

/** More red than this is no help. */
const MOST_FAILURES = 200;

function Slider({ on, review: { atS, run } }: { on: RecordingView; review: Reviewing }): ReactNode {
  const [fromS, toS] = runSpan(on, run);
  const share = (at: number): string => `${((at - fromS) / Math.max(1e-6, toS - fromS)) * 100}%`;
  const within = (at: number): boolean => at >= fromS && at <= toS;
  return (
    <div className="review-slider">
      <input
        type="range"
        aria-label="Moment of the recording"
        aria-valuetext={`${(atS - fromS).toFixed(2)} s`}
        min={fromS}
        max={toS}
        step={tickS(on)}
        value={atS}
        onChange={(event) => seek(Number(event.target.value))}
      />
      <div className="review-flags">
        {failuresOf(on)
          .filter(within)
          .slice(0, MOST_FAILURES)
          .map((at, index) => (
            <i key={`${at} ${index}`} className="flag failure" style={{ left: share(at) }} />
          ))}
        {on.marks
          .filter((one) => within(one.at_s))
          .map((one) => (
            <button
              key={`${one.at_s} ${one.by} ${one.text}`}
              type="button"
              className="flag mark"
              style={{ left: share(one.at_s) }}
              aria-label={`Mark: ${one.text}`}
              title={`${one.by}: ${one.text}`}
              onClick={() => seek(one.at_s)}
            >
              <Bookmark size={11} fill="currentColor" />
            </button>
          ))}
      </div>
    </div>
  );
}

function Clock({ on, review: { atS, run, tick } }: { on: RecordingView; review: Reviewing }): ReactNode {
  const [fromS, toS] = runSpan(on, run);
  const { began_s: began = fromS, ended_s } = on.entry.runs[run] ?? {};
  return (
    <span className="mono review-clock">
      {(atS - began).toFixed(2)} s, tick {tick}, run of {durationText((ended_s ?? toS) - began)}
    </span>
  );
}

function Doing({ review: { on, busy, tree, real } }: { review: Reviewing }): ReactNode {
  const asks = real !== null && real.questions.length > 0;
  const open = openFile();
  return (
    <div className="review-line">
      <Do id="review.mark" label="Mark…">
        <Bookmark size={14} aria-hidden />
      </Do>
      <Do id="review.keep" label={on?.entry.kept ? 'Kept' : 'Keep'}>
        <Pin size={14} aria-hidden />
      </Do>
      <Do id="review.replay" label="Run again">
        <RefreshCw size={14} aria-hidden />
      </Do>
      <Do id="review.compare" label="Compare…">
        <GitCompareArrows size={14} aria-hidden />
      </Do>
      <Do id="review.try" label="Try an edit">
        <Pencil size={14} aria-hidden />
      </Do>
      {tree === 'open' && (
        <>
          <Do id="review.what_if" label="What if">
            <Split size={14} aria-hidden />
          </Do>
          <span className="warn">
            The tree is {open ?? 'the one'} as it is open now{open !== on?.entry.behavior ? `, not ${on?.entry.behavior}` : ''}: edits are edits of it.
          </span>
        </>
      )}
      {busy !== null && (
        <span className="busy" role="status">
          <LoaderCircle size={14} aria-hidden /> {busy}…
        </span>
      )}
      <Waits />
      <span className="room" />
      <span className={asks ? 'warn' : 'dim'}>
        Nothing here commands the robot, which {asks ? 'asks something: go back to live' : REAL[real?.mode ?? 'stopped']}.
      </span>
    </div>
  );
}

/** What a question asked then, which has no card in a recording. */
function Waits(): ReactNode {
  const questions = useRun((state) => state.view.questions);
  if (questions.length === 0) return null;
  return <span>Asked then: {questions.map((question) => question.text).join(' ')}</span>;
}

function Told({ review: { replayed, beside } }: { review: Reviewing }): ReactNode {
  return (
    <>
      {replayed && (
        <div className={replayed.difference ? 'review-line bad' : 'review-line good'} role="status" aria-label="Run again">
          {replayed.difference ? <CircleX size={14} aria-hidden /> : <RefreshCw size={14} aria-hidden />}
          {replayed.difference ? `Not the same. ${replayed.difference.text}` : 'The same, bit for bit.'}
          <span className="dim">
            {replayed.ticks.toLocaleString()} ticks, {replayed.duration_s.toFixed(1)} s, at {replayed.speed.toFixed(0)} × the clock
          </span>
          {replayed.difference && <There atS={replayed.difference.at_s} />}
          <button type="button" className="icon" aria-label="Close what running it again said" onClick={() => useReviewing.setState({ replayed: null })}>
            <X size={14} />
          </button>
        </div>
      )}
      {beside && (
        <div className="review-line" role="status" aria-label="The other run">
          <strong>{beside.title}</strong>
          <span>{beside.text}</span>
          {beside.whatIf && beside.difference && <span className="dim">{beside.difference.text}</span>}
          {beside.difference && <There atS={beside.difference.atS} />}
          <button type="button" className="icon" aria-label="Put the other run away" onClick={() => runCommand('review.put_away')}>
            <X size={14} />
          </button>
        </div>
      )}
    </>
  );
}

function There({ atS }: { atS: number }): ReactNode {
  return (
    <button type="button" className="link" onClick={() => seek(atS)}>
      Go there
    </button>
  );
}

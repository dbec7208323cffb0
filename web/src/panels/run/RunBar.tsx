import { ChevronLeft, ChevronRight, Eye, FastForward, Layers, ListRestart, Pause, RotateCcw, StepForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { command, isEnabled, runCommand } from '../../commands/registry';
import { LEVELS } from '../../commands/run';
import { instanceOf } from '../../api/ids';
import type { RunEnd } from '../../api/types';
import { jumpTo, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useReached } from '../../state/contact';
import { usePreviewing } from '../../state/previewing';
import { useRun } from '../../state/run';

interface ButtonProps {
  id: string;
  label?: string;
  pressed?: boolean;
  className?: string;
  children: ReactNode;
}

function Do({ id, label, pressed, className, children }: ButtonProps): ReactNode {
  const one = command(id);
  useReached();
  useRun((state) => state.view.mode);
  const keys = one?.keys?.split(' ')[0];
  return (
    <button
      type="button"
      className={`run-button ${className ?? ''}`}
      aria-pressed={pressed}
      disabled={one ? !isEnabled(one) : true}
      aria-label={label ? undefined : one?.title}
      title={`${one?.title ?? id}${keys ? ` (${keys})` : ''}`}
      onClick={() => runCommand(id)}
    >
      {children}
      {label}
    </button>
  );
}

function Next(): ReactNode {
  const next = useRun((state) => state.next);
  const waits = useRun((state) => state.view.waits);
  const ended = useRun((state) => state.view.ended);
  const automatic = useRun((state) => state.view.automatic);
  const runs = useRun((state) => state.view.running.length > 0);
  const doc = useDoc();
  return (
    <div className="next-line" role="status">
      {ended && <Outcome ended={ended} />}
      {(next || !ended) && <span className="dim">Next</span>}
      {next ? (
        <button type="button" className="link" onClick={() => jumpTo(next)} title="Show it in the tree">
          {nameOf(doc, instanceOf(next).node)}
        </button>
      ) : (
        !ended && <span className="dim">behind the last step</span>
      )}
      {/* Behind the last step there is nothing to do while something runs. */}
      {waits && !ended && (next || !runs) && <span className={automatic && next ? 'waits' : 'waits calm'}>{waits}</span>}
    </div>
  );
}

/** How the run went, and for how long, until the next one begins. */
function Outcome({ ended }: { ended: RunEnd }): ReactNode {
  const runS = useRun((state) => state.view.run_s);
  const took = runS === null ? '' : `${runS.toFixed(1)} s`;
  if (ended.result === 'success') return <span className="outcome good">Succeeded{took && ` in ${took}`}</span>;
  const what = ended.stopped ? 'Stopped' : 'Failed';
  return (
    <span className={ended.stopped ? 'outcome warn' : 'outcome bad'} title={ended.reason ?? undefined}>
      {what}
      {took && ` after ${took}`}
      {ended.reason && `: ${ended.reason}`}
    </span>
  );
}

export function RunBar(): ReactNode {
  const reached = useReached();
  const view = useRun((state) => state.view);
  const previewing = usePreviewing((state) => state.on !== null);
  return (
    <div className="runbar" role="toolbar" aria-label="Run">
      <Do id="run.automatic" label="Automatic" pressed={view.automatic} className="automatic">
        <FastForward size={15} aria-hidden />
      </Do>
      <Do id="run.step" label="Step">
        <StepForward size={15} aria-hidden />
      </Do>
      <Do id="run.pause" label="Pause" pressed={view.paused}>
        <Pause size={15} aria-hidden />
      </Do>
      <Do id="run.from_start" label="Run from start">
        <ListRestart size={15} aria-hidden />
      </Do>
      <span className="sep" />
      <Do id="run.next_back">
        <ChevronLeft size={16} />
      </Do>
      <Next />
      <Do id="run.next_on">
        <ChevronRight size={16} />
      </Do>
      <Do id="run.concurrency" label="Concurrency" pressed={view.concurrency}>
        <Layers size={15} aria-hidden />
      </Do>
      <Do id="run.preview_mode" label="Preview" pressed={previewing}>
        <Eye size={15} aria-hidden />
      </Do>
      <Do id="run.reset_failures" label="Reset failures">
        <RotateCcw size={14} aria-hidden />
      </Do>
      <span className="dim levels-name">Autonomy</span>
      <div className="levels" role="group" aria-label="Autonomy level">
        {LEVELS.map((level) => (
          <button
            key={level}
            type="button"
            disabled={!reached}
            aria-pressed={view.autonomy === level}
            title={`Autonomy level ${level}: steps that require less start by themselves`}
            onClick={() => void run({ do: 'autonomy_level', level })}
          >
            {level}
          </button>
        ))}
      </div>
    </div>
  );
}

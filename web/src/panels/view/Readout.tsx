import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import { cloud, robotState } from '../../api/slots';
import { ageS, ageText, useContact } from '../../state/contact';
import { momentAt } from '../../state/past';
import { sinceStart, useStory } from '../../state/run';
import type { PreviewView } from '../../api/types';
import { giveSetting } from '../../state/given';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';

/** Text ten times a second, written past React. */
function useClock(write: () => string): React.RefObject<HTMLSpanElement | null> {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      const text = write();
      if (element.current && element.current.textContent !== text) element.current.textContent = text;
    }, 100);
    return () => clearInterval(timer);
  }, [write]);
  return element;
}

/** Of now, or of the moment that the cursor was put to. */
function stateText(): string {
  const { pinnedS, originS, recorded } = useStory.getState();
  const state = pinnedS === null || recorded ? robotState.get() : momentAt(pinnedS)?.state;
  if (!state) return 'no robot state';
  const [x = 0, y = 0, z = 0] = state.base;
  const old = useContact.getState().lost && pinnedS === null ? `, ${ageText(ageS(robotState) ?? 0)}` : '';
  const seen = pinnedS === null || recorded ? ageS(cloud) : null;
  const points = seen === null ? '' : `   points ${ageText(seen)}`;
  return `${sinceStart(pinnedS ?? state.timeS, originS)} s   pelvis ${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)} m${old}${points}`;
}

interface Props {
  /** The ghost a share of the way; none: at its end. */
  play: (share: number | null) => void;
  /** Along its way again and again. */
  run: (on: boolean) => void;
}

export function Readout({ play, run }: Props): ReactNode {
  const clock = useClock(stateText);
  const previews = useWorld((world) => world.previews);
  const on = useWorld((world) => world.previewOn);
  const selected = useUi((ui) => ui.selection.at(-1));
  const shown = on ? (previews.find(({ step }) => keyOf(step) === selected) ?? previews.at(-1)) : undefined;
  const reached = shown && shown.problem === null && shown.quality <= 1;
  return (
    <div className="readout">
      <span ref={clock} className="mono" />
      {shown && (
        <span className={reached ? 'preview-ok' : 'preview-bad'} role="status">
          Preview: {shown.problem ?? (reached ? `reached, ${shown.duration_s.toFixed(1)} s` : 'not reached')} (quality {shown.quality.toFixed(2)}; above 1 is
          not reached)
          {shown.collisions.length > 0 && `, ${shown.collisions.map(([a, b]) => `${a} hits ${b}`).join(', ')}`}
        </span>
      )}
      {shown && <Touch shown={shown} />}
      {shown && shown.way.length > 1 && <Way key={keyOf(shown.step)} play={play} run={run} />}
    </div>
  );
}

function Way({ play, run }: Props): ReactNode {
  const [runs, setRuns] = useState(false);
  const [share, setShare] = useState(1);
  useEffect(() => {
    run(runs);
    return () => run(false);
  }, [runs, run]);
  return (
    <div className="play">
      <button type="button" className="button" aria-pressed={runs} onClick={() => setRuns(!runs)}>
        {runs ? <Pause size={13} aria-hidden /> : <Play size={13} aria-hidden />} {runs ? 'Pause the ghost' : 'Play its way'}
      </button>
      <input
        type="range"
        aria-label="Along the way"
        min={0}
        max={1}
        step={0.01}
        value={share}
        onChange={(event) => {
          setRuns(false);
          setShare(Number(event.target.value));
          play(Number(event.target.value));
        }}
      />
    </div>
  );
}

/** Steps that were asked about already. */
const asked = new Set<string>();

/** Once for a step: whether it is meant that it presses the body into itself. */
function Touch({ shown }: { shown: PreviewView }): ReactNode {
  const [, setNo] = useState(0);
  const { touches, step } = shown;
  if (!touches || asked.has(step.node)) return null;
  const answer = (allow: boolean): void => {
    asked.add(step.node);
    setNo((count) => count + 1);
    if (allow) void giveSetting(step.node, touches.allowed_by, true);
  };
  return (
    <div className="touch" role="alertdialog" aria-label="It touches its own body">
      <p>
        This drives {touches.links[0].replaceAll('_', ' ')} into {touches.links[1].replaceAll('_', ' ')} of the robot itself. Is that meant?
      </p>
      <button type="button" className="button" onClick={() => answer(true)}>
        It may touch itself
      </button>
      <button type="button" className="button main" onClick={() => answer(false)}>
        No, I will move it
      </button>
    </div>
  );
}

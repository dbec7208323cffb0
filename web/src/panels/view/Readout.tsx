import { useEffect, useRef, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import { cloud, robotState } from '../../api/slots';
import { ageS, ageText, useContact } from '../../state/contact';
import { momentAt } from '../../state/past';
import { sinceStart, useStory } from '../../state/run';
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
  const { pinnedS, originS } = useStory.getState();
  const state = pinnedS === null ? robotState.get() : momentAt(pinnedS)?.state;
  if (!state) return 'no robot state';
  const [x = 0, y = 0, z = 0] = state.base;
  const old = useContact.getState().lost && pinnedS === null ? `, ${ageText(ageS(robotState) ?? 0)}` : '';
  const seen = pinnedS === null ? ageS(cloud) : null;
  const points = seen === null ? '' : `   points ${ageText(seen)}`;
  return `${sinceStart(pinnedS ?? state.timeS, originS)} s   pelvis ${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)} m${old}${points}`;
}

export function Readout({ play }: { play: (share: number) => void }): ReactNode {
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
          Preview: {shown.problem ?? (reached ? `reached, ${shown.duration_s.toFixed(1)} s` : 'not reached')} (quality {shown.quality.toFixed(2)}; above 1 is not reached)
          {shown.collisions.length > 0 && `, ${shown.collisions.map(([a, b]) => `${a} hits ${b}`).join(', ')}`}
        </span>
      )}
      {shown && shown.hand_paths.length > 0 && (
        <label className="play">
          Along the path
          <input type="range" min={0} max={1} step={0.01} defaultValue={1} onInput={(event) => play(Number(event.currentTarget.value))} />
        </label>
      )}
    </div>
  );
}

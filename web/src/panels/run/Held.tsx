import type { ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { HeldView, InstanceView, TrackView } from '../../api/types';
import { jumpTo, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useReached } from '../../state/contact';
import { useRun } from '../../state/run';
import { holdsControl, useWorld } from '../../state/world';

function Step({ step, title = 'Show it in the tree' }: { step: InstanceView; title?: string }): ReactNode {
  const doc = useDoc();
  return (
    <button type="button" className="link" title={title} onClick={() => jumpTo(keyOf(step))}>
      {nameOf(doc, step.node)}
    </button>
  );
}

/** A breakpoint that was reached, or a result that needs a higher autonomy level. */
function Stopped({ step, by, reason }: HeldView): ReactNode {
  return (
    <div className="held-line">
      <span>{by === 'breakpoint' ? 'Held at' : 'Result held of'}</span>
      <Step step={step} title={reason} />
      {by === 'outcome' && <span className="waits">{reason}</span>}
      <button type="button" className="button main" title="Let it go on" disabled={!useReached()} onClick={() => void run({ do: 'continue', step })}>
        Continue
      </button>
    </div>
  );
}

/** What somebody who is not in control would start by an edit. */
function Added({ step, waits, may }: { step: InstanceView; waits: string; may: boolean }): ReactNode {
  return (
    <div className="held-line">
      <Step step={step} />
      <span className="waits">{waits}</span>
      <button
        type="button"
        className="button main"
        disabled={!may}
        title={may ? 'Let it start' : 'Only whoever is in control admits it'}
        onClick={() => void run({ do: 'admit', step })}
      >
        Admit
      </button>
    </div>
  );
}

const waitsForAdmission = (track: TrackView): boolean => track.added_by !== null && track.next !== null;

/** Everything that waits for a person, each with what lets it go on; and where next goes when a lock opens. */
export function Held(): ReactNode {
  const held = useRun((state) => state.view.held);
  const tracks = useRun((state) => state.view.tracks);
  // With nobody in control whoever admits takes it.
  const free = useWorld((world) => holdsControl(world) || !world.people.some((person) => person.in_control));
  const may = useReached() && free;
  const added = tracks.filter(waitsForAdmission);
  const kept = tracks.filter((track) => track.kept_next !== null);
  if (held.length + added.length + kept.length === 0) return null;
  return (
    <div className="held-list" role="status" aria-label="Held">
      {held.map((one) => (
        <Stopped key={`${one.by} ${keyOf(one.step)}`} {...one} />
      ))}
      {added.map(({ next, waits }) => next && <Added key={`added ${keyOf(next)}`} step={next} waits={waits} may={may} />)}
      {kept.map(
        ({ owner, kept_next }) =>
          kept_next && (
            <div key={`kept ${owner ? keyOf(owner) : ''} ${keyOf(kept_next)}`} className="held-line">
              <span className="dim">When the lock opens, next is</span>
              <Step step={kept_next} />
            </div>
          ),
      )}
    </div>
  );
}

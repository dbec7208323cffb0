import type { ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import { jumpTo, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useRun } from '../../state/run';
import { holdsControl, useWorld } from '../../state/world';

/** Steps that wait to be admitted, and where next goes when a lock opens. */
export function Held(): ReactNode {
  const tracks = useRun((state) => state.view.tracks);
  const mine = useWorld(holdsControl);
  const doc = useDoc();
  const added = tracks.filter((track) => track.added_by !== null && track.next !== null);
  const kept = tracks.filter((track) => track.kept_next !== null);
  if (added.length === 0 && kept.length === 0) return null;
  return (
    <div className="held-list" aria-label="Held" role="group">
      {added.map(({ next, waits }) => next && (
        <div key={keyOf(next)} className="held-line">
          <button type="button" className="link" title="Show it in the tree" onClick={() => jumpTo(keyOf(next))}>
            {nameOf(doc, next.node)}
          </button>
          <span className="waits">{waits}</span>
          <button type="button" disabled={!mine} title={mine ? 'Let it start' : 'Only whoever is in control admits it'} onClick={() => void run({ do: 'admit', step: next })}>
            Admit
          </button>
        </div>
      ))}
      {kept.map(({ owner, kept_next }) => kept_next && (
        <div key={`kept ${owner ? keyOf(owner) : ''}`} className="held-line">
          <span className="dim">When the lock opens, next is</span>
          <button type="button" className="link" title="Show it in the tree" onClick={() => jumpTo(keyOf(kept_next))}>
            {nameOf(doc, kept_next.node)}
          </button>
        </div>
      ))}
    </div>
  );
}

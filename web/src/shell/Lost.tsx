import { OctagonX, Unplug, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ageText, clockText, useContact } from '../state/contact';
import { dismissStop, stop, useStopping } from '../state/stopping';
import { useNow } from './useNow';

const WHO = {
  page: 'This page does not hear the operator process',
  robot: 'The operator process does not hear the robot',
};

/** That nothing shown is as it is now, and what can still be done. */
export function Lost(): ReactNode {
  const lost = useContact((contact) => contact.lost);
  const now = useNow(lost !== null);
  if (!lost) return null;
  return (
    <div className="lost-bar" role="alert" aria-label="Connection lost">
      <Unplug size={16} aria-hidden />
      <strong>Connection lost</strong>
      <span>
        {WHO[lost.of]} since {clockText(lost.sinceMs)}. All that is shown of it is {ageText(Math.max(0, now - lost.sinceMs) / 1000)}; it may be doing something
        else by now.
        {lost.of === 'robot' ? ' Edits are kept and go to it when it is back.' : ' The page tries again by itself.'}
      </span>
    </div>
  );
}

/** A stop that nobody has acknowledged is said louder than anything else. */
export function NotDelivered(): ReactNode {
  const undelivered = useStopping((state) => state.undelivered);
  const lost = useContact((contact) => contact.lost);
  if (!undelivered) return null;
  return (
    <div className="not-delivered" role="alert" aria-label="Stop was not delivered">
      <h2>
        <OctagonX size={20} aria-hidden /> Stop NOT DELIVERED
      </h2>
      <p>{undelivered.text}</p>
      <div className="row end">
        {!lost && (
          <button type="button" className="button danger" onClick={() => void stop()}>
            Stop again
          </button>
        )}
        <button type="button" className="button" onClick={dismissStop}>
          <X size={14} aria-hidden /> I know
        </button>
      </div>
    </div>
  );
}

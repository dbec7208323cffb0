import type { MouseEvent, ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import { openMenu } from '../../shell/MenuPopup';
import { jumpTo } from '../../state/actions';
import { nameOf, pathOf, useDoc } from '../../state/document';
import { goLive, sinceStart, useRun, useStory } from '../../state/run';

/** Ends a step that does not end by itself. */
function forceMenu(event: MouseEvent, key: string): void {
  event.preventDefault();
  jumpTo(key);
  openMenu(event.clientX, event.clientY, ['tree.force_success', 'tree.force_failure', { line: true }, 'tree.lock', 'run.stop']);
}

/** That the tree, too, is as it was. */
function AsAt(): ReactNode {
  const pinnedS = useStory((story) => story.pinnedS);
  const originS = useStory((story) => story.originS);
  const recorded = useStory((story) => story.recorded);
  if (pinnedS === null) return null;
  return (
    <div className="as-at" role="status" aria-label="Looking back">
      {recorded ? 'Recorded, as at' : 'As at'} {sinceStart(pinnedS, originS)} s
      {!recorded && (
        <button type="button" className="link" onClick={goLive}>
          Back to live
        </button>
      )}
    </div>
  );
}

/** What runs now, each with how far it is; a click leads to it. */
export function Running(): ReactNode {
  const running = useRun((state) => state.running);
  const timeS = useRun((state) => state.atS);
  const doc = useDoc();
  return (
    <div className="running-list" aria-label="Running now" role="group">
      <AsAt />
      {running.length === 0 && <p className="dim">Nothing runs.</p>}
      {running.map(({ step, since_s, progress }) => (
        <button
          key={keyOf(step)}
          type="button"
          className="running-line"
          title={[...pathOf(doc, step), nameOf(doc, step.node)].join(' › ')}
          onClick={() => jumpTo(keyOf(step))}
          onContextMenu={(event) => forceMenu(event, keyOf(step))}
        >
          <span className="name">{nameOf(doc, step.node)}</span>
          <span
            className="bar"
            role="progressbar"
            aria-label={nameOf(doc, step.node)}
            aria-valuenow={progress === null ? undefined : Math.round(progress * 100)}
          >
            <i className={progress === null ? 'unknown' : ''} style={{ width: progress === null ? '100%' : `${Math.round(progress * 100)}%` }} />
          </span>
          <span className="time">{Math.max(0, timeS - since_s).toFixed(1)} s</span>
        </button>
      ))}
    </div>
  );
}

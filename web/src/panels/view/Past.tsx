import { FileClock, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { command, runCommand } from '../../commands/registry';
import { goLive, sinceStart, useStory } from '../../state/run';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';

/** Says what is not the robot as it is now, or not what it knows. */
export function Marks(): ReactNode {
  return (
    <div className="view-marks">
      <Past />
      <Truth />
    </div>
  );
}

function Past(): ReactNode {
  const pinnedS = useStory((story) => story.pinnedS);
  const originS = useStory((story) => story.originS);
  const recorded = useStory((story) => story.recorded);
  if (pinnedS === null) return null;
  return (
    <div className="view-past" role="status">
      {recorded ? 'Recorded, as at' : 'As at'} {sinceStart(pinnedS, originS)} s
      {!recorded && (
        <button type="button" className="button" onClick={goLive}>
          <Radio size={14} aria-hidden /> Back to live
        </button>
      )}
      {!recorded && (
        <button type="button" className="button" title={command('review.own')?.title} onClick={() => runCommand('review.own')}>
          <FileClock size={14} aria-hidden /> In its recording
        </button>
      )}
    </div>
  );
}

function Truth(): ReactNode {
  const there = useWorld((world) => world.solids.length > 0);
  const shown = useUi((ui) => ui.showWorld);
  return there && shown ? <div className="view-truth">Simulated world: the robot knows only what it has seen of it</div> : null;
}

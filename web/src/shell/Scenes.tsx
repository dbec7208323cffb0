import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { SceneView } from '../api/types';
import { isAtRest } from '../commands/run';
import { useReached } from '../state/contact';
import { useDoc } from '../state/document';
import { freeName } from '../state/placing';
import { useRun } from '../state/run';
import { useWorld } from '../state/world';
import { leaveFor } from './dialogs';

const HIDDEN = 'coact.scenes.hidden';

export function openScene({ file, world }: SceneView): void {
  const taken = useDoc.getState().folder.map((entry) => entry.file.replace(/\.json$/, ''));
  if (file === null) leaveFor({ ask: 'new', file: `${freeName('my-behavior', taken)}.json`, world });
  else leaveFor({ ask: 'open', file, world });
}

/** What this machine cannot show, so that nobody takes what they see for it. */
function Missing({ titles, why }: { titles: string[]; why: string }): ReactNode {
  return (
    <aside className="scenes missing" aria-label="What is not shown">
      <strong>This is the demo without physics.</strong>
      <span>Not to be seen here: {titles.join(', ')}.</span>
      <details>
        <summary>What is missing</summary>
        {why}
      </details>
    </aside>
  );
}

/** What the demo has to show, each one click away. */
export function Scenes(): ReactNode {
  const scenes = useWorld((world) => world.welcome?.scenes);
  const resets = useWorld((world) => world.resets);
  const file = useDoc((doc) => doc.files[0]?.file);
  const rests = useRun((state) => isAtRest(state.view.mode));
  const reached = useReached();
  const [hidden, setHidden] = useState(() => sessionStorage.getItem(HIDDEN) !== null);
  if (!scenes || scenes.length === 0 || hidden) return null;
  const missing = scenes.find((scene) => scene.missing !== null)?.missing;
  if (missing) return <Missing titles={scenes.map((scene) => scene.title)} why={missing} />;
  if (!resets) return null;
  return (
    <nav className="scenes" aria-label="Scenes of the demo">
      <span className="dim">Show me</span>
      {scenes.map((scene) => (
        <button
          key={scene.title}
          type="button"
          aria-pressed={scene.file === file}
          disabled={!rests || !reached}
          title={rests ? scene.summary : `${scene.summary} Stop the robot first.`}
          onClick={() => openScene(scene)}
        >
          {scene.title}
        </button>
      ))}
      <span className="room" />
      <button
        type="button"
        className="icon"
        aria-label="Hide the scenes"
        onClick={() => {
          sessionStorage.setItem(HIDDEN, 'yes');
          setHidden(true);
        }}
      >
        <X size={14} />
      </button>
    </nav>
  );
}

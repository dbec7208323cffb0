import { Bot, History, Play, RotateCcw } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { SceneView } from '../../api/types';
import { refreshFolder } from '../../commands/file';
import { isAtRest } from '../../commands/run';
import { command, isEnabled, runCommand } from '../../commands/registry';
import { leaveFor } from '../../shell/dialogs';
import { openScene } from '../../shell/Scenes';
import { closeOverlay, Sheet } from '../../shell/Sheet';
import { useReached } from '../../state/contact';
import { useDoc } from '../../state/document';
import { durationText, resultText } from '../../state/recorded';
import { refreshRecordings, useRecordings } from '../../state/recordings';
import { useRun } from '../../state/run';
import { useWorld } from '../../state/world';
import { lookAt } from '../runs/RunsPanel';

const MOST_RUNS = 6;

/** Where one begins: what can be run, in which world, and what ran. Without another process. */
export function StartPage(): ReactNode {
  const scenes = useWorld((world) => world.welcome?.scenes) ?? [];
  const rests = useRun((state) => isAtRest(state.view.mode));
  const reached = useReached();
  const may = rests && reached;
  useEffect(() => {
    void refreshFolder();
    refreshRecordings();
  }, []);
  return (
    <Sheet title="Start" wide>
      <h2>Start</h2>
      <Robot />
      {!may && (
        <p className="warn">
          {reached ? 'To open another behavior the robot must have stopped.' : 'What commands the robot is off: no contact, or a recording is shown.'}
        </p>
      )}
      <div className="start">
        <section aria-label="Behaviors">
          <Behaviors scenes={scenes} may={may} />
        </section>
        <section aria-label="Recent runs">
          <Recent />
        </section>
      </div>
    </Sheet>
  );
}

function Robot(): ReactNode {
  const robot = useWorld((world) => world.robot?.name ?? world.welcome?.robot ?? null);
  const simulated = useWorld((world) => world.welcome?.simulated);
  const workshop = useWorld((world) => world.welcome?.workshop);
  const file = useDoc((doc) => doc.files[0]?.file);
  return (
    <div className="row start-now">
      <span>
        {robot ?? 'No robot'}
        {simulated && <span className="tag">simulated</span>}
      </span>
      <span className="dim">{file ?? 'No behavior is open'}</span>
      <span className="room" />
      {(workshop === 'guessed' || workshop === 'written') && (
        <Does id="view.layout_robot" title="Robot guess">
          <Bot size={14} aria-hidden />
        </Does>
      )}
      <Does id="run.reset_world" title="Reset world">
        <RotateCcw size={14} aria-hidden />
      </Does>
      <Does id="run.from_start" title="Run from start">
        <Play size={14} aria-hidden />
      </Does>
    </div>
  );
}

function Does({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactNode {
  const one = command(id);
  return (
    <button
      type="button"
      className="button"
      disabled={!one || !isEnabled(one)}
      onClick={() => {
        closeOverlay();
        runCommand(id);
      }}
    >
      {children} {title}
    </button>
  );
}

/** A file in a world: that of its scene, the one that is there, or another. */
function Behaviors({ scenes, may }: { scenes: SceneView[]; may: boolean }): ReactNode {
  const folder = useDoc((doc) => doc.folder);
  const [wanted, setWanted] = useState('');
  const [world, setWorld] = useState('');
  const worlds = [...new Set(scenes.map((scene) => scene.world))].sort();
  const words = wanted.toLowerCase();
  const files = folder.filter((entry) => !entry.skill && entry.file.toLowerCase().includes(words));
  const offered = scenes.filter((scene) => `${scene.title} ${scene.summary} ${scene.world}`.toLowerCase().includes(words));
  return (
    <>
      <div className="row">
        <input type="search" placeholder="Search" aria-label="Search behaviors" value={wanted} onChange={(event) => setWanted(event.target.value)} />
        {worlds.length > 0 && (
          <select aria-label="World for a behavior of the folder" value={world} onChange={(event) => setWorld(event.target.value)}>
            <option value="">In the world that is there</option>
            {worlds.map((one) => (
              <option key={one} value={one}>
                In {one}
              </option>
            ))}
          </select>
        )}
      </div>
      <ul className="start-list">
        {offered.map((scene) => (
          <li key={scene.title}>
            <button
              type="button"
              disabled={!may}
              onClick={() => {
                closeOverlay();
                openScene(scene);
              }}
            >
              <strong>{scene.title}</strong>
              <span className="dim">{scene.world}</span>
              <span>{scene.summary}</span>
            </button>
          </li>
        ))}
        {files.map(({ file }) => (
          <li key={file}>
            <button
              type="button"
              disabled={!may}
              onClick={() => {
                closeOverlay();
                leaveFor({ ask: 'open', file, ...(world ? { world } : {}) });
              }}
            >
              <strong>{file}</strong>
            </button>
          </li>
        ))}
      </ul>
      {offered.length + files.length === 0 && <p className="dim">Nothing of that name.</p>}
    </>
  );
}

function Recent(): ReactNode {
  const entries = useRecordings((list) => list.entries);
  const refused = useRecordings((list) => list.refused);
  return (
    <>
      <h3>
        <History size={14} aria-hidden /> Recent runs
      </h3>
      <ul className="start-list">
        {entries.slice(0, MOST_RUNS).map((entry) => (
          <li key={entry.name}>
            <button
              type="button"
              onClick={() => {
                closeOverlay();
                void lookAt(entry.name);
              }}
            >
              <strong>{entry.behavior}</strong>
              <span className={`verdict ${entry.result ?? ''}`}>{resultText(entry)}</span>
              <span className="dim">
                {new Date(entry.began_unix_ms).toLocaleString()}, {durationText(entry.duration_s)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className="dim">{refused ?? 'None yet.'}</p>}
    </>
  );
}

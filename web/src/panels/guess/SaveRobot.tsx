import { Save } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { RobotGuessView } from '../../api/types';
import { isAtRest } from '../../commands/run';
import { ask } from '../../state/actions';
import { useReached } from '../../state/contact';
import { useGuess, writeRobot, type Written } from '../../state/guess';
import { useRun } from '../../state/run';

/** Writes the robot's file beside its URDF, and begins anew with it. */
export function SaveRobot({ view }: { view: RobotGuessView }): ReactNode {
  const busy = useGuess((state) => state.busy);
  const [file, setFile] = useState(view.file);
  const [done, setDone] = useState<Written | null>(null);
  // What was written is that of before.
  useEffect(() => setDone(null), [view]);
  const write = async (overwrite: boolean): Promise<void> => setDone(await writeRobot(view.corrections, file, overwrite));
  return (
    <form
      className="guess-save"
      aria-label="Save the robot"
      onSubmit={(event) => {
        event.preventDefault();
        void write(false);
      }}
    >
      <p className="dim">Beside {view.urdf}</p>
      <div className="row wrap">
        <input aria-label="File of the robot" value={file} onChange={(event) => setFile(event.target.value)} spellCheck={false} />
        <button type="submit" className="button main" disabled={busy}>
          <Save size={14} aria-hidden /> Save
        </button>
        {done?.is === 'there' && (
          <button type="button" className="button" onClick={() => void write(true)}>
            Write over it
          </button>
        )}
      </div>
      {done?.is === 'written' ? <Begin written={done} /> : done && <p className={done.is === 'there' ? 'warn' : 'bad'}>{done.text}</p>}
    </form>
  );
}

function Begin({ written: { file, path } }: { written: { file: string; path: string } }): ReactNode {
  const rests = useRun((state) => isAtRest(state.view.mode));
  const reached = useReached();
  const [begins, setBegins] = useState(false);
  const begin = async (): Promise<void> => {
    setBegins(true);
    if ((await ask({ ask: 'use_robot', file })) === null) setBegins(false);
  };
  return (
    <div role="status">
      <p className="good">Written to {path}.</p>
      <p>
        From now on: <code>coact demo --robot {path}</code>
      </p>
      <button
        type="button"
        className="button"
        disabled={!rests || !reached || begins}
        title={rests ? 'All of this demo begins anew with the robot of this file' : 'Stop the robot first'}
        onClick={() => void begin()}
      >
        {begins ? 'Beginning anew…' : 'Begin anew with it'}
      </button>
    </div>
  );
}

import { FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import type { FileEntry } from '../../api/types';
import { refreshFolder } from '../../commands/file';
import { jsonName, leaveFor } from '../../shell/dialogs';
import { closeOverlay, Sheet } from '../../shell/Sheet';
import { useDoc } from '../../state/document';
import { change, type Change } from './change';

/** What is asked before it is done. */
type Asking = { of: string; to: 'rename' } | { of: string; to: 'delete' } | { of: null; to: 'folder' };

export function OpenDialog(): ReactNode {
  const folder = useDoc((doc) => doc.folder);
  const folders = useDoc((doc) => doc.folders);
  const [wanted, setWanted] = useState('');
  const [asking, setAsking] = useState<Asking | null>(null);
  useEffect(() => void refreshFolder(), []);
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted.toLowerCase());
  const empty = folders.filter(
    (name) => fits(name) && !folder.some((entry) => entry.file.startsWith(`${name}/`)) && !folders.some((other) => other.startsWith(`${name}/`)),
  );
  return (
    <Sheet title="Open behavior" wide>
      <h2>Open behavior</h2>
      <div className="row">
        <input type="search" placeholder="Search" aria-label="Search files" value={wanted} onChange={(event) => setWanted(event.target.value)} />
        <button type="button" className="button" onClick={() => setAsking({ of: null, to: 'folder' })}>
          <FolderPlus size={14} aria-hidden /> New folder…
        </button>
      </div>
      {asking?.to === 'folder' && (
        <Name label="Name of the folder" first="" done="Make folder" give={(to) => ({ ask: 'new_folder', folder: to })} ended={() => setAsking(null)} />
      )}
      <ul className="files managed">
        {folder
          .filter(({ file }) => fits(file))
          .map((entry) => (
            <Entry key={entry.file} entry={entry} asking={asking?.of === entry.file ? asking : null} setAsking={setAsking} />
          ))}
        {empty.map((name) => (
          <li key={name} className="dim">
            {name}/ <span className="tag">empty folder</span>
          </li>
        ))}
      </ul>
      <p className="dim">To open one the robot must have stopped.</p>
    </Sheet>
  );
}

function Entry({
  entry: { file, skill },
  asking,
  setAsking,
}: {
  entry: FileEntry;
  asking: Asking | null;
  setAsking: (asking: Asking | null | ((now: Asking | null) => Asking | null)) => void;
}): ReactNode {
  // Something else may be asked by the time this is done.
  const ended = (): void => setAsking((now) => (now === asking ? null : now));
  return (
    <li>
      <div className="row">
        <button
          type="button"
          className="file"
          onClick={() => {
            closeOverlay();
            leaveFor({ ask: 'open', file });
          }}
        >
          {file}
          {skill && <span className="tag">skill</span>}
        </button>
        <button type="button" className="icon" aria-label={`Rename ${file}`} title="Rename or move" onClick={() => setAsking({ of: file, to: 'rename' })}>
          <Pencil size={13} />
        </button>
        <button type="button" className="icon" aria-label={`Delete ${file}`} title="Delete" onClick={() => setAsking({ of: file, to: 'delete' })}>
          <Trash2 size={13} />
        </button>
      </div>
      {asking?.to === 'rename' && (
        <Name
          label={`New name of ${file}`}
          first={file}
          done="Rename"
          sure="Rename it there, too"
          give={(to) => ({ ask: 'rename_file', file, to: jsonName(to) })}
          ended={ended}
        />
      )}
      {asking?.to === 'delete' && <Sure file={file} ended={ended} />}
    </li>
  );
}

interface NameProps {
  label: string;
  first: string;
  done: string;
  /** What doing it all the same is called, where others use it. */
  sure?: string;
  give: (name: string) => Change;
  ended: () => void;
}

function Name({ label, first, done, sure = done, give, ended }: NameProps): ReactNode {
  const [name, setName] = useState(first);
  const [inUse, setInUse] = useState<string | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const refused = await change(give(name.trim()), inUse !== null);
    if (refused === null) ended();
    else setInUse(refused);
  };
  return (
    <form className="asked" onSubmit={(event) => void submit(event)}>
      <label className="stacked">
        {label}
        <input autoFocus value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      {inUse && <p role="alert">{inUse}</p>}
      <div className="row end">
        <button type="button" className="button" onClick={ended}>
          Cancel
        </button>
        <button type="submit" className="button main" disabled={name.trim() === '' || name === first}>
          {inUse ? sure : done}
        </button>
      </div>
    </form>
  );
}

function Sure({ file, ended }: { file: string; ended: () => void }): ReactNode {
  const [inUse, setInUse] = useState<string | null>(null);
  const go = async (): Promise<void> => {
    const refused = await change({ ask: 'delete_file', file }, inUse !== null);
    if (refused === null) ended();
    else setInUse(refused);
  };
  return (
    <div className="asked">
      <p role={inUse ? 'alert' : undefined}>{inUse ?? `${file} goes. What it was stays in the folder as ${file}~.`}</p>
      <div className="row end">
        <button type="button" className="button" onClick={ended}>
          Keep it
        </button>
        <button type="button" className="button danger" onClick={() => void go()}>
          {inUse ? 'Delete all the same' : 'Delete'}
        </button>
      </div>
    </div>
  );
}

import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import type { HistoryEntry } from '../api/types';
import { ask, edit, editAndSelect, save, selectedInstance, selectedNodes, takeFreeControl } from '../state/actions';
import { holdsChildren } from '../panels/settings/schema';
import { nameOf, useDoc } from '../state/document';
import { useFrames } from '../state/frames';
import { keepName, keepTeamRole, ownName, ownTeamRole } from '../state/self';
import { useUi, type Leaving } from '../state/ui';
import { useWorld } from '../state/world';
import { closeOverlay, Sheet } from './Sheet';

interface FormProps {
  title: string;
  label: string;
  first?: string;
  long?: boolean;
  hint?: string;
  done: string;
  list?: string[];
  submit: (text: string) => void;
}

/** One text, one button. */
export function Ask({ title, label, first = '', long, hint, done, list, submit }: FormProps): ReactNode {
  const [text, setText] = useState(first);
  const give = (event: FormEvent): void => {
    event.preventDefault();
    closeOverlay();
    submit(text);
  };
  return (
    <Sheet title={title}>
      <form onSubmit={give}>
        <h2>{title}</h2>
        <label className="stacked">
          {label}
          {long ? (
            <textarea rows={8} value={text} onChange={(event) => setText(event.target.value)} />
          ) : (
            <input value={text} list={list ? 'ask-list' : undefined} onChange={(event) => setText(event.target.value)} />
          )}
        </label>
        {list && (
          <datalist id="ask-list">
            {list.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
        {hint && <p className="dim">{hint}</p>}
        <div className="row end">
          <button type="button" className="button" onClick={closeOverlay}>
            Cancel
          </button>
          <button type="submit" className="button main" disabled={!long && text.trim() === ''}>
            {done}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

export const jsonName = (text: string): string => (text.trim().endsWith('.json') ? text.trim() : `${text.trim()}.json`);

export function NewDialog(): ReactNode {
  return (
    <Ask
      title="New behavior"
      label="File name"
      done="Create"
      hint="An empty behavior. It is written to the operator's folder when you save."
      submit={(text) => leaveFor({ ask: 'new', file: jsonName(text) })}
    />
  );
}

export function NotesDialog(): ReactNode {
  const node = selectedNodes()[0] ?? '';
  const notes = useDoc((doc) => doc.nodes.get(node)?.notes ?? '');
  const name = useDoc((doc) => nameOf(doc, node));
  return <Ask title={`Notes of ${name}`} label="Notes" first={notes} long done="Keep" submit={(text) => void edit({ do: 'notes', node, notes: text })} />;
}

export function NameDialog(): ReactNode {
  const [name, setName] = useState(ownName() ?? '');
  const [role, setRole] = useState(ownTeamRole() ?? '');
  const keep = (event: FormEvent): void => {
    event.preventDefault();
    keepName(name.trim());
    keepTeamRole(role.trim());
    const here = new URL(location.href);
    here.searchParams.delete('name');
    location.replace(here);
  };
  return (
    <Sheet title="Who you are here">
      <form onSubmit={keep}>
        <h2>Who you are here</h2>
        <label className="stacked">
          Your name
          <input maxLength={40} value={name} autoComplete="name" onChange={(event) => setName(event.target.value)} />
        </label>
        <label className="stacked">
          Your role in the team
          <input maxLength={40} value={role} placeholder="none" onChange={(event) => setRole(event.target.value)} />
        </label>
        <p className="dim">
          Others at this robot see both, and the log says who did what. A behavior may ask a role, such as auxiliary. The page is loaded anew; who has run
          control under another name gives it up.
        </p>
        <div className="row end">
          <button type="button" className="button" onClick={closeOverlay}>
            Cancel
          </button>
          <button type="submit" className="button main" disabled={name.trim() === ''}>
            Keep
          </button>
        </div>
      </form>
    </Sheet>
  );
}

export function ExtractDialog(): ReactNode {
  const node = selectedNodes()[0] ?? '';
  const name = useDoc((doc) => nameOf(doc, node));
  return (
    <Ask
      title={`Make a skill of ${name}`}
      label="File name"
      first={`${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`}
      done="Make skill"
      hint="The steps move to a file of their own; here stays a use of it."
      submit={(text) => void edit({ do: 'extract', node, file: jsonName(text) })}
    />
  );
}

export function FrameDialog(): ReactNode {
  const nodes = selectedNodes();
  const frames = useFrames();
  return (
    <Ask
      title="Give the goal in another frame"
      label="Frame"
      list={frames}
      done="Change"
      hint="The goal stays where it is in the world."
      submit={(frame) => void edit({ do: 'change_frame', nodes, frame: frame.trim() })}
    />
  );
}

export function WrapDialog(): ReactNode {
  const types = useWorld((world) => world.nodeTypes);
  const kinds = [...types.values()].filter(holdsChildren);
  const nodes = selectedNodes();
  const uses = selectedInstance()?.uses ?? [];
  return (
    <Sheet title="Put into">
      <h2>Put into</h2>
      <ul className="files">
        {kinds.map((type) => (
          <li key={type.name}>
            <button
              type="button"
              onClick={() => {
                closeOverlay();
                void editAndSelect({ do: 'wrap', nodes, kind: type.name }, uses);
              }}
            >
              {type.name} <span className="dim">{type.summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

export function HistoryDialog(): ReactNode {
  const [entries, setEntries] = useState<HistoryEntry[] | null>(null);
  useEffect(() => {
    void ask({ ask: 'history', most: 200 }).then((answer) => {
      if (answer?.is === 'history') setEntries(answer.entries);
    });
  }, []);
  return (
    <Sheet title="Who changed what" wide>
      <h2>Who changed what</h2>
      <table className="plain">
        <tbody>
          {(entries ?? []).map((entry, index) => (
            <tr key={index}>
              <td className="dim">{new Date(entry.when_ms).toLocaleTimeString()}</td>
              <td>{entry.who}</td>
              <td>{entry.what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {entries?.length === 0 && <p className="dim">Nothing yet.</p>}
      <div className="row end">
        <button type="button" className="button" onClick={closeOverlay}>
          Close
        </button>
      </div>
    </Sheet>
  );
}

export function OverwriteDialog({ text }: { text: string }): ReactNode {
  return (
    <Sheet title="Changed on disk">
      <h2>Changed on disk</h2>
      <p>{text}</p>
      <div className="row end">
        <button type="button" className="button" onClick={closeOverlay}>
          Cancel
        </button>
        <button
          type="button"
          className="button danger"
          onClick={() => {
            closeOverlay();
            void save(true);
          }}
        >
          Save over it
        </button>
      </div>
    </Sheet>
  );
}

/** To another behavior; asks first when this one has changes that would be gone. */
export function leaveFor(then: Leaving): void {
  if (useDoc.getState().files.some((file) => file.unsaved)) useUi.setState({ overlay: { is: 'discard', then } });
  else void leave(then, false);
}

async function leave(then: Leaving, discard: boolean): Promise<void> {
  await takeFreeControl();
  await ask({ ...then, discard });
}

export function DiscardDialog({ then }: { then: Leaving }): ReactNode {
  const go = (discard: boolean): void => {
    closeOverlay();
    void (discard ? Promise.resolve() : save()).then(() => leave(then, discard));
  };
  return (
    <Sheet title="Changes are not saved">
      <h2>Changes are not saved</h2>
      <p>The open behavior has changes that are not saved yet.</p>
      <div className="row end">
        <button type="button" className="button" onClick={closeOverlay}>
          Cancel
        </button>
        <button type="button" className="button danger" onClick={() => go(true)}>
          Discard them
        </button>
        <button type="button" className="button main" onClick={() => go(false)}>
          Save and go on
        </button>
      </div>
    </Sheet>
  );
}

import { Bookmark, Pin, RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { RecordingEntry } from '../../api/types';
import { showPanel, switchLayout } from '../../shell/layouts';
import { bytesText } from '../../shell/traffic';
import { durationText, resultText } from '../../state/recorded';
import { refreshRecordings, searchRecordings, useRecordings } from '../../state/recordings';
import { compareWith, keep, openRecording } from '../../state/review';
import { useReviewing } from '../../state/reviewing';
import { useRun } from '../../state/run';
import { useWorld } from '../../state/world';
import { shownRuns, type Sort, type Which } from './filter';

const SEARCH_AFTER_MS = 200;
const AGAIN_MS = 2000;
/** More rows than anybody reads; the search finds the rest. */
const MOST_ROWS = 300;

const WHICH: [Which, string][] = [
  ['ran', 'Runs'],
  ['all', 'All'],
  ['failed', 'Failed'],
  ['kept', 'Kept'],
  ['marked', 'Marked'],
];
const COLUMNS: [Sort, string][] = [
  ['began', 'When'],
  ['behavior', 'Behavior'],
  ['result', 'Result'],
  ['duration', 'Took'],
  ['who', 'Who'],
  ['robot', 'Robot, world'],
];

export async function lookAt(name: string): Promise<void> {
  switchLayout('Review');
  await openRecording(name);
  showPanel('timeline');
}

/** Every run that was recorded, to be looked at, kept and compared. */
export function RunsPanel(): ReactNode {
  const { entries, folder, bytes, mostBytes, search, refused, known } = useRecordings();
  const [which, setWhich] = useState<Which>('ran');
  const [sort, setSort] = useState<{ by: Sort; down: boolean }>({ by: 'began', down: true });
  const [wanted, setWanted] = useState(search);
  const socket = useWorld((world) => world.socket);
  const box = useRef<HTMLDivElement>(null);
  useKeptUp(socket === 'open', box);
  useEffect(() => {
    if (wanted === useRecordings.getState().search) return;
    const timer = setTimeout(() => void searchRecordings(wanted), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const shown = shownRuns(entries, which, sort);
  return (
    <>
      <div className="log-tools">
        <div className="levels" role="group" aria-label="Which runs">
          {WHICH.map(([id, title]) => (
            <button key={id} type="button" aria-pressed={which === id} onClick={() => setWhich(id)}>
              {title}
            </button>
          ))}
        </div>
        <span className="dim" title={folder}>
          {entries.length} {entries.length === 1 ? 'recording' : 'recordings'}, {bytesText(bytes)}
          {mostBytes > 0 && ` of ${bytesText(mostBytes)}`}
        </span>
        <button type="button" className="icon" aria-label="Look for recordings again" onClick={refreshRecordings}>
          <RefreshCw size={13} />
        </button>
        <input type="search" placeholder="Search" aria-label="Search recorded runs" value={wanted} onChange={(event) => setWanted(event.target.value)} />
      </div>
      <div ref={box} className="scroll" tabIndex={0} role="region" aria-label="Recorded runs">
        {refused !== null && (
          <p className="dim pad" role="status">
            There is no list of recordings: {refused}
          </p>
        )}
        {shown.length > 0 && (
          <table className="plain runs">
            <thead>
              <tr>
                {COLUMNS.map(([by, title]) => (
                  <th key={by} scope="col" aria-sort={sort.by === by ? (sort.down ? 'descending' : 'ascending') : 'none'}>
                    <button type="button" className="link" onClick={() => setSort({ by, down: sort.by === by ? !sort.down : by === 'began' })}>
                      {title}
                      {sort.by === by && (sort.down ? ' ↓' : ' ↑')}
                    </button>
                  </th>
                ))}
                <th scope="col">
                  <span className="dim">Size</span>
                </th>
                <th aria-label="What can be done" />
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, MOST_ROWS).map((entry) => (
                <Row key={entry.name} entry={entry} />
              ))}
            </tbody>
          </table>
        )}
        {shown.length > MOST_ROWS && <p className="dim pad">{shown.length - MOST_ROWS} more: search for them.</p>}
        {known && refused === null && shown.length === 0 && (
          <p className="dim pad">{search || entries.length > 0 ? 'No recording is like that.' : 'Each run is recorded by itself; none is there yet.'}</p>
        )}
      </div>
    </>
  );
}

/** A run that began or ended is in the list. */
function useKeptUp(open: boolean, seen: RefObject<HTMLElement | null>): void {
  const runs = useRun((state) => state.view.runs);
  const ended = useRun((state) => state.view.ended !== null);
  const recorded = useReviewing((state) => state.on !== null);
  useEffect(() => {
    if (open && !recorded) refreshRecordings();
  }, [open, runs, ended, recorded]);
  // What is being recorded comes into its file a little after it happened.
  const live = useRecordings((list) => list.entries.some((entry) => entry.live));
  useEffect(() => {
    if (!open || !live) return;
    const timer = setInterval(() => seen.current?.offsetParent && refreshRecordings(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [open, live, seen]);
}

function Row({ entry }: { entry: RecordingEntry }): ReactNode {
  const reviewed = useReviewing((state) => state.on?.entry.name);
  const isOpen = reviewed === entry.name;
  const { result } = entry;
  const began = new Date(entry.began_unix_ms);
  const pressed = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    const { nextElementSibling: next, previousElementSibling: before } = event.currentTarget;
    const to = event.key === 'ArrowDown' ? next : event.key === 'ArrowUp' ? before : null;
    if (event.key === 'Enter') void lookAt(entry.name);
    if (to instanceof HTMLElement) {
      event.preventDefault();
      to.focus();
    }
  };
  return (
    <tr
      className={isOpen ? 'selected' : ''}
      tabIndex={0}
      aria-label={`${entry.behavior}, ${resultText(entry)}, ${began.toLocaleString()}`}
      onDoubleClick={() => void lookAt(entry.name)}
      onKeyDown={pressed}
    >
      <td title={entry.name} className="when">
        {began.toLocaleDateString()} {began.toLocaleTimeString()}
      </td>
      <th scope="row">{entry.behavior}</th>
      <td>
        <span className={`verdict ${result ?? ''}`}>{resultText(entry)}</span>
        {entry.live && <span className="tag">live</span>}
        {entry.runs.length > 1 && <span className="dim"> {entry.runs.length} runs</span>}
        {entry.reason && (
          <span className="dim reason" title={entry.reason}>
            {entry.reason}
          </span>
        )}
      </td>
      <td className="mono">{durationText(entry.duration_s)}</td>
      <td>{entry.who.join(', ')}</td>
      <td>{[entry.robot, entry.world].filter(Boolean).join(', ')}</td>
      <td className="mono dim">{bytesText(entry.bytes)}</td>
      <td className="does">
        {entry.marks > 0 && (
          <span title={`${entry.marks} marks`}>
            <Bookmark size={12} aria-hidden /> {entry.marks}
          </span>
        )}
        <button
          type="button"
          className="icon"
          aria-pressed={entry.kept}
          aria-label={`Keep ${entry.behavior} of ${began.toLocaleString()}`}
          title={entry.kept ? 'Kept: the budget does not take it' : 'Keep: the budget does not take it'}
          onClick={() => void keep(entry.name, !entry.kept)}
        >
          <Pin size={13} fill={entry.kept ? 'currentColor' : 'none'} />
        </button>
        {reviewed !== undefined && !isOpen && (
          <button type="button" className="button" onClick={() => void compareWith(entry.name)}>
            Compare
          </button>
        )}
        <button type="button" className="button" disabled={isOpen} onClick={() => void lookAt(entry.name)}>
          Review
        </button>
      </td>
    </tr>
  );
}

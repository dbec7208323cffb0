import { useState, type FormEvent, type ReactNode } from 'react';
import { closeOverlay, Sheet } from '../../shell/Sheet';
import { durationText, resultText } from '../../state/recorded';
import { useRecordings } from '../../state/recordings';
import { compareWith, mark } from '../../state/review';
import { useReviewing } from '../../state/reviewing';
import { sinceStart, useStory } from '../../state/run';

/** A note that stays in the file. */
export function MarkDialog({ atS }: { atS: number }): ReactNode {
  const marks = useReviewing((review) => review.on?.marks);
  const near = marks?.filter((one) => Math.abs(one.at_s - atS) < 1e-6);
  const originS = useStory((story) => story.originS);
  const [text, setText] = useState('');
  const give = (event: FormEvent): void => {
    event.preventDefault();
    closeOverlay();
    void mark(text.trim(), atS);
  };
  return (
    <Sheet title="Mark this moment">
      <form onSubmit={give}>
        <h2>Mark {sinceStart(atS, originS)} s</h2>
        <label className="stacked">
          What is to be seen here
          <input maxLength={400} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <p className="dim">It stays in the recording, with your name.</p>
        {near?.map((one) => (
          <p key={`${one.by} ${one.text}`}>
            {one.by}: {one.text}
          </p>
        ))}
        <div className="row end">
          {near !== undefined && near.length > 0 && (
            <button
              type="button"
              className="button danger"
              onClick={() => {
                closeOverlay();
                void mark('', atS);
              }}
            >
              Take the marks of this moment away
            </button>
          )}
          <button type="button" className="button" onClick={closeOverlay}>
            Cancel
          </button>
          <button type="submit" className="button main" disabled={text.trim() === ''}>
            Mark
          </button>
        </div>
      </form>
    </Sheet>
  );
}

export function CompareDialog(): ReactNode {
  const own = useReviewing((review) => review.on?.entry);
  const entries = useRecordings((list) => list.entries);
  const others = entries.filter((entry) => entry.name !== own?.name && entry.runs.length > 0);
  // Of the same behavior first: those are what one compares.
  const sorted = [...others.filter((entry) => entry.behavior === own?.behavior), ...others.filter((entry) => entry.behavior !== own?.behavior)];
  return (
    <Sheet title="Compare with another run" wide>
      <h2>Compare with</h2>
      <ul className="files">
        {sorted.map((entry) => (
          <li key={entry.name}>
            <button
              type="button"
              onClick={() => {
                closeOverlay();
                void compareWith(entry.name);
              }}
            >
              {entry.behavior} <span className={`verdict ${entry.result ?? ''}`}>{resultText(entry)}</span>{' '}
              <span className="dim">
                {new Date(entry.began_unix_ms).toLocaleString()}, {durationText(entry.duration_s)}
                {entry.who.length > 0 && `, ${entry.who.join(', ')}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {sorted.length === 0 && <p className="dim">There is no other recording in the list of runs.</p>}
    </Sheet>
  );
}

import { useState, type FormEvent, type ReactNode } from 'react';
import { keepName, ownName } from '../state/self';

/** Asked once: the others see it, and the log says it. */
export function WhoAreYou({ done }: { done: () => void }): ReactNode {
  const [name, setName] = useState(ownName() ?? '');
  const given = (event: FormEvent): void => {
    event.preventDefault();
    if (!name.trim()) return;
    keepName(name.trim());
    done();
  };
  return (
    <div className="backdrop">
      <div className="sheet" role="dialog" aria-label="Who are you?" data-overlay>
        <form onSubmit={given}>
          <h2>Who are you?</h2>
          <label className="stacked">
            Your name
            <input autoFocus maxLength={40} value={name} autoComplete="name" onChange={(event) => setName(event.target.value)} />
          </label>
          <p className="dim">Others at this robot see it, and the log says who did what. It is kept in this browser.</p>
          <div className="row end">
            <button type="submit" className="button main" disabled={name.trim() === ''}>
              Go on
            </button>
          </div>
        </form>
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import { giveTo, putAsideAsking, useAsking } from '../state/control';
import { holdsControl, useWorld } from '../state/world';

/** To whoever has run control: somebody else asks for it. */
export function ControlAsked(): ReactNode {
  const mine = useWorld(holdsControl);
  const people = useWorld((world) => world.people);
  const aside = useAsking((asking) => asking.aside);
  const asking = people.filter((person) => person.wants_control && !person.me && !aside.has(person.session));
  if (!mine || asking.length === 0) return null;
  return (
    <div className="control-asked" role="alertdialog" aria-label="Run control is asked for">
      {asking.map((person) => (
        <section key={person.session} className="card">
          <p>
            <strong>{person.name}</strong> asks for run control.
          </p>
          <div className="row">
            <button type="button" className="button main" onClick={() => void giveTo(person)}>
              Give it to {person.name}
            </button>
            <button type="button" className="button" onClick={() => putAsideAsking(person.session)}>
              Not now
            </button>
          </div>
        </section>
      ))}
    </div>
  );
}

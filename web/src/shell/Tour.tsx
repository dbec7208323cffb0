import type { ReactNode } from 'react';
import { useUi } from '../state/ui';

interface Stop {
  title: string;
  text: string;
  /** What it is about, outlined while it is shown. */
  at: string;
}

const STOPS: Stop[] = [
  { title: 'The robot', text: 'This is the robot as it is now, and what it sees. Drag to look from elsewhere, scroll to come closer. Goals of the selected step are shown here and can be dragged.', at: '[data-panel=view]' },
  { title: 'The tree', text: 'A behavior is a tree of steps, run from top to bottom. Click a step to see its settings. Right-click for what can be done with it. Press A to add one by typing.', at: '[data-panel=tree]' },
  { title: 'Run it', text: 'Press Automatic now: the behavior runs, and the tour stays here. Step runs only what is next. The arrow at the left of the tree marks what is next; click beside a step to move it. What runs, and why the next step waits, stands above the tree.', at: '.runbar' },
  { title: 'Stop', text: 'Always here, whatever is open, for everybody: also Ctrl+. at any time.', at: '.stop' },
  { title: 'Make your own', text: 'Select a step, press A and type what comes next: wave, walk, wait. It can be tried at once with Step. Ctrl+K finds every command. F1 lists keys and mouse. Ctrl+Z takes back whatever you did to the tree.', at: '.find' },
];

export function Tour(): ReactNode {
  const tour = useUi((ui) => ui.tour);
  const stop = tour === null ? undefined : STOPS[tour];
  if (tour === null || !stop) return null;
  const last = tour === STOPS.length - 1;
  const end = (): void => useUi.setState({ tour: null });
  return (
    <>
      <style>{`${stop.at} { outline: 2px solid var(--accent); outline-offset: -2px; }`}</style>
      <aside className="tour" aria-label="Guided tour">
        <h2>{stop.title}</h2>
        <p>{stop.text}</p>
        <div className="row end">
          <span className="dim">
            {tour + 1} of {STOPS.length}
          </span>
          <span className="room" />
          {!last && (
            <button type="button" className="button" onClick={end}>
              Skip
            </button>
          )}
          <button type="button" className="button main" onClick={() => (last ? end() : useUi.setState({ tour: tour + 1 }))}>
            {last ? 'Done' : 'Go on'}
          </button>
        </div>
      </aside>
    </>
  );
}

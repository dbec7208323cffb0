import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { onCancel } from '../commands/keys';
import { useDoc } from '../state/document';
import { useRun } from '../state/run';
import { useUi } from '../state/ui';
import { placeBeside, type Beside, type Box } from './beside';

interface Stop {
  title: string;
  text: string;
  /** What it is about: outlined while it is shown, and pointed at. */
  at: string;
  /** Goes on by itself when this has come true. */
  until?: 'runs' | 'edited';
}

const STOPS: Stop[] = [
  {
    title: 'The robot',
    text: 'This is the robot as it is now, and what it sees. Drag to look from elsewhere, scroll to come closer. Goals of the selected step are shown here and can be dragged.',
    at: '[data-panel=view]',
  },
  {
    title: 'The tree',
    text: 'A behavior is a tree of steps, run from top to bottom. Click a step to see its settings. Right-click for what can be done with it. The arrow at the left marks what is next; click beside a step to move it.',
    at: '[data-panel=tree]',
  },
  {
    title: 'Run it',
    text: 'Press Run from start now, and the tour goes on. Automatic goes on from next, Step runs only what is next.',
    at: '.run-button[title^="Run from the start"]',
    until: 'runs',
  },
  {
    title: 'What runs',
    text: 'Each step is a bar. Bars below each other run at once: arms, spine and legs. A click beside the bars shows the robot as it was then.',
    at: '[data-panel=timeline]',
  },
  { title: 'Stop', text: 'Always here, whatever is open, for everybody: also Ctrl+. at any time.', at: '.stop' },
  {
    title: 'Change it while it runs',
    text: 'Select the last step of the tree, press Add, type wave, Enter. The robot does it when it comes there. Ctrl+Z takes it back.',
    at: '.tree-tools',
    until: 'edited',
  },
];

const DONE = {
  title: 'That was an edit of a behavior that is open on the robot',
  text: 'Whatever you change counts at once, also while it runs. Ctrl+Z takes back what you did. Ctrl+K finds every command, F1 lists keys and mouse.',
  at: '[data-panel=tree]',
};

const end = (): void => useUi.setState({ tour: null });

/** Where it stands, and the card beside it, also when panels are moved. */
function useBeside(at: string, card: React.RefObject<HTMLElement | null>): Beside | null {
  const [beside, setBeside] = useState<Beside | null>(null);
  useLayoutEffect(() => {
    const look = (): void => {
      const target = document.querySelector(at)?.getBoundingClientRect();
      const own = card.current?.getBoundingClientRect();
      const free: Box = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight - STATUS_PX };
      setBeside(target && own ? placeBeside(target, { width: own.width, height: own.height }, free) : null);
    };
    look();
    const timer = setInterval(look, 300);
    window.addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('resize', look);
    };
  }, [at]);
  return beside;
}

const STATUS_PX = 40;

/** What the person was asked to do has been done. */
function useDone(until: Stop['until']): boolean {
  const runs = useRun((state) => state.view.running.length > 0);
  const version = useDoc((doc) => doc.version);
  const [from, setFrom] = useState(version);
  useEffect(() => setFrom(version), [until]);
  return until === 'runs' ? runs : until === 'edited' ? version > from : false;
}

export function Tour(): ReactNode {
  const tour = useUi((ui) => ui.tour);
  return tour === null || tour > STOPS.length ? null : <Card number={tour} />;
}

function Card({ number }: { number: number }): ReactNode {
  const card = useRef<HTMLElement>(null);
  const asked = STOPS[number];
  const stop: Stop = asked ?? DONE;
  const last = asked === undefined;
  const beside = useBeside(stop.at, card);
  const done = useDone(stop.until);
  const on = (): void => useUi.setState({ tour: number + 1 });
  useEffect(() => {
    if (done) on();
  }, [done]);
  useEffect(
    () =>
      onCancel(() => {
        end();
        return true;
      }),
    [],
  );
  return (
    <>
      <style>{`${stop.at} { outline: 2px solid var(--accent); outline-offset: -2px; }`}</style>
      <aside ref={card} className={`tour ${beside?.side ?? ''}`} aria-label="Guided tour" style={beside ? { left: beside.left, top: beside.top } : undefined}>
        {beside && <i className="tour-arrow" style={beside.arrow} />}
        <h2>{stop.title}</h2>
        <p>{stop.text}</p>
        <div className="row end">
          <span className="dim">{last ? 'Done' : `${number + 1} of ${STOPS.length}`}</span>
          <span className="room" />
          {!last && (
            <button type="button" className="button" onClick={end}>
              Skip the tour
            </button>
          )}
          <button type="button" className={stop.until ? 'button' : 'button main'} onClick={last ? end : on}>
            {last ? 'Close' : stop.until ? 'Not now' : 'Go on'}
          </button>
        </div>
      </aside>
    </>
  );
}

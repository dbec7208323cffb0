import { OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { runCommand } from '../commands/registry';
import { clockText, useContact } from '../state/contact';
import type { PersonView } from '../api/types';
import { useAsking } from '../state/control';
import { stop, useStopping } from '../state/stopping';
import { isStale, useDoc } from '../state/document';
import { usePreviewing } from '../state/previewing';
import { useReviewing } from '../state/reviewing';
import { useRun } from '../state/run';
import { holdsControl, me, useWorld } from '../state/world';
import { openMenu } from './MenuPopup';
import { bytesText, traffic } from './traffic';

const MODES = {
  stopped: 'Stopped',
  manual: 'Manual',
  automatic: 'Automatic',
  paused: 'Paused',
  stopping: 'Stopping…',
  failed: 'Failed',
};

const QUALITY = { good: 'good', poor: 'poor', down: 'down', not_connected: 'not connected' };

function Link(): ReactNode {
  const socket = useWorld((world) => world.socket);
  const link = useWorld((world) => world.link);
  const stale = useDoc(isStale);
  if (socket === 'outdated') {
    return (
      <button type="button" className="item bad" onClick={() => location.reload()}>
        This page is of another version than the operator process: reload
      </button>
    );
  }
  if (socket !== 'open') {
    return (
      <span className="item bad" role="status">
        Page {socket === 'connecting' ? 'connecting…' : 'lost the operator process'}
      </span>
    );
  }
  const trip = link.round_trip_ms === null ? '' : ` ${Math.round(link.round_trip_ms)} ms`;
  const loss = link.loss > 0.005 ? ` ${Math.round(link.loss * 100)} % lost` : '';
  const old = link.state_age_ms !== null && link.state_age_ms > 500 ? `, state ${(link.state_age_ms / 1000).toFixed(1)} s old` : '';
  const level = link.quality === 'good' ? 'good' : link.quality === 'poor' ? 'warn' : 'bad';
  return (
    <span className={`item ${level}`} role="status" title={`Link between the operator process and the robot\n${traffic(link)}`}>
      <i className="dot" /> Link {QUALITY[link.quality]}
      {trip}
      {loss}
      {old}
      {link.budget_left_bytes !== null && `, ${bytesText(link.budget_left_bytes)} left`}
      {stale && <em>, robot does not have the last edits yet</em>}
    </span>
  );
}

/** Ticks of the robot that took too long. */
function Late(): ReactNode {
  const late = useRun((state) => state.view.late);
  const lost = useContact((contact) => contact.lost);
  if (!late || lost) return null;
  const title = `Ticks that took longer than the time between two: ${late.count}\nthe worst ${late.worst_ms.toFixed(1)} ms\nthe last ${late.last_ms.toFixed(1)} ms, at ${late.last_at_s.toFixed(1)} s`;
  return (
    <span className="item warn late" role="status" title={title}>
      {late.count} late {late.count === 1 ? 'tick' : 'ticks'}, up to {Math.round(late.worst_ms)} ms
    </span>
  );
}

/** What it does now; without contact nobody knows. */
function Mode(): ReactNode {
  const shown = useRun((state) => state.view.mode);
  const known = useRun((state) => state.known);
  const previewed = usePreviewing((state) => state.real?.mode);
  const reviewed = useReviewing((state) => state.real?.mode);
  const mode = reviewed ?? previewed ?? shown;
  const lost = useContact((contact) => contact.lost);
  if (lost) {
    return (
      <span className="item mode unknown" role="status">
        <i className="dot" /> Unknown since {clockText(lost.sinceMs)}
      </span>
    );
  }
  return (
    <span className={`item mode ${known ? mode : 'unknown'}`} role="status">
      <i className="dot" /> {known ? MODES[mode] : 'Not known yet'}
    </span>
  );
}

function Control(): ReactNode {
  const lost = useContact((contact) => contact.lost);
  const asked = useAsking((asking) => asking.wanted);
  const people = useWorld((world) => world.people);
  const mine = useWorld(holdsControl);
  const holder = people.find((person) => person.in_control);
  const elsewhere = holder?.other_window ? 'You have control, in another window' : `${holder?.name} has control`;
  const known = mine ? 'You have control' : holder ? elsewhere : 'Nobody has control';
  const text = lost ? 'Control unknown' : asked ? `${known}: asked` : known;
  return (
    <button
      type="button"
      className={mine && !lost ? 'item good' : 'item'}
      title="Who may run the robot. Stop is everybody's."
      onClick={(event) => {
        const at = event.currentTarget.getBoundingClientRect();
        openMenu(at.left, at.top - 120, ['run.take_control', 'run.ask_control', 'run.ask_control_no_more', 'run.give_control']);
      }}
    >
      {text}
    </button>
  );
}

const named = ({ name, team_role }: PersonView): string => (team_role ? `${name} (${team_role})` : name);

function People(): ReactNode {
  const people = useWorld((world) => world.people);
  const self = useWorld(me);
  const others = people.filter((person) => !person.me);
  return (
    <span className="item people" title={people.map((person) => `${named(person)}, ${person.role}`).join('\n')}>
      <button type="button" className="own-name" title="Who you are here: click to be called something else" onClick={() => runCommand('help.name')}>
        {self ? named(self) : ''}
      </button>
      {others.map((person) => (
        <span key={person.session} className="person" style={{ '--who': colourOf(person.name) } as React.CSSProperties}>
          {person.other_window ? 'you, in another window' : named(person)}
        </span>
      ))}
    </span>
  );
}

/** The same person has the same colour in every list. */
export function colourOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 360;
  return `hsl(${hash} 60% 60%)`;
}

export function StatusBar(): ReactNode {
  const robot = useWorld((world) => world.welcome?.robot ?? world.robot?.name ?? null);
  const simulated = useWorld((world) => world.welcome?.simulated ?? false);
  const undelivered = useStopping((state) => state.undelivered);
  const pending = useWorld((world) => world.link.stop_pending);
  return (
    <footer className="status">
      <span className="item" title="The robot of this station">
        {robot ?? 'No robot'}
        {simulated && <em className="tag">simulated</em>}
      </span>
      <Link />
      <Late />
      <Mode />
      <Control />
      <span className="room" />
      <People />
      <button type="button" className="keys-hint" onClick={() => runCommand('help.shortcuts')}>
        Keys <kbd>F1</kbd>
      </button>
      <button
        type="button"
        className={undelivered ? 'stop undelivered' : pending ? 'stop pending' : 'stop'}
        onClick={() => void stop()}
        title="Stops the robot, whatever it does (Ctrl+.)"
      >
        <OctagonX size={18} aria-hidden /> {undelivered ? 'Stop: NOT DELIVERED' : pending ? 'Stopping…' : 'Stop'} <kbd>Ctrl+.</kbd>
      </button>
    </footer>
  );
}

import { create } from 'zustand';
import { Broken } from '../api/socket';
import { asked } from './actions';
import { useContact } from './contact';
import { token } from './self';
import { notify } from './ui';
import { useWorld } from './world';

/** What became of the last press of Stop; none: it was done, or nobody pressed. */
export interface Undelivered {
  text: string;
  /** Somebody goes on sending it. */
  repeated: boolean;
}

export const useStopping = create<{ undelivered: Undelivered | null }>(() => ({ undelivered: null }));

const AT_ONCE = 'Press the emergency stop at the robot, or have somebody there do it.';
const NOT_REPEATED = `This page does not reach the operator process, and nobody sends the stop on. ${AT_ONCE} When there is contact again, press Stop again.`;
const REPEATED = `The robot does not answer. The stop is sent again and again until the robot has it. ${AT_ONCE}`;

const say = (undelivered: Undelivered | null): void => useStopping.setState({ undelivered });

export const dismissStop = (): void => say(null);

/** Without a socket there is one more way. */
async function stopByPost(): Promise<boolean> {
  const secret = token();
  try {
    const answer = await fetch('./api/v1/stop', {
      method: 'POST',
      headers: secret ? { authorization: `Bearer ${secret}` } : {},
      signal: AbortSignal.timeout(3000),
    });
    return answer.status === 202;
  } catch {
    return false;
  }
}

export async function stop(): Promise<void> {
  const { lost } = useContact.getState();
  if (lost?.of === 'page' || useWorld.getState().socket !== 'open') {
    say({ text: NOT_REPEATED, repeated: false });
    if (await stopByPost()) say({ text: REPEATED, repeated: true });
    return;
  }
  say(lost ? { text: REPEATED, repeated: true } : null);
  try {
    await asked({ ask: 'stop' });
    arrived();
  } catch (error) {
    const broke = error instanceof Broken;
    say({ text: broke ? NOT_REPEATED : REPEATED, repeated: !broke });
  }
}

/** The robot has it, or nobody sends it any more and there is contact. */
export function arrived(): void {
  if (useStopping.getState().undelivered?.repeated) {
    notify('info', 'The robot has the stop now.');
    say(null);
  }
}

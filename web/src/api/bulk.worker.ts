import { CLOUD, PICTURE, readCloud, readPicture } from './binary';
import { VERSION, type Reply } from './types';

// Clouds and pictures have a socket and a thread of their own: on the main one they delay the robot's state.
const post = (message: unknown, transfer: Transferable[]): void =>
  (self as unknown as { postMessage(message: unknown, transfer: Transferable[]): void }).postMessage(message, transfer);

/** Asks on the socket that is open now. */
let askNow: ((what: Record<string, unknown>) => void) | null = null;

/** A narrow link has no room for all of them: there the page asks for one at a time. */
function heard(text: string, looks: Set<number>): void {
  const message = JSON.parse(text) as Reply;
  if (!('reply' in message) || !looks.delete(message.reply)) return;
  post({ looked: 'error' in message ? message.error.text : null }, []);
}

function open(address: string, token: string | null, waitMs: number): void {
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  let nextWaitMs = Math.min(waitMs * 2, 10_000);
  let id = 1;
  const looks = new Set<number>();
  const ask = (what: Record<string, unknown>): void => {
    if (what.ask === 'look') looks.add(id);
    socket.send(JSON.stringify({ id: id++, ...what }));
  };
  socket.onopen = () => {
    ask({ ask: 'hello', version: VERSION, ...(token ? { token } : {}) });
    ask({ ask: 'watch', topics: { clouds: true, pictures: true } });
    askNow = ask;
  };
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string') {
      heard(data, looks);
      return;
    }
    nextWaitMs = 500;
    const kind = new Uint8Array(data, 0, 1)[0];
    if (kind === CLOUD) {
      const cloud = readCloud(data);
      if (cloud) post({ cloud }, [cloud.positions.buffer, cloud.colours.buffer]);
    } else if (kind === PICTURE) {
      const picture = readPicture(data);
      if (picture) post({ picture }, [picture.pixels.buffer]);
    }
    ask({ ask: 'ack' }); // the next one comes when this one has been taken in
  };
  socket.onclose = () => {
    askNow = null;
    setTimeout(() => open(address, token, nextWaitMs), nextWaitMs);
  };
}

type Wanted = { address: string; token: string | null } | { look: 'picture' | 'cloud' };

self.onmessage = ({ data }: MessageEvent<Wanted>) => {
  if ('address' in data) open(data.address, data.token, 500);
  else if (askNow) askNow({ ask: 'look', what: data.look });
  else post({ looked: 'There is no connection to the operator process now.' }, []);
};

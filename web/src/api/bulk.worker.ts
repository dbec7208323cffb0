import { CLOUD, PICTURE, readCloud, readPicture } from './binary';

// Clouds and pictures have a socket and a thread of their own: on the main one they delay the robot's state.
const post = (message: unknown, transfer: Transferable[]): void =>
  (self as unknown as { postMessage(message: unknown, transfer: Transferable[]): void }).postMessage(message, transfer);

function open(address: string, token: string | null, waitMs: number): void {
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  let nextWaitMs = Math.min(waitMs * 2, 10_000);
  let id = 1;
  const ask = (what: Record<string, unknown>): void => socket.send(JSON.stringify({ id: id++, ...what }));
  socket.onopen = () => {
    ask({ ask: 'hello', version: 1, ...(token ? { token } : {}) });
    ask({ ask: 'watch', topics: { clouds: true, pictures: true } });
  };
  socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === 'string') return;
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
  socket.onclose = () => setTimeout(() => open(address, token, nextWaitMs), nextWaitMs);
}

self.onmessage = ({ data }: MessageEvent<{ address: string; token: string | null }>) => open(data.address, data.token, 500);

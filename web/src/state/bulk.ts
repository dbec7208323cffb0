import { cloud, picture, type Cloud, type Picture } from '../api/slots';
import { notify } from './ui';

type FromWorker = { cloud?: Cloud; picture?: Picture; looked?: string | null };

let worker: Worker | null = null;

export function connectBulk(address: string, token: string | null): void {
  worker = new Worker(new URL('../api/bulk.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.cloud) cloud.put(data.cloud);
    if (data.picture) picture.put(data.picture);
    if (data.looked) notify('error', data.looked);
    else if (data.looked === null) notify('info', 'It is on its way, and comes in pieces.');
  };
  worker.postMessage({ address, token });
}

/** One picture or cloud now, over a link that has no room for all of them. */
export function lookOnce(look: 'picture' | 'cloud'): void {
  worker?.postMessage({ look });
}

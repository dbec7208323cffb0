import { cloud, picture, type Cloud, type Picture } from '../api/slots';

export function connectBulk(address: string, token: string | null): void {
  const worker = new Worker(new URL('../api/bulk.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<{ cloud?: Cloud; picture?: Picture }>) => {
    if (data.cloud) cloud.put(data.cloud);
    if (data.picture) picture.put(data.picture);
  };
  worker.postMessage({ address, token });
}

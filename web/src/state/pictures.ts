import { readCloud } from '../api/binary';
import { cloud, picture } from '../api/slots';
import type { CloudView, MomentView, PictureView } from '../api/types';
import { askQuietly } from './actions';
import { useReviewing } from './reviewing';

const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;

/** As pixels, as live pictures come. */
async function decode({ camera, at_s, jpeg_base64 }: PictureView): Promise<void> {
  const bitmap = await createImageBitmap(new Blob([bytesOf(jpeg_base64)], { type: 'image/jpeg' }));
  const { width, height } = bitmap;
  const drawing = new OffscreenCanvas(width, height).getContext('2d');
  drawing?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const pixels = drawing?.getImageData(0, 0, width, height).data;
  if (pixels && picture.isRecorded) picture.show({ timeS: at_s, camera, width, height, pixels: pixels as Uint8ClampedArray<ArrayBuffer> });
}

function showCloud({ at_s, points_base64 }: CloudView): void {
  const points = readCloud(bytesOf(points_base64));
  if (points && cloud.isRecorded) cloud.show({ ...points, timeS: at_s });
}

/** One at a time; the newest that is wanted meanwhile is asked next. */
class Newest {
  private wanted: { key: string; ask: () => Promise<void> } | null = null;
  private shown = '';
  private asking = false;

  want(key: string, ask: () => Promise<void>): void {
    if (key === this.shown && !this.asking) return;
    this.wanted = { key, ask };
    if (!this.asking) void this.go();
  }

  forget(): void {
    this.wanted = null;
    this.shown = '';
  }

  private async go(): Promise<void> {
    this.asking = true;
    while (this.wanted) {
      const { key, ask } = this.wanted;
      this.wanted = null;
      if (key === this.shown) continue;
      this.shown = key;
      await ask().catch(() => (this.shown = ''));
    }
    this.asking = false;
  }
}

const pictures = new Newest();
const clouds = new Newest();

/** What was seen last at a moment. */
export function showSeen(recording: string, moment: MomentView): void {
  const { camera } = useReviewing.getState();
  const seen = moment.pictures.find(([name]) => name === camera) ?? moment.pictures[0];
  if (seen) {
    const [name, at_s] = seen;
    pictures.want(`${recording} ${name} ${at_s}`, async () => {
      const answer = await askQuietly({ ask: 'recorded_picture', recording, camera: name, at_s });
      if (answer?.is === 'picture') await decode(answer);
    });
  } else {
    pictures.forget();
    if (picture.get()) picture.show(null);
  }
  const { cloud_s } = moment;
  if (cloud_s !== null) {
    clouds.want(`${recording} ${cloud_s}`, async () => {
      const answer = await askQuietly({ ask: 'recorded_cloud', recording, at_s: cloud_s });
      if (answer?.is === 'cloud') showCloud(answer);
    });
  } else {
    clouds.forget();
    if (cloud.get()) cloud.show(null);
  }
}

export function forgetSeen(): void {
  pictures.forget();
  clouds.forget();
}

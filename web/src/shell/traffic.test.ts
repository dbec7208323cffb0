import { expect, test } from 'vitest';
import { useWorld } from '../state/world';
import { bytesText, traffic } from './traffic';

test('bytes as people write them', () => {
  expect([0, 999, 1000, 42_400, 1_250_000, 3e9].map(bytesText)).toEqual(['0 bytes', '999 bytes', '1.0 kB', '42 kB', '1.3 MB', '3.0 GB']);
});

test('each channel says what it carries', () => {
  const channel = { up: true, sent_bytes_s: 90, received_bytes_s: 1100, most_bytes_s: 1200, sent_bytes: 900, received_bytes: 11_000 };
  const bursts = { ...channel, up: false, sent_bytes_s: 0, received_bytes_s: 0 };
  const text = traffic({ ...useWorld.getState().link, channels: [channel, bursts] });
  expect(text).toBe(
    'Main channel: from the robot 1.1 kB/s, to it 90 bytes/s; 12 kB in all\nBursts (dark): from the robot 0 bytes/s, to it 0 bytes/s; 12 kB in all',
  );
});

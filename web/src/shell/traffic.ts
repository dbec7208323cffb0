import type { LinkView } from '../api/types';

/** As people write it: 512 bytes, 4.2 kB, 31 MB. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** A line for each channel: what it carries each way in a second, and what has gone in all. */
export function traffic(link: LinkView): string {
  const line = (channel: LinkView['channels'][number], index: number): string => {
    const name = index === 0 ? 'Main channel' : 'Bursts';
    const dark = channel.up ? '' : ' (dark)';
    const rates = `from the robot ${bytesText(channel.received_bytes_s)}/s, to it ${bytesText(channel.sent_bytes_s)}/s`;
    return `${name}${dark}: ${rates}; ${bytesText(channel.sent_bytes + channel.received_bytes)} in all`;
  };
  return link.channels.map(line).join('\n');
}

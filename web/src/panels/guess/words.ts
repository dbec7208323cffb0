import type { Guessed } from '../../api/types';

const plain = (key: string): string => key.slice(key.indexOf('.') + 1).replaceAll('_', ' ');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a row is called: of an arm's joints and of a hand's place there is one each. */
export function titleOf({ key, topic }: Guessed): string {
  switch (topic.is) {
    case 'frame':
      return capital(topic.frame.replace('_', ' '));
    case 'part':
      return `Joints: ${plain(key)}`.replace(/(left|right) hand$/, '$1 fingers');
    case 'palm':
      return 'Palm direction';
    case 'preset':
      return `Posture: ${plain(key)}`;
    case 'grip':
      return 'Grips';
    case 'camera':
      return `Camera: ${plain(key)}`;
    case 'walking':
      return 'Walking';
  }
}

/** Of the grips one stands for all. */
export function rowsOf(guessed: readonly Guessed[]): Guessed[] {
  const grip = guessed.find(({ topic }) => topic.is === 'grip');
  return guessed.filter((one) => one.topic.is !== 'grip' || one === grip);
}

/** On a line, as the file has it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'not there';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  return Object.entries(value as Record<string, unknown>)
    .map(([key, inner]) => `${key} ${Array.isArray(inner) ? inner.join(' ') : String(inner)}`)
    .join(', ');
}

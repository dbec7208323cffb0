import type { Level } from './health';

/** Of a light, for those who do not see its colour. */
export const LIGHT: Record<Level, string> = { good: 'well', warn: 'needs a look', bad: 'wrong', none: 'not known' };

import type { Schema } from './schema';

/** The expression of a value of the moment; null: a value that is written out. */
export function boundText(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const [only] = entries;
  return entries.length === 1 && only?.[0] === '=' && typeof only[1] === 'string' ? only[1] : null;
}

/** Itself or something in it: where it is nobody knows before it runs. */
export function holdsBound(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return boundText(value) !== null || Object.values(value).some(holdsBound);
}

export const mayBeBound = (schema: Schema): boolean => schema['x-fixed'] !== true;

/** The text that an expression only quotes; null: it is another expression. */
export function literalOf(text: string): string | null {
  const quoted = /^'((?:[^'\\]|\\['\\])*)'$/.exec(text.trim())?.[1];
  return quoted?.replace(/\\(['\\])/g, '$1') ?? null;
}

/** What is written out now, as an expression that gives the same. */
export function asExpression(value: unknown): string {
  if (value === null || value === undefined) return '0';
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

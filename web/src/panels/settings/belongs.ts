import type { Field } from './schema';

/** Whether a field counts with what `by` is set to: its schema says with which it does, and nothing where always. */
export function belongs(fields: Field[], field: Field, by: unknown): boolean {
  const owners = field.schema['x-by'];
  const now = by ?? fields.find((one) => one.name === 'by')?.default;
  return !owners || owners.some((one) => one === now);
}

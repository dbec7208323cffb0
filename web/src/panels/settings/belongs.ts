import { shapeOf, type Field, type NodeType } from './schema';

/**
 * Whether a field counts with what `by` is set to. The schema's own words say so: an option names its fields in
 * backticks, a field begins with "By pose:", or shares the option's name.
 */
export function belongs(type: NodeType, field: Field, by: unknown): boolean {
  const chooser = type.fields.find((one) => one.name === 'by');
  if (!chooser || field.name === 'by') return true;
  const shape = shapeOf(type.schema, chooser.schema);
  if (shape.is !== 'choice') return true;
  const now = by ?? chooser.default;
  const owners = shape.options.filter(({ value, doc }) => {
    const option = String(value);
    const lead = /^By ([a-z ]+)[:,]/.exec(field.doc)?.[1] ?? '';
    return field.name === option || field.name.startsWith(`${option}_`) || doc.includes(`\`${field.name}\``) || lead.split(' ').includes(option);
  });
  return owners.length === 0 || owners.some(({ value }) => value === now);
}

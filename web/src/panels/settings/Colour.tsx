import type { ReactNode } from 'react';
import { NumberField } from './NumberField';
import { labelOf, type Schema } from './schema';

export const isColourRange = (properties: Record<string, Schema>): boolean => 'hue_from_deg' in properties && 'hue_to_deg' in properties;

interface Props {
  id: string;
  properties: Record<string, Schema>;
  value: unknown;
  optional: boolean;
  set: (value: unknown, moving?: boolean) => void;
}

/** The hues that count, shown as a band, above the numbers. */
export function Colour({ id, properties, value, optional, set }: Props): ReactNode {
  const now = (value ?? {}) as Record<string, number>;
  const part = (name: string): number => now[name] ?? Number(properties[name]?.default ?? 0);
  const from = part('hue_from_deg');
  const to = part('hue_to_deg');
  const stops = Array.from({ length: 37 }, (_, index) => {
    const hue = index * 10;
    const inside = from <= to ? hue >= from && hue <= to : hue >= from || hue <= to;
    return `hsl(${hue} ${inside ? 85 : 8}% ${inside ? 50 : 25}%) ${(hue / 360) * 100}%`;
  });
  return (
    <div className="parts">
      <div
        className="hues"
        role="img"
        aria-label={`Hues from ${from} to ${to} degrees`}
        style={{ background: `linear-gradient(90deg, ${stops.join(', ')})` }}
      />
      {Object.entries(properties).map(([name, schema]) => (
        <label key={name} className="part" title={schema.description}>
          <span>{labelOf(name, schema['x-unit'])}</span>
          <NumberField
            id={`${id}-${name}`}
            label={labelOf(name, schema['x-unit'])}
            value={part(name)}
            least={schema.minimum}
            most={schema.maximum}
            unit={schema['x-unit']}
            slider
            set={(next, moving) => set({ ...now, [name]: next }, moving)}
          />
        </label>
      ))}
      {optional && (
        <button type="button" className="link" onClick={() => set(null)}>
          Leave out
        </button>
      )}
    </div>
  );
}

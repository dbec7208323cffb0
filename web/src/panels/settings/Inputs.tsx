import type { ReactNode } from 'react';
import type { NodeView } from '../../api/types';
import { useDoc } from '../../state/document';
import { asExpression, literalOf } from './bound';
import { labelOf, type Schema } from './schema';
import { Value } from './Value';

interface Declared {
  schema: Schema;
  unit?: string;
  notes?: string;
  title?: string;
}

/** What the skill that a node uses takes, by name; null: it is not known. */
export function useDeclared(node: NodeView | null): Record<string, Declared> | null {
  return useDoc((doc) => {
    const used = node?.skill;
    if (used === undefined || used === null) return null;
    const inputs = doc.files[used]?.inputs;
    return inputs && typeof inputs === 'object' && Object.keys(inputs).length > 0 ? (inputs as Record<string, Declared>) : null;
  });
}

interface Props {
  id: string;
  declared: Record<string, Declared>;
  value: unknown;
  set: (value: unknown, moving?: boolean) => void;
}

/** A line for each input, in the skill's own words. In the file a text is an expression: one that only quotes a text is shown as that text. */
export function Inputs({ id, declared, value, set }: Props): ReactNode {
  const now = (value ?? {}) as Record<string, unknown>;
  const given = Object.keys(now).filter((name) => !(name in declared));
  const give = (name: string, next: unknown, moving?: boolean): void => {
    const { [name]: _, ...others } = now;
    set(next === undefined ? others : { ...others, [name]: next }, moving);
  };
  return (
    <div className="parts inputs">
      {Object.entries(declared).map(([name, input]) => {
        const written = name in now;
        return (
          <div key={name} className="part" data-input={name} title={input.notes}>
            <label htmlFor={`${id}-${name}`}>
              {input.title ?? labelOf(name, input.unit)}
              {written && (
                <button
                  type="button"
                  className="default"
                  title="Back to the default"
                  aria-label={`${name}: back to the default`}
                  onClick={() => give(name, undefined)}
                >
                  ↺
                </button>
              )}
            </label>
            <Value
              id={`${id}-${name}`}
              name={input.title ?? name}
              schema={input.schema}
              value={written ? fromFile(now[name]) : input.schema.default}
              set={(next, moving) => give(name, toFile(next), moving)}
            />
          </div>
        );
      })}
      {given.map((name) => (
        <p key={name} className="dim">
          {name} is given, and the skill does not take it.
        </p>
      ))}
    </div>
  );
}

const fromFile = (written: unknown): unknown => (typeof written === 'string' ? (literalOf(written) ?? { '=': written }) : written);

const toFile = (value: unknown): unknown => {
  if (typeof value === 'string') return asExpression(value);
  if (typeof value === 'object' && value !== null && '=' in value) return value['='];
  return value ?? undefined;
};

import { Plus, Trash2 } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { useForm, type FieldProps } from './context';
import { Joints, jointsOf } from './Joints';
import { asExpression, boundText, mayBeBound } from './bound';
import { Colour, isColourRange } from './Colour';
import { ExpressionField } from './ExpressionField';
import { Inputs, useDeclared } from './Inputs';
import { NumberField } from './NumberField';
import { firstValue, labelOf, shapeOf, variantOf, withoutNull, type Schema, type Shape } from './schema';
import { useLists } from './lists';
import { TextField } from './TextField';

/** The control for a value: what is written, or the expression that gives it when the step starts. */
export function Value(props: FieldProps): ReactNode {
  const { root, node } = useForm();
  const { id, name, schema, value, set } = props;
  const text = boundText(value);
  if (text === null && !mayBeBound(schema)) return <WrittenOut {...props} />;
  const bind = (): void => set(text === null ? { '=': asExpression(value) } : (firstValue(root, schema) ?? null));
  return (
    <div className="bindable">
      {text === null ? (
        <WrittenOut {...props} />
      ) : (
        <ExpressionField id={id} label={labelOf(name, null)} node={node.id} value={text} set={(next) => set({ '=': next })} />
      )}
      <button
        type="button"
        className={text === null ? 'bind' : 'bind on'}
        aria-pressed={text !== null}
        title={text === null ? 'Give it by an expression, evaluated when the step starts' : 'Write it out again'}
        onClick={bind}
      >
        f(x)
      </button>
    </div>
  );
}

/** By the shape its schema has. */
function WrittenOut({ id, name, schema, value, set }: FieldProps): ReactNode {
  const { root, node } = useForm();
  const { optional } = withoutNull(root, schema);
  const shape = shapeOf(root, schema);
  if (optional && (value === null || value === undefined)) {
    const large = shape.is === 'object' || shape.is === 'list' || shape.is === 'variants' || shape.is === 'map';
    if (large) {
      return (
        <button type="button" className="link" id={id} onClick={() => set(startOf(root, schema))}>
          Set
        </button>
      );
    }
    if (shape.is === 'number') {
      return (
        <NumberField
          id={id}
          label={labelOf(name, shape.unit)}
          value={null}
          least={shape.least}
          most={shape.most}
          unit={shape.unit}
          whole={shape.whole}
          set={set}
        />
      );
    }
  }
  const joints = jointsOf(node, schema);
  if (joints && shape.is === 'list') return <Joints id={id} joints={joints} value={value} set={set} />;
  if (shape.is === 'object' && isColourRange(shape.properties))
    return <Colour id={id} properties={shape.properties} value={value} set={set} optional={optional} />;
  return <Shaped id={id} name={name} schema={schema} value={value} set={set} shape={shape} optional={optional} />;
}

const startOf = (root: FieldProps['schema'], schema: FieldProps['schema']): unknown => firstValue(root, { ...schema, default: undefined });

function Shaped({ id, name, schema, value, set, shape, optional }: FieldProps & { shape: Shape; optional: boolean }): ReactNode {
  const { root, node } = useForm();
  const declared = useDeclared(schema['format'] === 'inputs' ? node : null);
  const lists = useLists();
  switch (shape.is) {
    case 'choice':
      return (
        <select
          id={id}
          aria-label={labelOf(name, null)}
          value={String(value ?? '')}
          title={shape.options.find((option) => option.value === value)?.doc}
          onChange={(event) => set(event.target.value === '' ? null : shape.options.find((option) => String(option.value) === event.target.value)?.value)}
        >
          {(optional || value === null) && <option value="">—</option>}
          {shape.options.map((option) => (
            <option key={String(option.value)} value={String(option.value)} title={option.doc}>
              {String(option.value).replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      );
    case 'bool':
      return <input id={id} type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />;
    case 'number': {
      const small = shape.least !== undefined && shape.most !== undefined && shape.most - shape.least <= 360;
      return (
        <NumberField
          id={id}
          label={labelOf(name, shape.unit)}
          value={typeof value === 'number' ? value : null}
          least={shape.least}
          most={shape.most}
          unit={shape.unit}
          whole={shape.whole}
          slider={small}
          set={set}
        />
      );
    }
    case 'text': {
      if (shape.format === 'expression' && !isPlain(value)) {
        return (
          <ExpressionField
            id={id}
            label={labelOf(name, null)}
            node={node.id}
            value={value === null || value === undefined ? '' : String(value)}
            set={(text) => set(readText(text, shape.format))}
          />
        );
      }
      const list = lists(shape.format);
      return (
        <TextField
          id={id}
          label={labelOf(name, null)}
          value={value === null || value === undefined ? '' : String(value)}
          mono={shape.format === 'expression'}
          set={(text) => set(readText(text, shape.format))}
          {...(list ? { list } : {})}
        />
      );
    }
    case 'object':
      return <Parts id={id} value={value} set={set} shape={shape} optional={optional} />;
    case 'list':
      return <List id={id} name={name} value={value} set={set} shape={shape} />;
    case 'map':
      if (declared) return <Inputs id={id} declared={declared} value={value} set={set} />;
      return <Map_ id={id} value={value} set={set} shape={shape} />;
    case 'variants': {
      const now = variantOf(root, shape.variants, value);
      const variant = shape.variants[now];
      return (
        <div className="variant">
          <select
            id={id}
            aria-label={`${labelOf(name, null)}, which kind`}
            value={now}
            onChange={(event) => set(firstValue(root, shape.variants[Number(event.target.value)]?.schema ?? {}))}
          >
            {shape.variants.map((one, index) => (
              <option key={one.title} value={index}>
                {one.title}
              </option>
            ))}
          </select>
          {variant && <Value id={`${id}-in`} name={name} schema={variant.schema} value={value} set={set} />}
        </div>
      );
    }
    case 'json':
      return (
        <TextField
          id={id}
          label={labelOf(name, null)}
          mono
          value={value === undefined ? '' : JSON.stringify(value)}
          set={(text) => set(readText(text, 'value'))}
        />
      );
  }
}

const isPlain = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Numbers and true or false stay what they are where a setting allows several types. */
function readText(text: string, format: string | undefined): unknown {
  if (format !== 'value' && format !== 'expression') return text;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'number' || typeof read === 'boolean') return read;
    return format === 'value' ? read : text;
  } catch {
    return text;
  }
}

type ObjectShape = Extract<Shape, { is: 'object' }>;

function Parts({ id, value, set, shape, optional }: { id: string; value: unknown; set: FieldProps['set']; shape: ObjectShape; optional: boolean }): ReactNode {
  const now = (value ?? {}) as Record<string, unknown>;
  const { root, by } = useForm();
  const counts = ({ const: constant, 'x-by': owners }: Schema): boolean => constant === undefined && (!owners || owners.some((one) => one === by));
  const names = Object.keys(shape.properties).filter((part) => counts(shape.properties[part] ?? {}));
  const compact = names.every((part) => shapeOf(root, shape.properties[part] ?? {}).is === 'number') && names.length <= 6;
  return (
    <div className={compact ? 'parts compact' : 'parts'}>
      {names.map((part) => {
        const schema = shape.properties[part] ?? {};
        const unit = withoutNull(root, schema).schema['x-unit'];
        const given = now[part] ?? schema.default ?? (shapeOf(root, schema).is === 'number' && !withoutNull(root, schema).optional ? 0 : undefined);
        return (
          <label key={part} className="part" title={schema.description}>
            <span>{labelOf(part, unit)}</span>
            <Value id={`${id}-${part}`} name={part} schema={schema} value={given} set={(next, moving) => set({ ...now, [part]: next }, moving)} />
          </label>
        );
      })}
      {optional && (
        <button type="button" className="link" onClick={() => set(null)}>
          Leave out
        </button>
      )}
    </div>
  );
}

type ListShape = Extract<Shape, { is: 'list' }>;

function List({ id, name, value, set, shape }: { id: string; name: string; value: unknown; set: FieldProps['set']; shape: ListShape }): ReactNode {
  const { root } = useForm();
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const replace = (at: number, ...by: unknown[]): void => set([...items.slice(0, at), ...by, ...items.slice(at + 1)]);
  const list = useRef<HTMLDivElement>(null);
  const add = (): void => {
    set([...items, startOfItem(items.at(-1), root, shape.items)]);
    focusNew(list.current, items.length);
  };
  return (
    <div className="list" ref={list}>
      {items.map((item, index) => (
        <div key={index} className="list-item">
          <span className="number-of">{index + 1}</span>
          <Value
            id={`${id}-${index}`}
            name={`${name} ${index + 1}`}
            schema={shape.items}
            value={item}
            set={(next, moving) => set([...items.slice(0, index), next, ...items.slice(index + 1)], moving)}
          />
          {items.length > shape.least && (
            <button type="button" className="icon" aria-label={`Remove ${index + 1}`} onClick={() => replace(index)}>
              <Trash2 size={13} />
            </button>
          )}
        </div>
      ))}
      {items.length < shape.most && (
        <button type="button" className="link" onClick={add}>
          <Plus size={13} aria-hidden /> Add
        </button>
      )}
    </div>
  );
}

/** As the last one, which is most like it; a text is written anew. */
function startOfItem(last: unknown, root: FieldProps['schema'], items: FieldProps['schema']): unknown {
  return last === undefined || typeof last === 'string' ? firstValue(root, items) : last;
}

/** Where the new entry is to be filled in, as soon as it is shown. */
function focusNew(list: HTMLElement | null, index: number): void {
  requestAnimationFrame(() =>
    list?.querySelectorAll(':scope > .list-item')[index]?.querySelector<HTMLElement>('input:not([type=range]), select, textarea')?.focus(),
  );
}

type MapShape = Extract<Shape, { is: 'map' }>;

function Map_({ id, value, set, shape }: { id: string; value: unknown; set: FieldProps['set']; shape: MapShape }): ReactNode {
  const { root } = useForm();
  const now = (value ?? {}) as Record<string, unknown>;
  const entries = Object.entries(now);
  const renamed = (from: string, to: string): Record<string, unknown> => Object.fromEntries(entries.map(([key, one]) => [key === from ? to : key, one]));
  const list = useRef<HTMLDivElement>(null);
  const add = (): void => {
    set({ ...now, [freeName(now)]: firstValue(root, shape.values) ?? 0 });
    focusNew(list.current, entries.length);
  };
  return (
    <div className="list" ref={list}>
      {entries.map(([key, one]) => (
        <div key={key} className="list-item">
          <TextField id={`${id}-${key}-name`} label="Name" value={key} set={(to) => set(renamed(key, to))} />
          <Value id={`${id}-${key}`} name={key} schema={shape.values} value={one} set={(next, moving) => set({ ...now, [key]: next }, moving)} />
          <button
            type="button"
            className="icon"
            aria-label={`Remove ${key}`}
            onClick={() => set(Object.fromEntries(entries.filter(([other]) => other !== key)))}
          >
            <Trash2 size={13} />
          </button>
        </div>
      ))}
      <button type="button" className="link" onClick={add}>
        <Plus size={13} aria-hidden /> Add
      </button>
    </div>
  );
}

function freeName(taken: Record<string, unknown>): string {
  for (let number = 1; ; number++) if (!(`name${number}` in taken)) return `name${number}`;
}

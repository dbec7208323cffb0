/** What of JSON Schema our node types write; see `coact nodes --json`. */
export interface Schema {
  type?: string | string[];
  'x-fixed'?: boolean;
  $ref?: string;
  $defs?: Record<string, Schema>;
  description?: string;
  default?: unknown;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  'x-unit'?: string;
  /** With which values of `by` it counts; always where it says none. */
  'x-by'?: string[];
  /** Of a list of angles, the part of the body on the step's side whose joints they are. */
  'x-part'?: string;
}

export interface Field {
  name: string;
  unit: string | null;
  format: string | null;
  doc: string;
  default: unknown;
  schema: Schema;
}

export type Drag = 'free' | 'place' | 'ground' | 'turn';

/** What the pose of a handle is seen from: a frame, a place that looks to another one, the hand of the step's side. */
export type Stands = 'frame' | { at: { place: string; facing: string } } | 'hand';

/** How the settings write it. */
export type Written = 'pose' | { apart: { z_m: string | null; xy_if: string | null; now: string } } | { vector: { unit: string; mm: number } };

/** A pose among the settings that stands in space and can be dragged. */
export interface Handle {
  field: string;
  /** Of an entry of a list, what of it is the pose. */
  part: string | null;
  looks: 'hand' | 'point' | 'foot' | 'axis' | 'shape' | 'body' | 'force';
  drag: Drag;
  title: string | null;
  /** None: as the entry or the step says in `side`. */
  side: 'left' | 'right' | null;
  /** It counts with this value of `by` alone; none: as its setting does. */
  by: string | null;
  stands: Stands;
  written: Written;
}

/** The settings that pointing gives to a step: a place to go to, one more entry of a list, or a box of the map. */
export type Gives =
  | { ground: { place: string; facing: string } }
  | { entry: { list: string; pose: string; side: 'left' | 'right' } }
  | { area: { shape: string; pose: string; from_mm: number } };

/** A step that people make by pointing at the ground, or with a box that they drag on the map. */
export interface Offer {
  title: string;
  /** Where there is little room. */
  short: string;
  looks: Handle['looks'];
  /** Settings that it has beside those that pointing gives. */
  with: [string, unknown][];
  gives: Gives;
}

export interface NodeType {
  name: string;
  role: 'sequence' | 'fallback' | 'skill' | 'step' | 'composite';
  group: string;
  doc: string;
  /** The first sentence of the documentation. */
  summary: string;
  fields: Field[];
  schema: Schema;
  /** Other words by which people look for it. */
  words?: string[];
  /** By its name among those of Lucide. */
  icon: string | null;
  handles: Handle[];
  offers: Offer[];
  /** Settings without which it cannot do its work. */
  needs: { field: string }[];
  /** A setting that names the node it goes on with or runs. */
  leads_to: string | null;
  /** Its children are those of another node: it may have none of its own. */
  calls: boolean;
}

export const holdsChildren = ({ role, calls }: NodeType): boolean => role !== 'step' && role !== 'skill' && !calls;

/** Fields that every node has, under this name in the map of types. */
export const COMMON = '';

export function readNodeTypes(types: unknown, common?: unknown): Map<string, NodeType> {
  const list = Array.isArray(types) ? types : [];
  const found = new Map<string, NodeType>();
  for (const one of list as Omit<NodeType, 'summary'>[]) {
    const end = one.doc.indexOf('. ');
    found.set(one.name, { ...one, summary: end < 0 ? one.doc : one.doc.slice(0, end + 1) });
  }
  if (common)
    found.set(COMMON, {
      name: COMMON,
      role: 'step',
      group: '',
      doc: '',
      summary: '',
      icon: null,
      handles: [],
      offers: [],
      needs: [],
      leads_to: null,
      calls: false,
      ...(common as { fields: Field[]; schema: Schema }),
    });
  return found;
}

export type Shape =
  | { is: 'choice'; options: { value: unknown; doc: string }[] }
  | { is: 'number'; whole: boolean; least: number | undefined; most: number | undefined; unit: string | undefined }
  | { is: 'bool' }
  | { is: 'text'; format: string | undefined }
  | { is: 'list'; items: Schema; least: number; most: number; unit: string | undefined }
  | { is: 'object'; properties: Record<string, Schema>; required: string[] }
  | { is: 'map'; values: Schema; unit: string | undefined }
  | { is: 'variants'; variants: { title: string; doc: string; schema: Schema }[] }
  | { is: 'json' };

/** A schema with what its `$ref` points at put in; words of its own win. */
export function resolved(root: Schema, schema: Schema): Schema {
  if (!schema.$ref) return schema;
  const name = schema.$ref.split('/').pop() ?? '';
  const target = root.$defs?.[name] ?? {};
  const { $ref: _, ...own } = schema;
  return { ...resolved(root, target), ...own };
}

/** Without its "or null", and whether it had one. */
export function withoutNull(root: Schema, schema: Schema): { schema: Schema; optional: boolean } {
  const whole = resolved(root, schema);
  const isNull = (one: Schema): boolean => one.type === 'null';
  if (whole.anyOf?.some(isNull)) {
    const rest = whole.anyOf.filter((one) => !isNull(one));
    const { anyOf: _, ...own } = whole;
    const only = rest.length === 1 && rest[0] ? { ...resolved(root, rest[0]), ...own } : { ...own, anyOf: rest };
    return { schema: only, optional: true };
  }
  if (Array.isArray(whole.type) && whole.type.includes('null')) {
    const types = whole.type.filter((type) => type !== 'null');
    const [first] = types;
    return { schema: { ...whole, type: types.length === 1 && first ? first : types }, optional: true };
  }
  return { schema: whole, optional: false };
}

/** How a value of this schema is edited. */
export function shapeOf(root: Schema, given: Schema): Shape {
  const { schema } = withoutNull(root, given);
  const options = choices(schema);
  if (options) return { is: 'choice', options };
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    const variants = alternatives
      .map((one) => resolved(root, one))
      .map((one, index) => ({ title: titleOf(one, index), doc: one.description ?? '', schema: one }));
    return { is: 'variants', variants };
  }
  const unit = schema['x-unit'];
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? ''];
  if (schema.format === 'expression' || types.length > 1) return { is: 'text', format: schema.format ?? 'value' };
  switch (types[0]) {
    case 'integer':
    case 'number':
      return { is: 'number', whole: types[0] === 'integer', least: schema.minimum ?? schema.exclusiveMinimum, most: schema.maximum, unit };
    case 'boolean':
      return { is: 'bool' };
    case 'string':
      return { is: 'text', format: schema.format };
    case 'array':
      return {
        is: 'list',
        items: { ...(unit ? { 'x-unit': unit } : {}), ...(schema.items ?? {}) },
        least: schema.minItems ?? 0,
        most: schema.maxItems ?? Infinity,
        unit,
      };
    case 'object':
      if (schema.properties) return { is: 'object', properties: schema.properties, required: schema.required ?? [] };
      if (typeof schema.additionalProperties === 'object') {
        return { is: 'map', values: { ...(unit ? { 'x-unit': unit } : {}), ...schema.additionalProperties }, unit };
      }
      return { is: 'json' };
    default:
      return { is: 'json' };
  }
}

function choices(schema: Schema): { value: unknown; doc: string }[] | null {
  if (schema.enum) return schema.enum.map((value) => ({ value, doc: '' }));
  if (!schema.oneOf) return null;
  const found: { value: unknown; doc: string }[] = [];
  for (const one of schema.oneOf) {
    if (one.const !== undefined) found.push({ value: one.const, doc: one.description ?? '' });
    else if (one.enum) found.push(...one.enum.map((value) => ({ value, doc: one.description ?? '' })));
    else return null;
  }
  return found;
}

/** A variant is named by its tag, not by its number. */
function titleOf(schema: Schema, index: number): string {
  for (const property of Object.values(schema.properties ?? {})) if (typeof property.const === 'string') return property.const;
  const keys = Object.keys(schema.properties ?? {});
  if (keys.length > 0) return keys.join(', ');
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  return schema.format ?? type ?? `form ${index + 1}`;
}

export function variantOf(root: Schema, variants: { schema: Schema }[], value: unknown): number {
  return Math.max(
    0,
    variants.findIndex(({ schema }) => fits(root, schema, value)),
  );
}

function fits(root: Schema, schema: Schema, value: unknown): boolean {
  const whole = resolved(root, schema);
  if (whole.const !== undefined) return whole.const === value;
  const types = Array.isArray(whole.type) ? whole.type : [whole.type ?? ''];
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (!types.includes(own) && !(own === 'number' && types.includes('integer'))) return false;
  if (own !== 'object') return true;
  const object = value as Record<string, unknown>;
  return (
    Object.entries(whole.properties ?? {}).every(([name, property]) => property.const === undefined || property.const === object[name]) &&
    (whole.required ?? []).every((name) => name in object)
  );
}

/** Something valid to begin with, for a new entry of a list or another variant. */
export function firstValue(root: Schema, given: Schema): unknown {
  const { schema } = withoutNull(root, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const shape = shapeOf(root, schema);
  switch (shape.is) {
    case 'choice':
      return shape.options[0]?.value;
    case 'number':
      return Math.max(shape.least ?? 0, Math.min(0, shape.most ?? 0)) || (shape.least ?? 0);
    case 'bool':
      return false;
    case 'text':
      return '';
    case 'list':
      return Array.from({ length: shape.least }, () => firstValue(root, shape.items));
    case 'object':
      return Object.fromEntries(shape.required.map((name) => [name, firstValue(root, shape.properties[name] ?? {})]));
    case 'map':
      return {};
    case 'variants':
      return firstValue(root, shape.variants[0]?.schema ?? {});
    case 'json':
      return null;
  }
}

/** `position_tolerance_m` as people read it; the unit stands behind the value. */
export function labelOf(name: string, unit: string | undefined | null): string {
  const tail = unit ? `_${unit.replace('/', '_').replace('·', '').toLowerCase()}` : '';
  const bare = tail && name.endsWith(tail) ? name.slice(0, -tail.length) : name;
  const words = bare.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

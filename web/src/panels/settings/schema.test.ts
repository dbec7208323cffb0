import { expect, test } from 'vitest';
import { belongs } from './belongs';
import { firstValue, labelOf, readNodeTypes, shapeOf, variantOf, type Schema } from './schema';

const root: Schema = {
  $defs: {
    Side: { type: 'string', enum: ['left', 'right'] },
    By: {
      oneOf: [
        { const: 'pose', description: '`pose` of the hand in `frame`.' },
        { const: 'angles', description: '`angles_deg` of the joints.' },
        { const: 'preset' },
      ],
    },
    Pose: { type: 'object', properties: { x_m: { type: 'number', 'x-unit': 'm' } } },
    Shape: {
      oneOf: [
        {
          type: 'object',
          properties: { shape: { type: 'string', const: 'sphere' }, radius_m: { type: 'number', minimum: 0 } },
          required: ['shape', 'radius_m'],
        },
        {
          type: 'object',
          properties: { shape: { type: 'string', const: 'box' }, size_m: { type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 } },
          required: ['shape', 'size_m'],
        },
      ],
    },
  },
};

test('what schemars writes gets the control it needs', () => {
  expect(shapeOf(root, { $ref: '#/$defs/Side' })).toMatchObject({ is: 'choice' });
  expect(shapeOf(root, { $ref: '#/$defs/By' })).toMatchObject({ is: 'choice', options: [{ value: 'pose' }, { value: 'angles' }, { value: 'preset' }] });
  expect(shapeOf(root, { type: 'number', minimum: 0.1, maximum: 600, 'x-unit': 's' })).toEqual({
    is: 'number',
    whole: false,
    least: 0.1,
    most: 600,
    unit: 's',
  });
  expect(shapeOf(root, { type: ['number', 'null'], 'x-unit': 'm' })).toMatchObject({ is: 'number', unit: 'm' });
  expect(shapeOf(root, { anyOf: [{ $ref: '#/$defs/Pose' }, { type: 'null' }] })).toMatchObject({ is: 'object' });
  expect(shapeOf(root, { type: 'array', items: { type: 'number' }, 'x-unit': 'deg' })).toMatchObject({ is: 'list', items: { 'x-unit': 'deg' } });
  expect(shapeOf(root, { type: 'object', additionalProperties: { type: 'number' } })).toMatchObject({ is: 'map' });
  expect(shapeOf(root, { type: ['string', 'number', 'boolean'], format: 'expression' })).toMatchObject({ is: 'text', format: 'expression' });
});

test('variants are named by their tag and recognised by it', () => {
  const shape = shapeOf(root, { $ref: '#/$defs/Shape' });
  if (shape.is !== 'variants') throw new Error(shape.is);
  expect(shape.variants.map((variant) => variant.title)).toEqual(['sphere', 'box']);
  expect(variantOf(root, shape.variants, { shape: 'box', size_m: [1, 1, 1] })).toBe(1);
  expect(firstValue(root, shape.variants[1]?.schema ?? {})).toEqual({ shape: 'box', size_m: [0, 0, 0] });
});

test('a label has no unit in it', () => {
  expect(labelOf('position_tolerance_m', 'm')).toBe('Position tolerance');
  expect(labelOf('max_angular_deg_s', 'deg/s')).toBe('Max angular');
  expect(labelOf('force_limit_n', 'N')).toBe('Force limit');
  expect(labelOf('frame', null)).toBe('Frame');
});

test('fields of another way to say the goal are not shown', () => {
  const field = (name: string, doc = '', schema: Schema = {}) => ({ name, unit: null, format: null, doc, default: name === 'by' ? 'pose' : null, schema });
  const fields = [
    field('by', '', { $ref: '#/$defs/By' }),
    field('frame', '', { 'x-by': ['pose'] }),
    field('pose', '', { 'x-by': ['pose'] }),
    field('angles_deg', '', { 'x-by': ['angles'] }),
    field('preset', '', { 'x-by': ['preset'] }),
    field('joint_tolerance_rad', '', { 'x-by': ['angles', 'preset'] }),
    field('duration_s'),
  ];
  const type = readNodeTypes([{ name: 'arm', role: 'step', group: 'body', doc: 'Moves. More.', fields, schema: root }]).get('arm');
  if (!type) throw new Error('no type');
  expect(type.summary).toBe('Moves.');
  const shown = (by: unknown): string[] => type.fields.filter((one) => belongs(type.fields, one, by)).map((one) => one.name);
  expect(shown(undefined)).toEqual(['by', 'frame', 'pose', 'duration_s']);
  expect(shown('angles')).toEqual(['by', 'angles_deg', 'joint_tolerance_rad', 'duration_s']);
  expect(shown('preset')).toEqual(['by', 'preset', 'joint_tolerance_rad', 'duration_s']);
});

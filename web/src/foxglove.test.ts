import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foxgloveMessageSchemas, generateProto } from '@foxglove/schemas/internal';
import { expect, test } from 'vitest';

// Recordings carry these descriptors, by which viewers read them; npm `@foxglove/schemas` is what viewers are made with.
const FOLDER = resolve(import.meta.dirname, '../../crates/runlog/schemas');

type Part = [field: number, value: number | Uint8Array];

/** A protobuf message, field by field. */
function parts(bytes: Uint8Array): Part[] {
  const all: Part[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const field = Math.floor(key / 8);
    if (key % 8 === 0) all.push([field, varint()]);
    else {
      expect(key % 8, 'descriptors have numbers and blocks only').toBe(2);
      const length = varint();
      all.push([field, bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  return all;
}

const blocks = (all: Part[], field: number): Uint8Array[] => all.flatMap(([of, value]) => (of === field && value instanceof Uint8Array ? [value] : []));
const text = (all: Part[], field: number): string => new TextDecoder().decode(blocks(all, field)[0] ?? new Uint8Array());
const number = (all: Part[], field: number): number => all.find(([of]) => of === field)?.[1] as number;

/** As `FieldDescriptorProto` numbers them. */
const TYPES: Record<number, string> = {
  1: 'double',
  2: 'float',
  3: 'int64',
  4: 'uint64',
  5: 'int32',
  7: 'fixed32',
  8: 'bool',
  9: 'string',
  12: 'bytes',
  13: 'uint32',
  15: 'sfixed32',
};
const REPEATED = 3;

/** `repeated double positions = 3` of each message, and `NAME = 0` of each enum in it, by the name of the message. */
function described(file: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const bytes of blocks(parts(readFileSync(join(FOLDER, file))), 1)) {
    const own = parts(bytes);
    if (text(own, 2) !== 'foxglove') continue;
    for (const message of blocks(own, 4).map(parts)) {
      const lines = blocks(message, 2).map((field) => {
        const told = parts(field);
        const type = TYPES[number(told, 5)] ?? text(told, 6).replace(/^\./, '');
        return `${number(told, 4) === REPEATED ? 'repeated ' : ''}${type.replace(`foxglove.${text(message, 1)}.`, '')} ${text(told, 1)} = ${number(told, 3)}`;
      });
      const values = blocks(message, 4)
        .flatMap((one) => blocks(parts(one), 2).map(parts))
        .map((value) => `${text(value, 1)} = ${number(value, 2) ?? 0}`);
      found.set(text(message, 1), [...lines, ...values].sort());
    }
  }
  return found;
}

/** The same of the published schema, from the text that it generates. */
function published(name: string): string[] {
  const schema = foxgloveMessageSchemas[name as keyof typeof foxgloveMessageSchemas];
  const enums = schema.fields.flatMap(({ type }) => (type.type === 'enum' ? [type.enum] : []));
  const lines = generateProto(schema, [...new Set(enums)])
    .split('\n')
    .map((line) => line.trim());
  return lines
    .flatMap((line) => /^(?!\/\/|syntax|import|package)((?:\S+ ){0,2}\S+ = \d+);/.exec(line)?.[1] ?? [])
    .map((line) => line.replace(/^optional /, ''))
    .sort();
}

test('every message that is recorded has the fields, numbers and types of the published schemas', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.bin'));
  expect(files.length).toBeGreaterThan(5);
  const seen = new Set<string>();
  for (const file of files) {
    const messages = described(file);
    expect([...messages.keys()], file).toContain(file.replace('.bin', ''));
    for (const [name, lines] of messages) {
      expect(lines.length, name).toBeGreaterThan(0);
      // What a later schema adds, older files do not have: what is there must mean the same.
      expect(published(name), `${name} of ${file}`).toEqual(expect.arrayContaining(lines));
      seen.add(name);
    }
  }
  expect(seen.size).toBeGreaterThan(8);
});

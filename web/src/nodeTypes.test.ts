import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = import.meta.dirname;
/** Names of types that are words of something else, too: operations, controls, panels, roles in the tree, looks of handles. */
const OTHER_WORDS = new Set(['set', 'log', 'hand', 'sequence', 'fallback', 'skill', 'freeze_object', 'delete_object']);

const names = (): string[] => {
  const page = readFileSync(resolve(SRC, '../../docs/nodes.md'), 'utf8');
  return [...page.matchAll(/^\| \[`(\w+)`\]/gm)].map(([, name]) => name ?? '');
};

const sources = (): string[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !['api/fake.ts', 'api/types.ts'].includes(file),
  );

test('no file of the page knows a node type by name: what it needs of one is declared beside the type', () => {
  const all = names().filter((name) => !OTHER_WORDS.has(name));
  expect(all.length).toBeGreaterThan(40);
  const known = new RegExp(`['"\`](${all.join('|')})['"\`]`, 'g');
  const found = sources().flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(known)].map(([name]) => `${file}: ${name}`));
  expect(found).toEqual([]);
});

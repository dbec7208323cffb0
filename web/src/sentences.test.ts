import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const ASKING = new Set(['startsWith', 'endsWith', 'includes', 'indexOf', 'match', 'matchAll', 'search', 'split', 'test', 'exec']);
const EQUAL = new Set(['===', '!==', '==', '!=']);

/** Whatever the parser gives: nodes have a type, and others in them. */
interface Node {
  type: string;
  start: number;
  [part: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Two words or more, as people read them. */
const isSentence = (text: string): boolean => text.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length > 1;

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'TemplateLiteral') return (node.quasis as { value: { raw: string } }[]).map((part) => part.value.raw).join('');
  if (node.type !== 'Literal') return undefined;
  const regex = node.regex as { pattern: string } | undefined;
  if (regex) return regex.pattern.replace(/\\[a-zA-Z]|\[[^\]]*\]/g, '');
  return typeof node.value === 'string' ? node.value : undefined;
}

/** What is compared with, or looked for, by this node. */
function askedBy(node: Node): unknown[] {
  if (node.type === 'BinaryExpression' && EQUAL.has(String(node.operator))) return [node.left, node.right];
  if (node.type === 'SwitchCase') return [node.test];
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression') return [];
  const name = (node.callee.property as { name?: string }).name ?? '';
  return ASKING.has(name) ? [node.callee.object, ...(node.arguments as unknown[])] : [];
}

function sentences(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    for (const asked of askedBy(value)) {
      const said = textOf(asked);
      if (said !== undefined && isSentence(said)) found.push(`${file}:${text.slice(0, value.start).split('\n').length}: ${said}`);
    }
    Object.values(value).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return found;
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

test('nothing of the page decides by reading a sentence', () => {
  const all = files('src');
  expect(all.length).toBeGreaterThan(50);
  expect(all.flatMap((file) => sentences(file, readFileSync(file, 'utf8')))).toEqual([]);
});

test('each way to read one is found', () => {
  for (const code of ["a === 'the run ended'", "a.startsWith('the run ended')", '/^the run ended/.exec(a)', "switch (a) { case 'the run ended': break; }"]) {
    expect(sentences('a.ts', code)).toHaveLength(1);
  }
  expect(sentences('a.ts', "a === 'stopped'; say('the run ended'); /[^a-z0-9 ]+/.test(a)")).toEqual([]);
});

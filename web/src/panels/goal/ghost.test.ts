import { expect, test } from 'vitest';
import { nodeView } from '../../api/fake';
import type { SynthesizedView } from '../../api/types';
import { requestOf } from '../../state/goal';
import { rowsOf } from '../tree/rows';
import { withGhosts } from './ghost';

const nodes = [
  nodeView('root', null, { children: ['a', 'b'] }),
  nodeView('a', 'root', { children: ['inner'], kind: 'sequence' }),
  nodeView('inner', 'a'),
  nodeView('b', 'root'),
];
const file = { file: 'test.json', root: 'root', unsaved: false, variables: {}, lets: {}, inputs: null, outputs: null };
const rows = rowsOf({ files: [file], nodes: new Map(nodes.map((node) => [node.id, node])) }, { closed: new Set(), openSkills: new Set(), search: '' });
const found = (parent: string, index: number): SynthesizedView => ({
  request: { from: ['here'], goals: ['there'], strict: false, retry: 0, modes: [] },
  steps: [{ name: 'there', goal: 'there', is_mode: true }],
  tree: null,
  proof: null,
  why: null,
  place: { parent, index },
  link_bytes: 100,
});
const shown = (parent: string, index: number, end = false): string[] =>
  withGhosts(rows, found(parent, index), { is: end ? 'end' : 'waited', name: 'the end', jump: 'a jump' }).map(
    (row) => `${'-'.repeat(row.depth)}${row.node.name}${row.ghost ? '?' : ''}`,
  );

test('what was found stands where it would be put in', () => {
  expect(shown('root', 1)).toEqual(['root', '-a', '--inner', '-Achieve: there?', '--there?', '-b']);
  expect(shown('root', 2, true)).toEqual(['root', '-a', '--inner', '-b', '-Achieve: there?', '--there?', '--→ the end?']);
  expect(shown('a', 0)).toEqual(['root', '-a', '--Achieve: there?', '---there?', '--inner', '-b']);
  expect(shown('gone', 0)).toEqual(['root', '-a', '--inner', '-b']);
});

test('the request stands in the first line of the notes, and no other notes are one', () => {
  const of = (notes: string): unknown => requestOf(nodeView('a', 'root', { notes }));
  expect(of('{"from":["here"],"goals":["there"]}\nProved.')).toEqual({ from: ['here'], goals: ['there'], strict: false });
  for (const notes of ['', 'Some words', '{broken', '{"from":1,"goals":["there"]}', '{"from":[],"goals":[]}']) expect(of(notes)).toBeNull();
});

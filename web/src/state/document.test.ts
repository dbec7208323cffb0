import { expect, test } from 'vitest';
import { nodeView } from '../api/fake';
import { putChange, putDocument, useDoc } from './document';

const change = { push: 'changed' as const, version: 2, by: 'Anna', what: 'move', files: [], nodes: [], removed: [], children: [], undo: null, redo: null };
const children = (id: string): string[] | undefined => useDoc.getState().nodes.get(id)?.children;

test('a change says what became of children, not all of them', () => {
  const nodes = ['a', 'b', 'c', 'd'].map((id) => nodeView(id, 'root'));
  putDocument({ version: 1, files: [], nodes: [nodeView('root', null, { children: ['a', 'b', 'c', 'd'] }), ...nodes], undo: null, redo: null });
  const { children: _, ...root } = nodeView('root', null, { name: 'All' });
  putChange({
    ...change,
    nodes: [root, nodeView('e', 'root'), nodeView('f', 'root')],
    removed: ['b'],
    children: [
      {
        parent: 'root',
        out: ['d', 'b'],
        in: [
          [0, 'd'],
          [1, 'e'],
          [4, 'f'],
        ],
      },
    ],
  });
  expect(children('root')).toEqual(['d', 'e', 'a', 'c', 'f']);
  expect(useDoc.getState().nodes.get('root')?.name).toBe('All');
  expect(children('b')).toBeUndefined();
  expect(children('e')).toEqual([]);
});

import { expect, test } from 'vitest';
import { nodeView } from '../../api/fake';
import type { FileView, NodeView } from '../../api/types';
import { arrowsOf, range, rowsOf, type Shown } from './rows';

const file = (name: string, root: string): FileView => ({ file: name, root, unsaved: false, variables: {}, lets: {}, inputs: null, outputs: null });

function doc(nodes: NodeView[], files = [file('main.json', 'root')]) {
  return { files, nodes: new Map(nodes.map((node) => [node.id, node])) };
}

const all: Shown = { closed: new Set(), openSkills: new Set(), search: '' };
const outline = (rows: ReturnType<typeof rowsOf>): string[] => rows.map((row) => `${'  '.repeat(row.depth)}${row.key}`);

const skills = doc(
  [
    nodeView('root', null, { children: ['one', 'two'] }),
    nodeView('one', 'root', { kind: 'skill', skill: 1 }),
    nodeView('two', 'root', { kind: 'skill', skill: 1 }),
    nodeView('pick', null, { file: 1, children: ['reach'] }),
    nodeView('reach', 'pick', { file: 1 }),
  ],
  [file('main.json', 'root'), file('pick.json', 'pick')],
);

test('a skill is opened in place, each use with keys of its own', () => {
  expect(outline(rowsOf(skills, all))).toEqual(['root', '  one', '  two']);
  const open = rowsOf(skills, { ...all, openSkills: new Set(['one', 'two']) });
  expect(outline(open)).toEqual(['root', '  one', '    one/reach', '  two', '    two/reach']);
  expect(open[2]?.uses).toEqual(['one']);
});

test('a skill that uses itself does not hang the page', () => {
  const own = doc([nodeView('root', null, { children: ['again'] }), nodeView('again', 'root', { kind: 'skill', skill: 0 })]);
  const keys = new Set(
    Array.from({ length: 300 }, (_, depth) =>
      Array(depth + 1)
        .fill('again')
        .join('/'),
    ),
  );
  expect(rowsOf(own, { ...all, openSkills: keys }).length).toBeLessThan(250);
});

test('what is closed hides what is inside, and search finds it', () => {
  const deep = doc([
    nodeView('root', null, { children: ['group'] }),
    nodeView('group', 'root', { kind: 'sequence', children: ['wave', 'nod'] }),
    nodeView('wave', 'group'),
    nodeView('nod', 'group'),
  ]);
  expect(outline(rowsOf(deep, { ...all, closed: new Set(['group']) }))).toEqual(['root', '  group']);
  expect(outline(rowsOf(deep, { ...all, closed: new Set(['group']), search: 'WAV' }))).toEqual(['root', '  group', '    wave']);
  expect(rowsOf(deep, { ...all, search: 'nowhere' })).toEqual([]);
});

test('the children of a fallback are its try and its catch', () => {
  const fallback = doc([
    nodeView('root', null, { kind: 'fallback', tries: 1, children: ['a', 'b', 'c'] }),
    ...['a', 'b', 'c'].map((id) => nodeView(id, 'root')),
  ]);
  const rows = rowsOf(fallback, all);
  expect(rows.map((row) => row.part)).toEqual([null, 'try', 'catch', 'catch']);
  expect(rows.map((row) => row.catchBegins)).toEqual([false, false, true, false]);
});

test('a range goes both ways and needs both ends', () => {
  const rows = rowsOf(skills, all);
  expect(range(rows, 'two', 'root')).toEqual(['root', 'one', 'two']);
  expect(range(rows, 'gone', 'one')).toEqual(['one']);
});

test('arrows lead to what a step executes after, each in a lane where it meets no other', () => {
  const after = doc([
    nodeView('root', null, { children: ['walk', 'w1', 'w2', 'arm'] }),
    nodeView('walk', 'root'),
    nodeView('w1', 'root', { references: { after: 'root' } }),
    nodeView('w2', 'root', { references: { after: 'root' } }),
    nodeView('arm', 'root', { references: { after: 'w1' } }),
  ]);
  const arrows = arrowsOf(rowsOf(after, all));
  expect(arrows.map(({ key, from, to }) => ({ key, from, to }))).toEqual([
    { key: 'w1', from: 2, to: 0 },
    { key: 'arm', from: 4, to: 2 },
    { key: 'w2', from: 3, to: 0 },
  ]);
  expect(new Set(arrows.map((arrow) => arrow.lane)).size).toBe(3);
});

test('two thousand nodes are laid out without recursion trouble', () => {
  const ids = Array.from({ length: 2000 }, (_, index) => `n${index}`);
  const many = doc([nodeView('root', null, { children: ids }), ...ids.map((id) => nodeView(id, 'root'))]);
  expect(rowsOf(many, all).length).toBe(2001);
});

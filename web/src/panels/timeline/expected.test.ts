import { expect, test } from 'vitest';
import { nodeView } from '../../api/fake';
import type { FileView, NodeView } from '../../api/types';
import type { NodeType } from '../settings/schema';
import { Expected } from './expected';

const type = (name: string, role: NodeType['role']): [string, NodeType] => [name, { name, role, group: '', doc: '', summary: '', fields: [], schema: {}, icon: null, handles: [], needs: [], leads_to: null }];
const types = new Map([type('sequence', 'sequence'), type('fallback', 'fallback'), type('parallel', 'composite'), type('wait', 'step'), type('walk', 'step')]);
const file = (root: string): FileView => ({ file: 'a.json', root, unsaved: false, variables: {}, inputs: {}, outputs: {} });

function expected(nodes: NodeView[], durations: [string, number][] = []): Record<string, [number, number]> {
  const doc = { files: [file('root')], nodes: new Map(nodes.map((node) => [node.id, node])) };
  const { bars } = new Expected(doc, { types, durations: new Map(durations) });
  return Object.fromEntries(bars.map((bar) => [bar.key, [bar.startS, bar.endS ?? 0]]));
}

const step = (id: string, parent: string, seconds: number, more: Partial<NodeView> = {}): NodeView => nodeView(id, parent, { kind: 'wait', settings: { duration_s: seconds }, ...more });

test('what executes after the sequence begins with it, and what follows it runs beside the rest', () => {
  const bars = expected([
    nodeView('root', null, { kind: 'sequence', children: ['walk', 'wait', 'arm', 'last'] }),
    nodeView('walk', 'root', { kind: 'walk', settings: {} }),
    step('wait', 'root', 1, { references: { after: 'root' } }),
    step('arm', 'root', 2, { references: { after: 'wait' } }),
    step('last', 'root', 1, { references: { after: 'walk' } }),
  ], [['walk', 7.5]]);
  expect(bars).toEqual({ walk: [0, 7.5], wait: [0, 1], arm: [1, 3], last: [7.5, 8.5] });
});

test('one after the other by default, the catch of a fallback left out, branches side by side', () => {
  const nodes = [
    nodeView('root', null, { kind: 'sequence', children: ['a', 'try', 'both', 'b'] }),
    step('a', 'root', 1),
    nodeView('try', 'root', { kind: 'fallback', children: ['first', 'otherwise'], tries: 1 }),
    step('first', 'try', 2),
    step('otherwise', 'try', 50),
    nodeView('both', 'root', { kind: 'parallel', children: ['left', 'right'] }),
    step('left', 'both', 3),
    step('right', 'both', 4),
    step('b', 'root', 1),
  ];
  const bars = expected(nodes);
  expect(bars).toEqual({ a: [0, 1], first: [1, 3], left: [3, 6], right: [3, 7], both: [3, 7], b: [7, 8] });
});

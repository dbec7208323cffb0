import { expect, test } from 'vitest';

import { goalsOf } from '../../three/goals';
import { nodeView } from '../../api/fake';
import { hasIcon } from '../tree/icons';
import { choicesOf } from '../tree/AddNode';
import { readNodeTypes } from './schema';
import told from './newType.json';

/** A type that the page has never heard of, as a test of the program writes it down. */
test('a new node type is in the palette, the form and the 3D view by what it declares', () => {
  const type = readNodeTypes([told]).get('poke');
  if (!type) throw new Error('it is not there');
  expect(choicesOf(type)).toMatchObject([{ title: 'poke', doc: 'Pokes something.', icon: 'hand' }]);
  expect(hasIcon(type.icon ?? '')).toBe(true);
  expect(type.fields.map((field) => field.name)).toEqual(['what', 'frame', 'place', 'towards']);
  expect(type.needs.map((need) => need.field)).toEqual(['what']);
  const node = nodeView('a', 'root', { kind: 'poke', name: 'Bear', settings: { frame: 'world', place: { x_m: 0.3 } } });
  expect(type.offers).toMatchObject([{ title: 'Poke it', short: 'Poke', with: [['what', 'floor']], gives: { ground: { place: 'place', facing: 'towards' } } }]);
  expect(goalsOf(node, type)).toMatchObject([{ field: 'place', frame: 'world', pose: { x_m: 0.3 }, looks: 'point', title: 'Bear', axes: ['x', 'y', 'z'] }]);
});

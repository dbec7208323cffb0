import { expect, test } from 'vitest';
import { byFit, rank } from './rank';

const ENTRIES: [string, string][] = [
  ['spine spine', 'Turns and bends the trunk, by the angles of its joints, standing or not, in a frame.'],
  ['stand in stand_in', 'Takes the place of an action that does not exist yet.'],
  ['arm, left arm', 'Moves an arm.'],
  ['arm, right arm', 'Moves an arm.'],
  ['hand wrench, left hand_wrench', 'Presses with a hand for a time.'],
  ['wait wait', 'Waits for a time.'],
];

const best = (typed: string): string | undefined =>
  ENTRIES.map(([title, doc]) => ({ title, score: rank(title, typed, doc.split(' ')) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)[0]?.title;

test('the title decides, then its words, then what it does', () => {
  expect(best('stand in')).toBe('stand in stand_in');
  expect(best('arm, right')).toBe('arm, right arm');
  expect(best('right arm')).toBe('arm, right arm');
  expect(best('wre')).toBe('hand wrench, left hand_wrench');
  expect(best('presses')).toBe('hand wrench, left hand_wrench');
  expect(best('nothing like it')).toBeUndefined();
});

test('what fits best comes first, also from a group that stands further down', () => {
  const entries = [
    { key: 'reserve', group: 'Control', title: 'reserve reserve', keywords: ['waiting'] },
    { key: 'wait_until', group: 'Actions', title: 'wait until wait_until' },
    { key: 'wait', group: 'Actions', title: 'wait wait' },
  ];
  const found = byFit(entries, 'wait');
  expect(found.map(({ group, entries: all }) => [group, all.map(({ key }) => key)])).toEqual([
    ['Actions', ['wait', 'wait_until']],
    ['Control', ['reserve']],
  ]);
  expect(byFit(entries, '').map(({ group }) => group)).toEqual(['Control', 'Actions']);
  expect(byFit(entries, 'nothing like it')).toEqual([]);
});

import { expect, test } from 'vitest';
import { completions, wordAt } from './complete';

const functions = [
  { name: 'reach_m', usage: "reach_m('right')", help: 'metres' },
  { name: 'body_width_m', usage: 'body_width_m()', help: 'metres' },
  { name: 'contains', usage: 'text.contains(part)', help: 'true' },
];

test('the word before the caret is what is completed', () => {
  expect(wordAt('2 * rea', 7)).toEqual({ from: 4, word: 'rea' });
  expect(wordAt("side == 'rea", 12)).toBeNull();
  expect(wordAt("f('a') + b", 10)).toEqual({ from: 9, word: 'b' });
  expect(wordAt('reach', 2)).toBeNull();
  expect(wordAt('2 * ', 4)).toBeNull();
});

test('variables stand before functions, beginnings before the rest', () => {
  const shown = completions('re', ['rest_s', 'more'], functions).map((one) => one.insert);
  expect(shown).toEqual(['rest_s', 'reach_m(', 'more']);
  expect(completions('width', [], functions).map((one) => one.insert)).toEqual(['body_width_m()']);
  expect(completions('cont', [], functions)).toEqual([]);
  expect(completions('more', ['more'], [])).toEqual([]);
});

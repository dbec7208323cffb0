import { expect, test } from 'vitest';
import { beginPlacing, changePlacing, freeName, placeable, usePlacing } from './placing';
import { putAround, useWorld } from './world';

test('a name that is taken gets a number', () => {
  expect(freeName('ball', [])).toBe('ball');
  expect(freeName('ball', ['ball', 'ball_2'])).toBe('ball_3');
});

test('another class gives another name, another name stays', () => {
  useWorld.setState({ objects: [{ name: 'ball', pose: null, class: null, stale: false, frozen: false }] });
  beginPlacing('ball');
  expect(usePlacing.getState().placing?.name).toBe('ball_2');
  changePlacing({ class: 'box' });
  expect(usePlacing.getState().placing).toMatchObject({ class: 'box', name: 'box', frame: 'world' });
  changePlacing({ name: 'mine' });
  changePlacing({ pose: [1, 2, 3, 0, 0, 0, 1] });
  expect(usePlacing.getState().placing).toMatchObject({ name: 'mine', pose: [1, 2, 3, 0, 0, 0, 1] });
});

test('templates come first, and each class once', () => {
  const template = { class: 'ball', notes: '', form: null, form_at: [] };
  expect(placeable([template], ['cup', 'ball'])).toEqual(['ball', 'cup']);
});

test('of the world what did not move stays the same, and a whole one replaces all', () => {
  const solid = (number: number, x: number): Parameters<typeof putAround>[1][number] => ({
    number,
    name: 'door',
    form: { sphere: { radius_m: 1 } },
    colour: [0, 0, 0, 255],
    pose: [x],
  });
  putAround(true, [solid(0, 1), solid(1, 1)], []);
  const [first] = useWorld.getState().solids;
  putAround(false, [solid(1, 2)], []);
  expect(useWorld.getState().solids[0]).toBe(first);
  expect(useWorld.getState().solids[1]?.pose).toEqual([2]);
  putAround(true, [], []);
  expect(useWorld.getState().solids).toEqual([]);
});

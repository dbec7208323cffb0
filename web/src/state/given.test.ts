// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { FakeOperator, nodeView } from '../api/fake';
import { connect } from './connect';
import { useDoc } from './document';
import { givenKey, giveSetting, useGiven } from './given';
import { useWorld } from './world';

let operator: FakeOperator;
const given = (): unknown => useGiven.getState().settings.get(givenKey('a', 'pose'))?.value;

beforeEach(async () => {
  operator = new FakeOperator([nodeView('root', null, { children: ['a'] }), nodeView('a', 'root')]);
  connect(operator.open);
  await expect.poll(() => useWorld.getState().socket).toBe('open');
  await expect.poll(() => useDoc.getState().nodes.size).toBe(2);
});

test('parts of a setting written faster than the answers come are all there', async () => {
  const all = [];
  for (const [part, value] of Object.entries({ x_m: 1, y_m: 2, z_m: 3 })) {
    all.push(giveSetting('a', 'pose', { ...(given() as object), [part]: value }));
  }
  expect(useDoc.getState().nodes.get('a')?.settings.pose).toBeUndefined();
  await Promise.all(all);
  expect(useDoc.getState().nodes.get('a')?.settings.pose).toEqual({ x_m: 1, y_m: 2, z_m: 3 });
  expect(useGiven.getState().settings.size).toBe(0);
});

test('one that was refused is as it was', async () => {
  operator.refuse.set('edit', 'no');
  await giveSetting('a', 'pose', { x_m: 1 });
  expect(given()).toBeUndefined();
});

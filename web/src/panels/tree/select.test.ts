import { expect, test } from 'vitest';
import { useUi } from '../../state/ui';
import type { Row } from './rows';
import { moveSelection } from './select';

const rows = ['a', 'b', 'c', 'd'].map((key) => ({ key }) as Row);

test.each([
  ['down', 1, 'a'],
  ['up', -1, 'd'],
  ['Home', -4, 'a'],
  ['End', 4, 'd'],
])('with nothing selected, %s selects as in every tree', (_, by, selected) => {
  useUi.setState({ selection: [] });
  moveSelection(rows, by, false);
  expect(useUi.getState().selection).toEqual([selected]);
});

import { expect, test } from 'vitest';
import { runView } from '../api/fake';
import { aligned, samplePlots, seriesOf } from './plots';
import { putRun } from './run';

const variable = (name: string, value: unknown) => ({ name, of: null, world: true, value });
const at = (time_s: number, ...variables: ReturnType<typeof variable>[]): void => {
  putRun(runView({ time_s }));
  samplePlots(variables);
};

test('numbers and truth are kept over time, texts are not; a new run begins anew', () => {
  at(1, variable('force', 2), variable('on', false), variable('name', 'x'));
  at(2, variable('force', 3), variable('on', true));
  expect(seriesOf('force')).toEqual({ timesS: [1, 2], values: [2, 3] });
  expect(seriesOf('on').values).toEqual([0, 1]);
  expect(seriesOf('name').values).toEqual([]);
  at(0.5, variable('force', 9));
  expect(seriesOf('force')).toEqual({ timesS: [0.5], values: [9] });
  expect(aligned(['force', 'on'])).toEqual([[0.5, 1, 2], [9, null, null], [null, 0, 1]]);
});

import { expect, test } from 'vitest';
import { runView } from '../api/fake';
import { aligned, samplePlots, seriesOf } from './plots';
import { addChannel, csvOf, removeChannel, statistics, usePlotting, valueAt } from './plotting';
import { putRun } from './run';

const variable = (name: string, value: unknown) => ({ name, of: null, world: true, value });
const at = (time_s: number, ...variables: ReturnType<typeof variable>[]): void => {
  putRun(runView({ time_s }));
  samplePlots(variables);
};

test('numbers and truth are kept over time, texts are not; a new run begins anew', () => {
  at(1, variable('force', 2), variable('on', false), variable('name', 'x'));
  at(2, variable('force', 3), variable('on', true));
  expect(seriesOf('variable/force')).toEqual({ timesS: [1, 2], values: [2, 3], unit: '' });
  expect(seriesOf('variable/on').values).toEqual([0, 1]);
  expect(seriesOf('variable/name').values).toEqual([]);
  at(0.5, variable('force', 9));
  expect(seriesOf('variable/force')).toEqual({ timesS: [0.5], values: [9], unit: '' });
  expect(aligned([seriesOf('variable/force'), seriesOf('variable/on')])).toEqual([
    [0.5, 1, 2],
    [9, null, null],
    [null, 0, 1],
  ]);
});

test('statistics, the value at the cursor and the table are of the visible stretch', () => {
  const data = { timesS: [1, 2, 3, 4], values: [2, 4, 4, 6] };
  expect(statistics(data, null)).toEqual({ count: 4, least: 2, greatest: 6, mean: 4, deviation: Math.sqrt(2) });
  expect(statistics(data, [2, 3.5])).toEqual({ count: 2, least: 4, greatest: 4, mean: 4, deviation: 0 });
  expect(statistics(data, [8, 9]).count).toBe(0);
  expect([0.5, 1, 2.9, 9, null].map((atS) => valueAt(data, atS))).toEqual([undefined, 2, 4, 6, 6]);
  expect(csvOf(['a', 'b, "c"'], [data, { timesS: [2.5], values: [7] }])).toBe('time_s,a,"b, ""c"""\n1,2,\n2,4,\n2.5,,7\n3,4,\n4,6,\n');
});

test('channels go into the plot they are put into, or one of their own; one without any is gone', () => {
  addChannel('a');
  const [first] = usePlotting.getState().plots;
  addChannel('b', first?.number);
  addChannel('b', first?.number);
  addChannel('c');
  expect(usePlotting.getState().plots.map((plot) => plot.channels)).toEqual([['a', 'b'], ['c']]);
  removeChannel('a', first?.number ?? 0);
  removeChannel('b', first?.number ?? 0);
  expect(usePlotting.getState().plots.map((plot) => plot.channels)).toEqual([['c']]);
});

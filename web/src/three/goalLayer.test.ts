// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { nodeView } from '../api/fake';
import type { NodeType } from '../panels/settings/schema';
import { Frames } from './frames';
import { GoalLayer } from './goalLayer';
import { matrixOf, settingOf } from './pose';

const TYPE = {
  name: 'reach',
  fields: [],
  handles: [{ field: 'pose', part: null, looks: 'point', drag: 'free', title: null, side: null, by: null, stands: 'frame', written: 'pose' }],
} as unknown as NodeType;

test('what is put is there until the last of it is answered, whatever is told meanwhile', async () => {
  const answers: ((taken: boolean) => void)[] = [];
  const layer = new GoalLayer(new Frames(), () => undefined);
  const tell = (x_m: number): void => layer.setSteps([{ node: nodeView('a', 'root', { settings: { frame: 'world', pose: { x_m } } }), type: TYPE, lit: true }]);
  const x = (): number => {
    const matrix = layer.worldFromActive();
    if (!matrix) throw new Error('no goal');
    return settingOf(matrix).x_m;
  };
  const put = (x_m: number): void => layer.put(matrixOf({ x_m }), () => new Promise((answered) => answers.push(answered)));
  tell(0.4);
  put(0.41);
  put(0.42);
  expect(x()).toBe(0.42);
  // The change of the first comes, then its answer; the second is on its way.
  tell(0.41);
  expect(x()).toBe(0.42);
  answers[0]?.(true);
  await Promise.resolve();
  tell(0.41);
  expect(x()).toBe(0.42);
  // Refused, it goes back to what was told.
  answers[1]?.(false);
  await Promise.resolve();
  await Promise.resolve();
  expect(x()).toBe(0.41);
});

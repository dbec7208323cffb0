import { Matrix4, Raycaster, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { nodeView } from '../api/fake';
import { FocusCamera } from './camera';
import { Gizmo } from './gizmo';
import { goalsOf, settingsFor } from './goals';
import { nudgeOf } from './keys';
import { matrixOf, settingOf } from './pose';

test('a pose of the settings and back is the same', () => {
  const pose = { x_m: 0.25, y_m: -0.3, z_m: 1.1, roll_deg: 10, pitch_deg: -40, yaw_deg: 120 };
  expect(settingOf(matrixOf(pose))).toEqual(pose);
});

test('roll is first and yaw last', () => {
  const along = new Vector3(1, 0, 0).transformDirection(matrixOf({ pitch_deg: 90, yaw_deg: 90 }));
  expect(along.z).toBeCloseTo(-1);
});

test('the camera faces its focus and does not turn over', () => {
  const camera = new FocusCamera();
  camera.orbit(0, 10_000, false);
  camera.update();
  expect(camera.latitude).toBeLessThan(Math.PI / 2);
  const towards = camera.camera.getWorldDirection(new Vector3());
  expect(towards.dot(camera.focus.clone().sub(camera.camera.position).normalize())).toBeCloseTo(1);
});

test('keys move the focus over the ground, up and down, and zoom', () => {
  const camera = new FocusCamera();
  const before = camera.focus.clone();
  camera.press('w');
  camera.advance(0.5, false);
  expect(camera.focus.z).toBe(before.z);
  expect(camera.focus.clone().sub(before).dot(camera.axes().forward)).toBeGreaterThan(0);
  camera.release('W');
  camera.press('q');
  camera.advance(0.5, false);
  expect(camera.focus.z).toBeGreaterThan(before.z);
  camera.releaseAll();
  camera.press('e');
  const far = camera.distance;
  camera.advance(0.1, false);
  expect(camera.distance).toBeGreaterThan(far);
  expect(camera.press('x')).toBe(false);
});

test("the gizmo's keys are those of the table", () => {
  const key = (name: string, ctrlKey = false, altKey = false) => nudgeOf({ key: name, ctrlKey, altKey, metaKey: false });
  expect(key('ArrowUp')).toEqual({ move: [1, 0, 0] });
  expect(key('ArrowRight')).toEqual({ move: [0, -1, 0] });
  expect(key('ArrowUp', true)).toEqual({ move: [0, 0, 1] });
  expect(key('ArrowLeft', true)).toEqual({ turn: [0, 0, 1] });
  expect(key('ArrowUp', false, true)).toEqual({ turn: [0, 1, 0] });
  expect(key('ArrowRight', false, true)).toEqual({ turn: [1, 0, 0] });
  expect(key('w')).toBeNull();
});

test('an axis is dragged as far as the mouse goes, and fine a tenth of it', () => {
  const camera = new FocusCamera();
  camera.resize(800, 600);
  camera.update();
  for (const [fine, far] of [[false, 0.2], [true, 0.02]] as const) {
    const gizmo = new Gizmo();
    gizmo.show(new Matrix4().setPosition(0.3, 0, 0.9));
    gizmo.hovered = 'y';
    const ray = (y: number): Raycaster => {
      const caster = new Raycaster();
      caster.set(camera.camera.position, new Vector3(0.3, y, 0.9).sub(camera.camera.position).normalize());
      return caster;
    };
    expect(gizmo.begin(ray(0).ray, camera.camera, fine)).toBe(true);
    gizmo.move(ray(0.2).ray, camera.camera);
    expect(settingOf(gizmo.pose)).toMatchObject({ x_m: 0.3, y_m: far, z_m: 0.9 });
    expect(gizmo.cancel()).toBe(true);
    expect(settingOf(gizmo.pose)).toMatchObject({ y_m: 0 });
  }
});

test('the goals of a walk by steps are its footsteps, each set without touching the others', () => {
  const steps = [{ side: 'left', pose: { x_m: 0.2, y_m: 0.1 } }, { pose: { x_m: 0.4, y_m: -0.1 } }];
  const node = nodeView('walk', 'root', { kind: 'walk', settings: { by: 'steps', steps } });
  const goals = goalsOf(node, { by: 'goal', frame: 'walking' });
  expect(goals.map((goal) => [goal.title, goal.side, goal.frame])).toEqual([['1', 'left', 'walking'], ['2', 'right', 'walking']]);
  const second = goals[1];
  if (!second) throw new Error('no second step');
  const moved = settingsFor(second, { x_m: 0.5, y_m: -0.1, z_m: 0, roll_deg: 3, pitch_deg: 0, yaw_deg: 10 }, node.settings);
  expect(moved).toEqual({ steps: [steps[0], { pose: { x_m: 0.5, y_m: -0.1, yaw_deg: 10 } }] });
});

test('an arm has a goal to drag only when it goes by pose', () => {
  const arm = (by: string) => goalsOf(nodeView('a', 'root', { kind: 'arm', settings: { by, side: 'left' } }), { frame: 'chest', pose: {} });
  expect(arm('pose')).toMatchObject([{ field: 'pose', frame: 'chest', side: 'left', looks: 'hand' }]);
  expect(arm('angles')).toEqual([]);
});

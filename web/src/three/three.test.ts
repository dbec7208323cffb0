import { Matrix4, Raycaster, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { nodeView } from '../api/fake';
import { FocusCamera } from './camera';
import { Gizmo, nudging } from './gizmo';
import type { Handle, NodeType } from '../panels/settings/schema';
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

test.each([
  ['ArrowUp', '', { move: [1, 0, 0] }],
  ['ArrowDown', '', { move: [-1, 0, 0] }],
  ['ArrowLeft', '', { move: [0, 1, 0] }],
  ['ArrowRight', '', { move: [0, -1, 0] }],
  ['ArrowUp', 'ctrl', { move: [0, 0, 1] }],
  ['ArrowDown', 'ctrl', { move: [0, 0, -1] }],
  ['ArrowLeft', 'ctrl', { turn: [0, 0, 1] }],
  ['ArrowRight', 'ctrl', { turn: [0, 0, -1] }],
  ['ArrowUp', 'alt', { turn: [0, 1, 0] }],
  ['ArrowDown', 'alt', { turn: [0, -1, 0] }],
  ['ArrowRight', 'alt', { turn: [1, 0, 0] }],
  ['ArrowLeft', 'alt', { turn: [-1, 0, 0] }],
  ['w', '', null],
])("the gizmo's key %s with %s does what the thesis' table says", (key, held, does) => {
  expect(nudgeOf({ key, ctrlKey: held === 'ctrl', altKey: held === 'alt', metaKey: false })).toEqual(does);
});

test('the frame the keys move in can be the world or its own, and the steps coarse', () => {
  const camera = new FocusCamera();
  const gizmo = new Gizmo();
  const from = (): void => gizmo.show(matrixOf({ yaw_deg: 90 }));
  from();
  nudging.along = 'world';
  expect(settingOf(gizmo.nudge({ move: [1, 0, 0] }, camera, false))).toMatchObject({ x_m: 0.01, y_m: 0 });
  from();
  nudging.along = 'own';
  nudging.coarse = true;
  expect(settingOf(gizmo.nudge({ move: [1, 0, 0] }, camera, false))).toMatchObject({ x_m: 0, y_m: 0.05 });
  Object.assign(nudging, { along: 'seen', coarse: false });
});

test("each key of the camera does what the thesis' table says, and Shift a fraction of it", () => {
  const moved = (key: string, fine = false): { forward: number; left: number; up: number; closer: number } => {
    const camera = new FocusCamera();
    const before = camera.focus.clone();
    const far = camera.distance;
    camera.press(key);
    camera.advance(0.1, fine);
    const by = camera.focus.clone().sub(before);
    const { forward, left } = camera.axes();
    const round = (value: number): number => Math.sign(Math.round(value * 1e6));
    return { forward: round(by.dot(forward)), left: round(by.dot(left)), up: round(by.z), closer: round(far - camera.distance) };
  };
  const none = { forward: 0, left: 0, up: 0, closer: 0 };
  expect(moved('w')).toEqual({ ...none, forward: 1 });
  expect(moved('s')).toEqual({ ...none, forward: -1 });
  expect(moved('a')).toEqual({ ...none, left: 1 });
  expect(moved('d')).toEqual({ ...none, left: -1 });
  expect(moved('q')).toEqual({ ...none, up: 1 });
  expect(moved('z')).toEqual({ ...none, up: -1 });
  expect(moved('c')).toEqual({ ...none, closer: 1 });
  expect(moved('e')).toEqual({ ...none, closer: -1 });
  const camera = new FocusCamera();
  camera.press('W');
  camera.advance(0.1, true);
  const fine = camera.focus.clone();
  camera.advance(0.1, false);
  expect(camera.focus.distanceTo(fine)).toBeGreaterThan(fine.distanceTo(new FocusCamera().focus) * 3);
});

test('an axis is dragged as far as the mouse goes, and fine a tenth of it', () => {
  const camera = new FocusCamera();
  camera.resize(800, 600);
  camera.update();
  for (const [fine, far] of [
    [false, 0.2],
    [true, 0.02],
  ] as const) {
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

function typeWith(defaults: Record<string, unknown>, handles: { field: string; by: string[]; handle: Partial<Handle> }[]): NodeType {
  const field = (name: string, value: unknown, by?: string[]) => ({
    name,
    unit: null,
    format: null,
    doc: '',
    default: value,
    schema: by ? { 'x-by': by } : {},
  });
  return {
    name: 'a type',
    role: 'step',
    group: '',
    doc: '',
    summary: '',
    schema: {},
    icon: null,
    needs: [],
    offers: [],
    leads_to: null,
    calls: false,
    fields: [...Object.entries(defaults).map(([name, value]) => field(name, value)), ...handles.map((one) => field(one.field, {}, one.by))],
    handles: handles.map((one) => ({
      field: one.field,
      part: null,
      looks: 'point',
      drag: 'free',
      title: null,
      side: null,
      by: null,
      stands: 'frame',
      written: 'pose',
      ...one.handle,
    })),
  };
}

test('the goals of a walk by steps are its footsteps, each set without touching the others', () => {
  const steps = [{ side: 'left', pose: { x_m: 0.2, y_m: 0.1 } }, { pose: { x_m: 0.4, y_m: -0.1 } }];
  const node = nodeView('walk', 'root', { kind: 'walk', settings: { by: 'steps', steps } });
  const walk = typeWith({ by: 'goal', frame: 'walking' }, [
    { field: 'stance', by: ['goal'], handle: { drag: 'place' } },
    { field: 'steps', by: ['steps'], handle: { part: 'pose', looks: 'foot', drag: 'ground' } },
  ]);
  const goals = goalsOf(node, walk);
  expect(goals.map((goal) => [goal.title, goal.side, goal.frame])).toEqual([
    ['1', 'left', 'walking'],
    ['2', 'right', 'walking'],
  ]);
  const second = goals[1];
  if (!second) throw new Error('no second step');
  const moved = settingsFor(second, { x_m: 0.5, y_m: -0.1, z_m: 0, roll_deg: 3, pitch_deg: 0, yaw_deg: 10 }, node.settings);
  expect(moved).toEqual({ steps: [steps[0], { pose: { x_m: 0.5, y_m: -0.1, yaw_deg: 10 } }] });
});

test('an arm has a goal to drag only when it goes by pose', () => {
  const type = typeWith({ frame: 'chest' }, [{ field: 'pose', by: ['pose'], handle: { looks: 'hand' } }]);
  const arm = (by: string) => goalsOf(nodeView('a', 'root', { kind: 'arm', settings: { by, side: 'left' } }), type);
  expect(arm('pose')).toMatchObject([{ field: 'pose', frame: 'chest', side: 'left', looks: 'hand' }]);
  expect(arm('angles')).toEqual([]);
});

test('a foot at the end of a walk is seen from its stance, turned to what it faces', () => {
  const stands = { at: { place: 'stance', facing: 'focal' } };
  const type = typeWith({ by: 'goal', frame: 'walking' }, [
    { field: 'left_foot', by: ['goal'], handle: { looks: 'foot', drag: 'ground', side: 'left', stands } },
  ]);
  const node = nodeView('w', 'root', { kind: 'walk', settings: { stance: { x_m: 1 }, focal: { x_m: 1, y_m: 2 }, left_foot: { y_m: 0.1 } } });
  expect(goalsOf(node, type)).toMatchObject([{ frame: 'walking', side: 'left', from: { x_m: 1, y_m: 0, yaw_deg: 90 }, pose: { y_m: 0.1 } }]);
  expect(goalsOf(nodeView('w', 'root', { kind: 'walk', settings: { left_foot: null } }), type)).toEqual([]);
});

test('of a pelvis only what was moved is written, sideways with the setting that makes it count', () => {
  const written = { apart: { z_m: 'height_m', xy_if: 'moves_sideways', now: 'pelvis' } };
  const type = typeWith({ frame: 'walking', yaw_deg: 0, pitch_deg: 0, roll_deg: 0, moves_sideways: false, x_m: 0, y_m: 0 }, [
    { field: 'height_m', by: [], handle: { looks: 'body', drag: 'free', written } },
  ]);
  const plain = { ...type, fields: type.fields.map((field) => ({ ...field, default: field.name === 'height_m' ? null : field.default, schema: {} })) };
  const node = nodeView('p', 'root', { kind: 'pelvis', settings: {} });
  const [goal] = goalsOf(node, plain);
  if (!goal) throw new Error('no goal');
  expect(goal).toMatchObject({ now: 'pelvis', pose: { yaw_deg: 0 } });
  expect(goal.pose).not.toHaveProperty('z_m');
  const now = { x_m: 0.02, y_m: 0, z_m: 0.8, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 };
  expect(settingsFor(goal, { ...now, z_m: 0.7 }, {}, now)).toEqual({ height_m: 0.7 });
  expect(settingsFor(goal, { ...now, x_m: 0.1, yaw_deg: 5 }, {}, now)).toEqual({ yaw_deg: 5, moves_sideways: true, x_m: 0.1, y_m: 0 });
});

test('a force is an arrow as long as it is strong, from the hand of its side', () => {
  const type = typeWith({ frame: 'chest', side: 'left' }, [
    { field: 'force', by: [], handle: { looks: 'force', drag: 'place', stands: 'hand', written: { vector: { unit: 'n', mm: 5 } } } },
  ]);
  const plain = { ...type, fields: type.fields.map((field) => ({ ...field, schema: {} })) };
  const [goal] = goalsOf(nodeView('f', 'root', { kind: 'push', settings: { force: { x_n: 40 } } }), plain);
  if (!goal) throw new Error('no goal');
  expect(goal).toMatchObject({ origin: 'left_hand', pose: { x_m: 0.2, y_m: 0, z_m: 0 } });
  expect(settingsFor(goal, { x_m: 0.2, y_m: 0, z_m: -0.1, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }, {})).toEqual({ force: { x_n: 40, z_n: -20 } });
});

import { expect, test } from 'vitest';
import { CLOUD, PICTURE, readCloud, readPicture, readRobotState, ROBOT_STATE } from './binary';

function robotState(joints: number[]): ArrayBuffer {
  const buffer = new ArrayBuffer(41 + joints.length * 4);
  const view = new DataView(buffer);
  view.setUint8(0, ROBOT_STATE);
  view.setFloat64(1, 12.5, true);
  [1, 2, 3, 0, 0, 0, 1].forEach((value, index) => view.setFloat32(9 + index * 4, value, true));
  view.setUint16(37, 6, true);
  view.setUint16(39, joints.length, true);
  joints.forEach((value, index) => view.setFloat32(41 + index * 4, value, true));
  return buffer;
}

test('a robot state is read field by field', () => {
  const state = readRobotState(robotState([0.5, -0.25]));
  expect(state).toMatchObject({ timeS: 12.5, flags: 6 });
  expect([...(state?.base ?? [])]).toEqual([1, 2, 3, 0, 0, 0, 1]);
  expect([...(state?.joints ?? [])]).toEqual([0.5, -0.25]);
});

test('a message that is cut, or another kind of message, is no robot state', () => {
  expect(readRobotState(robotState([0.5, -0.25]).slice(0, 45))).toBeNull();
  expect(readRobotState(new Uint8Array([CLOUD, 0, 0]).buffer)).toBeNull();
  expect(readRobotState(new ArrayBuffer(0))).toBeNull();
});

test('a cloud is planar millimetres around its origin', () => {
  const buffer = new ArrayBuffer(25 + 2 * 10);
  const view = new DataView(buffer);
  view.setUint8(0, CLOUD);
  [1, 0, -1].forEach((value, axis) => view.setFloat32(9 + axis * 4, value, true));
  view.setUint32(21, 2, true);
  [1000, -500, 250, 0, 0, 1].forEach((value, index) => view.setInt16(25 + index * 2, value, true));
  new Uint8Array(buffer, 37).set([255, 0, 0, 255, 0, 255, 0, 255]);
  const cloud = readCloud(buffer);
  expect([...(cloud?.positions ?? [])].map((value) => Math.round(value * 1000))).toEqual([2000, 250, -1000, 500, 0, -999]);
  expect([...(cloud?.colours ?? [])].slice(4)).toEqual([0, 255, 0, 255]);
});

test('a picture gets its alpha', () => {
  const bytes = new Uint8Array(14 + 4 + 2 * 3);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, PICTURE);
  view.setUint16(9, 2, true);
  view.setUint16(11, 1, true);
  view.setUint8(13, 4);
  bytes.set(new TextEncoder().encode('head'), 14);
  bytes.set([1, 2, 3, 4, 5, 6], 18);
  const picture = readPicture(bytes.buffer);
  expect(picture).toMatchObject({ camera: 'head', width: 2, height: 1 });
  expect([...(picture?.pixels ?? [])]).toEqual([1, 2, 3, 255, 4, 5, 6, 255]);
});

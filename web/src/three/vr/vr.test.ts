import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { buttonAt, HEIGHT, layOut, WIDTH, type Line } from './panel';
import { Rig } from './rig';

const lines: Line[] = [
  { text: 'status' },
  { buttons: [{ id: 'stop', title: 'STOP', stop: true }] },
  {
    buttons: [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B', off: true },
    ],
  },
];

test('a button of the panel is found where it is drawn, one that is off is not', () => {
  const boxes = layOut(lines);
  const middle = (title: string): [number, number] => {
    const box = boxes.find(({ line, button }) => 'buttons' in line && line.buttons[button ?? 0]?.title === title);
    if (!box) throw new Error(`no ${title}`);
    return [(box.x + box.width / 2) / WIDTH, (box.y + box.height / 2) / HEIGHT];
  };
  expect(buttonAt(boxes, ...middle('STOP'))).toBe('stop');
  expect(buttonAt(boxes, ...middle('A'))).toBe('a');
  expect(buttonAt(boxes, ...middle('B'))).toBeNull();
  expect(buttonAt(boxes, 0.5, 0.99)).toBeNull();
});

test('what does not fit on the panel is left out, Stop stays', () => {
  const boxes = layOut([...lines, ...Array.from({ length: 80 }, (_, index) => ({ text: `line ${index}` }))]);
  expect(boxes.every(({ y, height }) => y + height <= HEIGHT)).toBe(true);
  expect(boxes.some(({ line }) => 'buttons' in line && line.buttons[0]?.stop)).toBe(true);
});

test('one stands where one wants, looks ahead, walks, turns and teleports about oneself', () => {
  const rig = new Rig();
  rig.camera.position.set(0.5, 1.6, 0.2); // somewhere in the room
  rig.stand(new Vector3(1, 2, 0), 0);
  expect(rig.heading).toBeCloseTo(0);
  expect(rig.head.z).toBeCloseTo(1.6);
  const before = rig.head;
  rig.turn(Math.PI / 2);
  expect(rig.heading).toBeCloseTo(Math.PI / 2);
  expect(rig.head.distanceTo(before)).toBeCloseTo(0);
  rig.walk(1, 0);
  expect(rig.head.y).toBeCloseTo(before.y + 1);
  rig.teleport(new Vector3(-3, 4, 0));
  expect(rig.head.toArray().map((value) => Math.round(value * 100) / 100)).toEqual([-3, 4, 1.6]);
});

// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { commandFor, nameOfKey, onCancel, cancelOne } from './keys';
import { registerAll } from './list';
import { allCommands } from './registry';

registerAll();

const press = (init: KeyboardEventInit, target: Element = document.body): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { bubbles: true, ...init });
  Object.defineProperty(event, 'target', { value: target });
  return event;
};

test('every command has an id and a title of its own', () => {
  const ids = allCommands().map((one) => one.id);
  expect(new Set(ids).size).toBe(ids.length);
  const titles = allCommands().map((one) => one.title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('no bare key commands the robot', () => {
  for (const one of allCommands().filter((command) => command.robot)) {
    for (const keys of one.keys?.split(' ') ?? []) expect(keys, one.id).toMatch(/^(Ctrl|Alt)\+/);
  }
});

test('everything of the run bar and of the tree that reaches the robot says so', () => {
  const run = allCommands().filter((one) => one.group === 'Run' && !one.robot);
  expect(run.map((one) => one.id)).toEqual([
    'run.preview',
    'run.preview_all',
    'run.take_control',
    'run.ask_control',
    'run.ask_control_no_more',
    'run.give_control',
    'run.preview_mode',
    'run.preview_next',
    'run.preview_beginning',
  ]);
});

test('no key means two things in one place', () => {
  const seen = new Map<string, string>();
  for (const one of allCommands()) {
    for (const keys of one.keys?.split(' ') ?? []) {
      const place = `${one.scope ?? ''} ${keys}`;
      expect(seen.get(place), `${keys} of ${one.id}`).toBeUndefined();
      seen.set(place, one.id);
    }
  }
});

test('keys are named the same on every keyboard', () => {
  expect(nameOfKey(press({ key: 'Z', ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+Z');
  expect(nameOfKey(press({ key: 'z', metaKey: true }))).toBe('Ctrl+Z');
  expect(nameOfKey(press({ key: '?', shiftKey: true }))).toBe('?');
  expect(nameOfKey(press({ key: ' ', ctrlKey: true }))).toBe('Ctrl+Space');
});

test('stop works while a text is typed, a step does not', () => {
  const input = document.createElement('input');
  expect(commandFor(press({ key: '.', ctrlKey: true }, input))?.id).toBe('run.stop');
  expect(commandFor(press({ key: 'Enter', ctrlKey: true }, input))).toBeUndefined();
  expect(commandFor(press({ key: 'Enter', ctrlKey: true }))?.id).toBe('run.step');
});

test('adding by typing needs the focus in the tree', () => {
  const panel = document.createElement('section');
  panel.dataset.panel = 'tree';
  expect(commandFor(press({ key: 'a' }, panel))?.id).toBe('tree.add');
  expect(commandFor(press({ key: 'a' }))).toBeUndefined();
});

test('escape cancels the newest thing that can be, and only that', () => {
  const done: string[] = [];
  const cancels = (name: string, takes: boolean) =>
    onCancel(() => {
      done.push(name);
      return takes;
    });
  const forget = [cancels('outer', true), cancels('inner', false), cancels('drag', true)];
  expect(cancelOne()).toBe(true);
  expect(done).toEqual(['drag']);
  forget[2]?.();
  expect(cancelOne()).toBe(true);
  expect(done).toEqual(['drag', 'inner', 'outer']);
  forget.forEach((one) => one());
});

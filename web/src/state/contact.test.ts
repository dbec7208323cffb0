import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloud, robotState } from '../api/slots';
import type { LinkView } from '../api/types';
import { ageS, heard, isReached, linkIs, losePage, useContact, watchSilence } from './contact';
import { usePreviewing } from './previewing';
import { useWorld } from './world';

const link = (quality: LinkView['quality'], state_age_ms: number | null): LinkView => ({ ...useWorld.getState().link, quality, state_age_ms });

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  useContact.setState({ lost: null });
  useWorld.setState({ socket: 'open' });
  usePreviewing.setState({ on: null });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a link that is down is lost since the state is old, and found with the link', () => {
  linkIs(link('down', 4_000));
  expect(useContact.getState().lost).toEqual({ of: 'robot', sinceMs: 996_000 });
  // It gets no younger.
  vi.setSystemTime(1_010_000);
  linkIs(link('down', 14_000));
  expect(useContact.getState().lost?.sinceMs).toBe(996_000);
  expect(isReached()).toBe(false);
  linkIs(link('poor', 100));
  expect(useContact.getState().lost).toBeNull();
  expect(isReached()).toBe(true);
});

test('a page that was lost after the robot knows no more of it than since then', () => {
  linkIs(link('down', 4_000));
  losePage(1_002_000);
  expect(useContact.getState().lost).toEqual({ of: 'page', sinceMs: 996_000 });
  heard();
  expect(useContact.getState().lost).toBeNull();
});

test('nothing heard for three seconds on an open socket is no contact', () => {
  heard();
  const forget = watchSilence();
  vi.advanceTimersByTime(2_500);
  expect(useContact.getState().lost).toBeNull();
  vi.advanceTimersByTime(1_500);
  expect(useContact.getState().lost).toEqual({ of: 'page', sinceMs: 1_000_000 });
  forget();
});

test('a preview is reached without the robot, not without the operator process', () => {
  usePreviewing.setState({ on: { speed: 1 } });
  linkIs(link('down', 0));
  expect(isReached()).toBe(true);
  losePage();
  expect(isReached()).toBe(false);
});

test('how old something is counts by the clock of the robot, and goes on when nothing more comes', () => {
  const points = (timeS: number) => cloud.put({ timeS, count: 0, positions: new Float32Array(), colours: new Uint8Array() });
  const state = (timeS: number) => robotState.put({ timeS, base: new Float32Array(7), flags: 0, joints: new Float32Array() });
  state(50);
  points(48.5);
  expect(ageS(cloud)).toBeCloseTo(1.5);
  vi.setSystemTime(1_004_000);
  expect(ageS(cloud)).toBeCloseTo(5.5);
  // A robot that was started anew starts its time anew.
  state(1);
  expect(ageS(cloud)).toBeCloseTo(4);
  cloud.clear();
  expect(ageS(cloud)).toBeNull();
});

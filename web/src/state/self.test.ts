// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { takeTokenFromAddress, token } from './self';

beforeEach(() => sessionStorage.clear());

test.each(['/?name=Ann&token=secret', '/?name=Ann#token=secret'])('the token leaves the address %s and stays with the window', (address) => {
  history.replaceState(null, '', address);
  takeTokenFromAddress();
  expect(token()).toBe('secret');
  expect(location.href).not.toContain('secret');
  expect(location.search).toBe('?name=Ann');
  takeTokenFromAddress();
  expect(token()).toBe('secret');
});

test('without a token there is none', () => {
  history.replaceState(null, '', '/#x=1');
  takeTokenFromAddress();
  expect(token()).toBeUndefined();
  expect(location.hash).toBe('#x=1');
});

import { describe, expect, it } from 'vitest';
import { asExpression, boundText, holdsBound, mayBeBound } from './bound';

describe('values of the moment', () => {
  it('are objects with nothing but an expression', () => {
    expect(boundText({ '=': 'far_m + 1' })).toBe('far_m + 1');
    expect([{ '=': 1 }, { '=': 'a', unit: 'm' }, ['='], '=', null, undefined].map(boundText)).toEqual([null, null, null, null, null, null]);
  });

  it('are found in poses and lists', () => {
    expect(holdsBound({ x: 1, yaw: [{ '=': 'a' }] })).toBe(true);
    expect(holdsBound({ x: 1, '=': 2 })).toBe(false);
  });

  it('begin as what was written', () => {
    expect([0.5, 'left', "it's", true, [1, 2], null].map(asExpression)).toEqual(['0.5', "'left'", "'it\\'s'", 'true', '[1,2]', '0']);
  });

  it('stand where the schema lets them', () => {
    expect([mayBeBound({ type: 'number' }), mayBeBound({ type: 'string', 'x-fixed': true })]).toEqual([true, false]);
  });
});

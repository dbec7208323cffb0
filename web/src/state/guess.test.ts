import { describe, expect, it } from 'vitest';
import type { Corrections, Guessed, RobotGuessView, Topic } from '../api/types';
import { byDoubt, confidences, difference, withLink, without, withValue } from './guess';

const told = (key: string, topic: Topic, more: Partial<Guessed> = {}): Guessed => ({
  key,
  topic,
  value: key,
  reason: 'so',
  confidence: 'sure',
  links: [],
  shown: [],
  alternatives: [],
  ...more,
});
const hand = told('frames.left_hand', { is: 'frame', frame: 'left_hand' }, { confidence: 'doubtful', shown: ['palm', 'wrist'] });
const arm = told('parts.left_arm', { is: 'part' }, { shown: ['wrist', 'elbow'] });
const view = (guessed: Guessed[], problems: string[] = []): RobotGuessView => ({
  urdf: 'a.urdf',
  corrections: {},
  guessed,
  links: [],
  problems: problems.map((text) => ({ error: true, text })),
  file: 'robot.json',
  is_there: false,
});

describe('what was guessed of a robot', () => {
  it('shows of each link the least sure of what is said of it', () => {
    expect([...confidences([arm, hand])]).toEqual([
      ['wrist', 'doubtful'],
      ['elbow', 'sure'],
      ['palm', 'doubtful'],
    ]);
    expect(byDoubt([arm, hand, told('parts.neck', { is: 'part' }, { confidence: 'missing' })]).map(({ key }) => key)).toEqual([
      'parts.neck',
      'frames.left_hand',
      'parts.left_arm',
    ]);
  });

  it('takes what a person says, each in its own way, and forgets it again', () => {
    const said = withLink({ palm_turn_deg: 90 }, hand, 'glove');
    expect(said).toEqual({ palm_turn_deg: 90, links: { left_hand: 'glove' } });
    expect(without(said as Corrections, hand)).toEqual({ palm_turn_deg: 90, links: {} });
    expect(without({}, hand)).toBeNull();
    expect(withLink({}, arm, 'glove')).toBeNull();
    expect(withLink({}, told('cameras.eye', { is: 'camera' }), 'eye')).toEqual({ cameras: ['eye'] });
    expect(withValue({}, told('palm', { is: 'palm' }), 180)).toEqual({ palm_turn_deg: 180 });
    const grip = told('grips_deg.close', { is: 'grip' });
    const reversed = withValue({}, grip, 'reversed');
    expect(reversed).toEqual({ grips_reversed: true });
    expect(withValue(reversed as Corrections, grip, 'reversed')).toEqual({ grips_reversed: false });
  });

  it('says what a correction has changed', () => {
    const before = view([hand, arm], ['no legs', 'no arms']);
    const now = view([{ ...hand, value: 'glove', reason: 'a person' }, arm], ['no arms', 'no hands']);
    expect(difference(before, now)).toEqual({ changed: new Set(['frames.left_hand']), came: ['no hands'], gone: ['no legs'] });
  });
});

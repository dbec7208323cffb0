import type { RobotState } from '../../api/slots';
import type { BodyView, LateView, LinkView } from '../../api/types';
import type { Load } from '../../state/loads';
import { pressureLevel } from '../../three/forces';

export type Level = 'good' | 'warn' | 'bad' | 'none';

export interface Item {
  name: string;
  level: Level;
  text: string;
  /** What to do, where something is to be done. */
  remedy?: string;
}

/** Of a robot state, as `flags` of the protocol numbers them. */
const FLAG = { walking: 1, stopping: 2, frozen: 4, faulted: 8, leftFootDown: 16, rightFootDown: 32, hasFaults: 64 };

export interface Known {
  state: RobotState | null;
  link: LinkView;
  late: LateView | null;
  /** Each second, as counted here; none: nothing of it comes. */
  rates: { states: number; pictures: number; clouds: number };
  ages: { state: number | null; picture: number | null; cloud: number | null };
  /** The newest warning of the robot. */
  warned: string | null;
  /** What it feels; none: not told. */
  body: BodyView | null;
  /** The heaviest first. */
  loads: readonly Load[];
  recorded: boolean;
}

const is = (state: RobotState, flag: number): boolean => (state.flags & flag) !== 0;

function mode(state: RobotState | null): Item {
  const name = 'Robot';
  if (!state) return { name, level: 'bad', text: 'tells nothing', remedy: 'Start it, or look at the link.' };
  if (is(state, FLAG.faulted))
    return {
      name,
      level: 'bad',
      text: 'faulted: it takes no commands',
      remedy: 'See what its faults say below, put it right at the robot, then Reset failures.',
    };
  if (is(state, FLAG.frozen))
    return { name, level: 'bad', text: 'frozen: it takes no command that would move it', remedy: 'Activate its control mode at the robot.' };
  if (is(state, FLAG.stopping)) return { name, level: 'warn', text: 'is stopping', remedy: 'It takes commands again when it is at rest.' };
  return { name, level: 'good', text: is(state, FLAG.walking) ? 'walks' : 'stands' };
}

function faults(state: RobotState | null, warned: string | null, body: BodyView | null): Item {
  const name = 'Faults';
  const count = (body?.faults.length ?? 0) + (body?.more_faults ?? 0);
  if (count > 0)
    return {
      name,
      level: state && is(state, FLAG.faulted) ? 'bad' : 'warn',
      text: count === 1 ? 'one, below' : `${count}, below`,
      remedy: 'Each says below where it is and what to do.',
    };
  if (!state || !is(state, FLAG.hasFaults)) return { name, level: state ? 'good' : 'none', text: state ? 'none' : 'not known' };
  return {
    name,
    level: is(state, FLAG.faulted) ? 'bad' : 'warn',
    text: warned ?? 'it has a fault',
    remedy: 'It may yet work with it. The log says which part it is.',
  };
}

function feet(state: RobotState | null): Item {
  const name = 'Feet';
  if (!state) return { name, level: 'none', text: 'not known' };
  const down = [is(state, FLAG.leftFootDown) && 'left', is(state, FLAG.rightFootDown) && 'right'].filter(Boolean);
  const walks = is(state, FLAG.walking);
  if (down.length === 2) return { name, level: 'good', text: 'both on the ground' };
  if (down.length === 1)
    return { name, level: walks ? 'good' : 'warn', text: `${down[0]} on the ground`, ...(walks ? {} : { remedy: 'It stands on one foot without walking.' }) };
  return { name, level: 'bad', text: 'none on the ground', remedy: 'It hangs, or it has fallen: look at it before it moves.' };
}

function balance(body: BodyView | null): Item {
  const name = 'Balance';
  if (!body?.pressure) return { name, level: 'none', text: 'centre of pressure not told' };
  const level = pressureLevel(body.pressure.margin);
  const cm = (Math.abs(body.pressure.margin) * 100).toFixed(1);
  const text = body.pressure.margin < 0 ? `presses ${cm} cm outside of its feet` : `presses ${cm} cm inside of the edge of its feet`;
  return { name, level, text, ...(level === 'good' ? {} : { remedy: 'Stop what pushes or leans it; longer outside, and it falls.' }) };
}

function load(loads: readonly Load[]): Item {
  const name = 'Joint load';
  const [most] = loads;
  if (!most || most.share === null) return { name, level: 'none', text: 'not told' };
  const text = `at most ${Math.round(most.share * 100)} %, ${most.joint}`;
  return {
    name,
    level: most.level,
    text,
    ...(most.level === 'good' ? {} : { remedy: 'Stop, or let it take another posture: a joint that gives all it can is not where it should be.' }),
  };
}

/** Of motors: above this the makers of most let them rest. */
const [WARM_C, HOT_C] = [65, 80];
const [LOW, EMPTY] = [0.25, 0.1];

function temperature(body: BodyView | null): Item {
  const name = 'Temperature';
  const hottest = body?.temperatures.reduce<BodyView['temperatures'][number] | null>((hot, one) => (hot && hot.celsius >= one.celsius ? hot : one), null);
  if (!hottest) return { name, level: 'none', text: 'not told' };
  const level: Level = hottest.celsius >= HOT_C ? 'bad' : hottest.celsius >= WARM_C ? 'warn' : 'good';
  return {
    name,
    level,
    text: `at most ${hottest.celsius.toFixed(0)} °C, ${hottest.place}`,
    ...(level === 'good' ? {} : { remedy: 'Let it rest in a posture that takes no effort.' }),
  };
}

function battery(body: BodyView | null): Item {
  const name = 'Battery';
  if (!body || body.battery === null) return { name, level: 'none', text: 'not told' };
  const level: Level = body.battery <= EMPTY ? 'bad' : body.battery <= LOW ? 'warn' : 'good';
  return {
    name,
    level,
    text: `${Math.round(body.battery * 100)} %`,
    ...(level === 'good' ? {} : { remedy: 'Bring it to its charger, or change the battery.' }),
  };
}

const SOURCE = { state: 'State on board', camera: 'Camera', detector: 'Detector' } as const;
const TOLD_LATE_MS = 500;

/** What reaches the behavior: a detector that finds nothing is no fault. */
function sources(body: BodyView | null): Item[] {
  return (body?.sources ?? []).map(({ kind, name: which, per_s, delay_ms }) => {
    const name = kind === 'state' ? SOURCE.state : `${SOURCE[kind]} ${which}`;
    const text = `${per_s < 10 ? per_s.toFixed(1) : per_s.toFixed(0)} a second, ${delay_ms.toFixed(0)} ms old when it is there`;
    const level: Level = kind === 'detector' ? 'good' : per_s === 0 || delay_ms > TOLD_LATE_MS ? 'warn' : 'good';
    return {
      name,
      level,
      text,
      ...(level === 'warn' ? { remedy: 'What the behavior sees is old: look at the driver, and at what the computer on board has to do.' } : {}),
    };
  });
}

/** How far apart in time what the behavior has together was so. */
function synchronisation(body: BodyView | null): Item[] {
  const delays = (body?.sources ?? []).filter(({ kind, per_s }) => kind !== 'detector' && per_s > 0).map(({ delay_ms }) => delay_ms);
  if (delays.length < 2) return [];
  const apart = Math.max(...delays) - Math.min(...delays);
  const level: Level = apart > TOLD_LATE_MS ? 'warn' : 'good';
  return [
    {
      name: 'Synchronisation',
      level,
      text: `state and pictures ${apart.toFixed(0)} ms apart`,
      ...(level === 'warn' ? { remedy: 'What is seen is put where the robot was then; while it moves, trust it less.' } : {}),
    },
  ];
}

/** What to do about a fault, by where it is. */
export function faultRemedy(place: string, joints: readonly string[]): string {
  if (joints.includes(place)) return 'Look whether something holds or pushes this joint; free it, then Reset failures.';
  if (place === 'balance') return 'Secure the robot before anything else, put it on its feet, then let the world or the robot begin anew.';
  return 'Look at this part of the robot before it moves again, then Reset failures.';
}

const QUALITY: Record<LinkView['quality'], [Level, string]> = {
  good: ['good', 'good'],
  poor: ['warn', 'poor'],
  down: ['bad', 'down'],
  not_connected: ['bad', 'not connected'],
};

function link({ quality, round_trip_ms, loss }: LinkView): Item {
  const [level, text] = QUALITY[quality];
  const trip = round_trip_ms === null ? '' : `, ${Math.round(round_trip_ms)} ms there and back`;
  const lost = loss > 0.005 ? `, ${Math.round(loss * 100)} % lost` : '';
  return {
    name: 'Link',
    level,
    text: `${text}${trip}${lost}`,
    ...(level === 'bad' ? { remedy: 'Nothing reaches it but Stop, which is sent again and again.' } : {}),
  };
}

const age = (seconds: number | null): string => (seconds === null ? '' : `, newest ${seconds.toFixed(1)} s old`);

/** The page asks for 30 a second. */
function states(rate: number, old: number | null): Item {
  const level: Level = rate >= 10 ? 'good' : rate > 0 ? 'warn' : 'bad';
  return {
    name: 'States',
    level,
    text: `${rate.toFixed(0)} a second${age(old)}`,
    ...(level === 'good' ? {} : { remedy: 'What is shown of it is behind: look at the link and at what the page shows.' }),
  };
}

/** Many robots have no camera: nothing is no fault. What came and comes no more is one. */
function seen(name: string, rate: number, old: number | null): Item {
  if (old === null) return { name, level: 'none', text: 'none came' };
  const stale = old > 5;
  return {
    name,
    level: stale ? 'warn' : 'good',
    text: `${rate.toFixed(1)} a second${age(old)}`,
    ...(stale ? { remedy: 'The camera, its detector or the link has stopped, or it is asked for one at a time.' } : {}),
  };
}

/** One that was late long ago is no reason to look now. */
const LATELY_S = 10;

function ticks(late: LateView | null, nowS: number): Item {
  if (!late) return { name: 'Ticks', level: 'good', text: 'none late' };
  const text = `${late.count} late, the worst ${late.worst_ms.toFixed(0)} ms`;
  if (nowS - late.last_at_s > LATELY_S) return { name: 'Ticks', level: 'good', text };
  return { name: 'Ticks', level: 'warn', text, remedy: 'The computer on board has too much to do.' };
}

/** All of it at a glance, the worst to be seen from far. Of a recording only what was recorded of then. */
export function health({ state, link: told, late, rates, ages, warned, recorded, body: felt, loads }: Known): Item[] {
  const body = [mode(state), faults(state, warned, felt), feet(state), balance(felt), load(loads), temperature(felt), battery(felt)];
  const ticked = ticks(late, state?.timeS ?? 0);
  if (recorded) return [...body, ticked];
  return [
    ...body,
    link(told),
    states(rates.states, ages.state),
    seen('Pictures', rates.pictures, ages.picture),
    seen('Points', rates.clouds, ages.cloud),
    ...sources(felt),
    ...synchronisation(felt),
    ticked,
  ];
}

const RANK: Level[] = ['none', 'good', 'warn', 'bad'];
export const worst = (items: readonly Item[]): Level =>
  items.reduce<Level>((level, item) => (RANK.indexOf(item.level) > RANK.indexOf(level) ? item.level : level), 'none');

export interface Limit {
  lower: number;
  upper: number;
}

/** What the URDF says of each joint that has an end. */
export function limitsOf(urdf: string): Map<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const joint of new DOMParser().parseFromString(urdf, 'application/xml').querySelectorAll('robot > joint')) {
    const limit = joint.querySelector('limit');
    const [lower, upper] = [Number(limit?.getAttribute('lower') ?? NaN), Number(limit?.getAttribute('upper') ?? NaN)];
    if (joint.getAttribute('type') !== 'continuous' && upper > lower) limits.set(joint.getAttribute('name') ?? '', { lower, upper });
  }
  return limits;
}

export interface Near {
  joint: string;
  at: number;
  /** 0 in the middle of its range, 1 at an end. */
  share: number;
  level: Level;
}

/** Joints by how near they are to an end of their range. */
export function nearLimits(joints: readonly string[], positions: ArrayLike<number>, limits: ReadonlyMap<string, Limit>): Near[] {
  return joints
    .flatMap((joint, index) => {
      const limit = limits.get(joint);
      const at = positions[index];
      if (!limit || at === undefined) return [];
      const half = (limit.upper - limit.lower) / 2;
      const share = Math.abs(at - (limit.lower + half)) / half;
      const level: Level = share > 1.001 ? 'bad' : share > 0.95 ? 'warn' : 'good';
      return [{ joint, at, share, level }];
    })
    .sort((a, b) => b.share - a.share);
}

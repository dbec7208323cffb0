import type { BodyView, ChannelOf } from '../api/types';

/** One number of what a robot feels, by the name that it has in a recording. */
export type Felt = [channel: string, unit: string, value: number];

const SIDES = ['left', 'right'];
const AXES = ['x', 'y', 'z'];

export function feltNumbers(body: BodyView, joints: readonly string[]): Felt[] {
  const all: Felt[] = [];
  joints.forEach((joint, index) => {
    all.push([`joint/${joint}/velocity`, 'rad/s', body.velocities[index] ?? NaN], [`joint/${joint}/effort`, 'N·m', body.efforts[index] ?? NaN]);
  });
  body.hands.forEach(({ force, torque }, hand) => {
    AXES.forEach((axis, index) => {
      all.push([`hand/${SIDES[hand]}/force_${axis}`, 'N', force[index] ?? NaN], [`hand/${SIDES[hand]}/torque_${axis}`, 'N·m', torque[index] ?? NaN]);
    });
  });
  body.feet.forEach(({ load }, foot) => all.push([`foot/${SIDES[foot]}/load`, 'N', load]));
  if (body.pressure) {
    const { at, margin } = body.pressure;
    all.push(['pressure/x', 'm', at[0]], ['pressure/y', 'm', at[1]], ['pressure/margin', 'm', margin]);
  }
  for (const { place, celsius } of body.temperatures) all.push([`temperature/${place}`, '°C', celsius]);
  if (body.battery !== null) all.push(['battery', '', body.battery]);
  all.push(['faults', '', body.faults.length + body.more_faults]);
  return all;
}

/** What every robot has, told or not: it comes when somebody plots it. */
export function feltChannels(joints: readonly string[]): ChannelOf[] {
  const wrench = { force: [0, 0, 0], torque: [0, 0, 0], at: [0, 0, 0], world_force: [0, 0, 0] } satisfies Record<string, number[]>;
  const foot = { contact: false, load: 0, at: [0, 0, 0] };
  const none = {
    at_s: 0,
    velocities: [],
    efforts: [],
    hands: [wrench, wrench],
    feet: [foot, foot],
    pressure: null,
    support: [],
    ground_m: 0,
    faults: [],
    more_faults: 0,
    temperatures: [],
    battery: null,
    sources: [],
  };
  return feltNumbers(none as unknown as BodyView, joints).map(([name, unit]) => ({ name, unit }));
}

const FELT = /^(joint\/.*\/(velocity|effort)|hand\/.*|foot\/.*|pressure\/.*|temperature\/.*|battery|faults)$/;

/** It comes only while somebody wants it. */
export const isFelt = (channel: string): boolean => FELT.test(channel);

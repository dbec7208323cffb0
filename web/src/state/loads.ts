export type LoadLevel = 'good' | 'warn' | 'bad';

export interface Load {
  joint: string;
  effort: number;
  velocity: number;
  /** Of what the joint can give; none: nobody says what that is. */
  share: number | null;
  level: LoadLevel | 'none';
}

const known = new Map<string, Map<string, number>>();

/** What each joint can give, N·m or N, as the URDF says. */
export function effortLimits(urdf: string): Map<string, number> {
  const before = known.get(urdf);
  if (before) return before;
  const limits = new Map<string, number>();
  for (const joint of new DOMParser().parseFromString(urdf, 'application/xml').querySelectorAll('robot > joint')) {
    const most = Number(joint.querySelector('limit')?.getAttribute('effort') ?? NaN);
    if (most > 0) limits.set(joint.getAttribute('name') ?? '', most);
  }
  known.set(urdf, limits);
  return limits;
}

const LEVELS: [LoadLevel, number][] = [
  ['bad', 0.9],
  ['warn', 0.7],
];

/** The heaviest first. */
export function loadsOf(
  joints: readonly string[],
  { efforts, velocities }: { efforts: ArrayLike<number>; velocities: ArrayLike<number> },
  limits: ReadonlyMap<string, number>,
): Load[] {
  return joints
    .map((joint, index): Load => {
      const [effort, velocity, most] = [efforts[index] ?? NaN, velocities[index] ?? NaN, limits.get(joint)];
      const share = most === undefined || Number.isNaN(effort) ? null : Math.abs(effort) / most;
      const level = share === null ? 'none' : (LEVELS.find(([, from]) => share >= from)?.[0] ?? 'good');
      return { joint, effort, velocity, share, level };
    })
    .sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
}

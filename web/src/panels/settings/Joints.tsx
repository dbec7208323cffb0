import type { ReactNode } from 'react';
import type { NodeView } from '../../api/types';
import { robotState } from '../../api/slots';
import { useWorld } from '../../state/world';
import { limitsOf } from '../../three/urdf';
import { labelOf, type Schema } from './schema';
import { NumberField } from './NumberField';

const DEGREES = 180 / Math.PI;

/** The joints a list of angles is about, by its schema and the step's side; null: not a list of joints. */
export function jointsOf(node: NodeView, schema: Schema): string[] | null {
  const part = schema['x-part'];
  if (part === undefined) return null;
  const { robot } = useWorld.getState();
  const side = typeof node.settings.side === 'string' ? node.settings.side : 'right';
  return (robot?.parts as Record<string, string[]> | undefined)?.[`${side}_${part}`] ?? null;
}

interface Props {
  id: string;
  joints: string[];
  value: unknown;
  set: (value: unknown, moving?: boolean) => void;
}

/** A slider for each joint, bounded by its limits. */
export function Joints({ id, joints, value, set }: Props): ReactNode {
  const urdf = useWorld((world) => world.robot?.urdf ?? '');
  const order = useWorld((world) => world.robot?.joints ?? []);
  const limits = limitsOf(urdf);
  const angles = Array.isArray(value) ? (value as number[]) : [];
  const given = angles.length === joints.length ? angles : joints.map((_, index) => angles[index] ?? 0);
  const now = (joint: string): number | undefined => robotState.get()?.joints[order.indexOf(joint)];
  return (
    <div className="joints">
      {joints.map((joint, index) => {
        const limit = limits.get(joint);
        const at = now(joint);
        const short = joint.replace(/^(left|right)_/, '');
        return (
          <label
            key={joint}
            className="joint"
            title={`${joint}${limit ? `, ${(limit.lower * DEGREES).toFixed(0)} to ${(limit.upper * DEGREES).toFixed(0)} deg` : ''}${at === undefined ? '' : `, now ${(at * DEGREES).toFixed(1)} deg`}`}
          >
            <span>{labelOf(short, null)}</span>
            <NumberField
              id={`${id}-${index}`}
              label={labelOf(short, null)}
              value={given[index] ?? 0}
              least={limit && Math.ceil(limit.lower * DEGREES * 10) / 10}
              most={limit && Math.floor(limit.upper * DEGREES * 10) / 10}
              unit="deg"
              slider
              set={(angle, moving) =>
                set(
                  given.map((old, other) => (other === index ? angle : old)),
                  moving,
                )
              }
            />
          </label>
        );
      })}
    </div>
  );
}

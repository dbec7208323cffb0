import { memo, type ReactNode } from 'react';
import type { Arrow } from './rows';

interface Props {
  arrows: Arrow[];
  height: number;
  first: number;
  last: number;
  hovered: string | null;
}

const LANE = 7;

/** From a step up to what it executes after, at the right of the tree. */
export const Arrows = memo(function Arrows({ arrows, height, first, last, hovered }: Props): ReactNode {
  const seen = arrows.filter(({ from, to }) => Math.max(from, to) >= first && Math.min(from, to) <= last);
  if (seen.length === 0) return null;
  // The hovered one last, so that it lies on top.
  const sorted = hovered ? [...seen].sort((a, b) => Number(a.key === hovered) - Number(b.key === hovered)) : seen;
  return (
    <svg className="arrows" aria-hidden>
      {sorted.map(({ key, from, to, lane }) => {
        const y1 = (from + 0.5) * height;
        const y2 = (to + 0.5) * height;
        const out = Math.min(lane, 7) * LANE + 8;
        const turn = Math.sign(y2 - y1) * Math.min(4, Math.abs(y2 - y1) / 2);
        return (
          <path
            key={key}
            className={key === hovered ? 'bold' : undefined}
            d={`M 2 ${y1} H ${out - 4} Q ${out} ${y1} ${out} ${y1 + turn} V ${y2 - turn} Q ${out} ${y2} ${out - 4} ${y2} H 3 m 4 -3 l -4 3 l 4 3`}
          />
        );
      })}
    </svg>
  );
});

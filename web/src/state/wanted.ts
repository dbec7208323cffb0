import { useEffect, type RefObject } from 'react';
import type { Topics } from '../api/types';
import { askQuietly } from './actions';
import { useReviewing } from './reviewing';

const ALWAYS: Omit<Topics, 'body_hz'> = { robot_hz: 30, happenings: true, variables: true, scene: true, clouds: false, pictures: false };

/** Who shows something of the robot's body now, and how often it is to come for them. */
const wants = new Map<string, number>();

/** As often as the most eager wants it; what nobody looks at does not come. */
export const bodyHz = (): number => Math.max(0, ...wants.values());

export const topics = (): Topics => ({ ...ALWAYS, body_hz: bodyHz() });

/** 0: not any more. Where there is no connection it is asked for with the next one. */
export function wantBody(who: string, hz: number): void {
  const before = bodyHz();
  if (hz > 0) wants.set(who, hz);
  else wants.delete(who);
  if (bodyHz() !== before) void askQuietly({ ask: 'watch', topics: topics() });
}

/** While it is to be seen, and what is shown is live. */
export function useBody(who: string, hz: number, box: RefObject<HTMLElement | null>): void {
  const recorded = useReviewing((review) => review.on !== null);
  useEffect(() => {
    const element = box.current;
    if (!element || recorded || hz <= 0) return;
    let inView = false;
    const tell = (): void => wantBody(who, inView && document.visibilityState === 'visible' ? hz : 0);
    const seen = new IntersectionObserver(([entry]) => {
      inView = entry?.isIntersecting ?? true;
      tell();
    });
    seen.observe(element);
    document.addEventListener('visibilitychange', tell);
    return () => {
      seen.disconnect();
      document.removeEventListener('visibilitychange', tell);
      wantBody(who, 0);
    };
  }, [who, hz, box, recorded]);
}

import { useMemo } from 'react';
import { useWorld } from './world';

/** Names of frames a goal may be given in: what there is now, of the body and of objects. */
export function useFrames(): string[] {
  const names = useWorld((world) => [...world.frames, ...world.objects].map((frame) => frame.name).join('\n'));
  return useMemo(() => [...new Set(names.split('\n').filter(Boolean))], [names]);
}

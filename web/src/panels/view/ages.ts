import { bodyState, cloud, robotState, type Slot } from '../../api/slots';

/** When something of each kind came last, by this page's own clock. */
const came = new Map<string, number>();

function watch<T>(name: string, slot: Slot<T>): void {
  slot.listen(() => {
    if (slot.get() === null) came.delete(name);
    else came.set(name, performance.now());
  });
}

watch('robot', robotState);
watch('points', cloud);
watch('forces', bodyState);

/** None: nothing of it has come. */
export const ageS = (name: 'robot' | 'points' | 'forces'): number | null => {
  const at = came.get(name);
  return at === undefined ? null : (performance.now() - at) / 1000;
};

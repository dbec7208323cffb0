import { useEffect, useMemo } from 'react';
import { onCancel } from '../../commands/keys';
import { momentAt } from '../../state/past';
import { cancelPlacing, formOf, usePlacing } from '../../state/placing';
import { useStory } from '../../state/run';
import { useWorld } from '../../state/world';
import type { View } from '../../three/view';

/** Tells the view what is around the robot, now or at the time of the cursor. */
export function useThings(view: View | null): void {
  const pinnedS = useStory((story) => story.pinnedS);
  // Of a recording all is told as it was.
  const recorded = useStory((story) => story.recorded);
  const past = useMemo(() => (pinnedS === null || recorded ? null : momentAt(pinnedS)), [pinnedS, recorded]);
  const objects = useWorld((world) => world.objects);
  const detections = useWorld((world) => world.detections);
  const solids = useWorld((world) => world.solids);
  const outlines = useWorld((world) => world.outlines);
  const templates = useWorld((world) => world.robot?.templates);
  const shown = past?.objects ?? objects;
  const seen = past ? NOTHING : detections;
  useEffect(() => view?.setPast(past?.state ?? null), [view, past]);
  useEffect(() => view?.setScene(shown), [view, shown]);
  useEffect(() => view?.setDetections(seen), [view, seen]);
  useEffect(() => {
    view?.around.setSolids(past?.solids ?? solids);
    view?.invalidate();
  }, [view, past, solids]);
  useEffect(() => {
    view?.around.setKnown(outlines, shown, templates ?? []);
    view?.invalidate();
  }, [view, outlines, shown, templates]);
  usePlaced(view);
}

// The same list each time: another one would draw everything again.
const NOTHING: never[] = [];

function usePlaced(view: View | null): void {
  const placing = usePlacing((placer) => placer.placing);
  const templates = useWorld((world) => world.robot?.templates);
  useEffect(() => {
    const form = formOf(templates ?? [], placing?.class ?? '');
    view?.setPlacing(placing && { name: placing.name, pose: placing.pose, ...form });
  }, [view, placing, templates]);
  const on = placing !== null;
  useEffect(() => {
    if (!on) return;
    return onCancel(() => {
      if (!view?.cancel()) cancelPlacing(); // a drag first
      return true;
    });
  }, [view, on]);
}

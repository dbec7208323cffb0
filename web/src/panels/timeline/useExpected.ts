import { useEffect, useState } from 'react';
import { keyOf } from '../../api/ids';
import type { ExpectedView } from '../../api/types';
import { askQuietly } from '../../state/actions';
import { useDoc } from '../../state/document';
import { useRun, useStory, type Bar } from '../../state/run';
import { useWorld } from '../../state/world';

const NONE: Bar[] = [];
/** A little after the last change: every motion is planned. */
const AFTER_MS = 600;

const barOf = ({ step, start_s, end_s }: ExpectedView): Bar => ({ key: keyOf(step), step, startS: start_s, endS: end_s, result: null, reason: null });

/** Bars of what the behavior would do, from its beginning; empty while they are not wanted. While it runs they stay as they were before. */
export function useExpected(wanted: boolean): Bar[] {
  const { open, nodes } = useDoc();
  const idle = useRun((state) => state.view.running.length === 0);
  const recorded = useStory((story) => story.recorded);
  const [bars, setBars] = useState(NONE);
  const robot = useWorld((world) => world.robot?.name);
  useEffect(() => {
    if (!open) setBars(NONE);
    if (!wanted || !idle || !open || recorded) return;
    const timer = setTimeout(() => {
      void askQuietly({ ask: 'expected' }).then((answer) => {
        if (answer?.is === 'expected') setBars(answer.steps.map(barOf));
      });
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted, idle, open, nodes, robot, recorded]);
  return wanted && !recorded ? bars : NONE;
}

import { useEffect, useMemo, useState } from 'react';
import { keyOf } from '../../api/ids';
import type { NodeView, PreviewView } from '../../api/types';
import { askQuietly } from '../../state/actions';
import { useDoc } from '../../state/document';
import { useRun, type Bar } from '../../state/run';
import { useWorld } from '../../state/world';
import { Expected } from './expected';

const NONE: Bar[] = [];
/** A little after the last change: a preview plans every motion. */
const AFTER_MS = 600;

/** What a preview said a step takes, as long as the step is as it was then. */
const known = new Map<string, { node: NodeView; durationS: number }>();

function remember(steps: PreviewView[]): void {
  const { nodes } = useDoc.getState();
  for (const { step, duration_s, problem } of steps) {
    const node = nodes.get(step.node);
    if (node && problem === null) known.set(keyOf(step), { node, durationS: duration_s });
  }
}

function durationsNow(nodes: ReadonlyMap<string, NodeView>): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, { node, durationS }] of known) if (nodes.get(node.id)?.settings === node.settings) found.set(key, durationS);
  return found;
}

/** Bars of what the behavior would do, from its beginning; empty while they are not wanted. */
export function useExpected(wanted: boolean): Bar[] {
  const doc = useDoc();
  const types = useWorld((world) => world.nodeTypes);
  const idle = useRun((state) => state.view.running.length === 0);
  const [told, setTold] = useState(0);
  const moves = useMemo(() => [...doc.nodes.values()].some(({ kind }) => ['body', 'template'].includes(types.get(kind)?.group ?? '')), [doc.nodes, types]);
  useEffect(() => {
    if (!wanted || !moves || !idle) return;
    const timer = setTimeout(() => {
      void askQuietly({ ask: 'preview', node: null }).then((answer) => {
        if (answer?.is !== 'preview') return;
        remember(answer.steps);
        setTold((count) => count + 1);
      });
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted, moves, idle, doc.nodes]);
  return useMemo(() => {
    if (!wanted || !doc.open) return NONE;
    return new Expected(doc, { types, durations: durationsNow(doc.nodes) }).bars;
  }, [wanted, doc.open, doc.nodes, doc.files, types, told]);
}

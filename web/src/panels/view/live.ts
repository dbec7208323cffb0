import { askQuietly } from '../../state/actions';
import { useDoc } from '../../state/document';
import { useWorld } from '../../state/world';
import { shown } from './shown';

interface Wanted {
  node: string;
  /** Settings that the step would have. */
  settings: Record<string, unknown> | undefined;
}

let waiting: Wanted | null = null;
let asking = false;
/** So long after the last of it, a drag has ended. */
const DRAG_ENDS_MS = 2000;
let draggedMs = -DRAG_ENDS_MS;

/**
 * What a step would do, with other settings while they are dragged. One question at a time: what is wanted meanwhile
 * waits, and the newest of it is asked next, so that the ghost is never behind by more than one answer.
 */
export function showPreview(node: string, settings?: Record<string, unknown>): void {
  waiting = { node, settings };
  if (!asking) void askOn();
}

/** From where the robot is by now; what is being dragged is shown anew by itself. */
export function showPreviewAgain(node: string): void {
  if (!asking && performance.now() - draggedMs > DRAG_ENDS_MS) showPreview(node);
}

/** The ghost of a step of the body follows what is dragged, whether it was shown before or not. */
export function dragPreview(node: string, settings: Record<string, unknown>): void {
  const { nodeTypes, previewOn } = useWorld.getState();
  if (nodeTypes.get(useDoc.getState().nodes.get(node)?.kind ?? '')?.group !== 'body') return;
  if (!previewOn) useWorld.setState({ previewOn: true });
  draggedMs = performance.now();
  showPreview(node, settings);
}

async function askOn(): Promise<void> {
  asking = true;
  while (waiting) {
    const { node, settings }: Wanted = waiting;
    waiting = null;
    const answer = await askQuietly({ ask: 'preview', node, ...(settings ? { with: settings } : {}) });
    if (answer?.is !== 'preview' || !useWorld.getState().previewOn) continue;
    // The ghost first: the panels take longer to follow.
    shown.view?.setPreview(answer.steps.find(({ step }) => step.node === node) ?? answer.steps.at(-1) ?? null);
    useWorld.setState({ previews: answer.steps });
  }
  asking = false;
}

import { ask, edit, editAndSelect, selectedNodes } from '../../state/actions';
import { notify } from '../../state/ui';
import { takesText } from '../../commands/keys';
import { placeForNew } from './AddNode';

/** What was copied last by this page: a browser may keep its clipboard from pages without encryption. */
let last = '';

async function write(text: string): Promise<void> {
  last = text;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    notify('info', 'This browser keeps the system clipboard from this page: it can be pasted in this window only.');
  }
}

/** The selected steps, with what is below them and the skills they use, as text. */
export async function copySteps(): Promise<boolean> {
  const nodes = selectedNodes();
  const answer = nodes.length > 0 ? await ask({ ask: 'copy', nodes }) : null;
  if (answer?.is !== 'copied') return false;
  await write(answer.text);
  return true;
}

export async function cutSteps(): Promise<void> {
  const nodes = selectedNodes();
  if (await copySteps()) await edit({ do: 'delete', nodes });
}

/** Behind what is selected, as a new step would be. */
export async function pasteText(text: string): Promise<void> {
  const place = placeForNew('after');
  if (!place) return;
  const { uses, ...where } = place;
  await editAndSelect({ do: 'paste', ...where, text }, uses);
}

export async function pasteSteps(): Promise<void> {
  let text = last;
  try {
    text = await navigator.clipboard.readText();
  } catch {
    // what this page copied itself is left
  }
  await pasteText(text);
}

/** Ctrl+V with the focus in the tree: the event has the text, without asking for leave. */
export function listenToPaste(target: Window): () => void {
  const pasted = (event: ClipboardEvent): void => {
    const at = document.activeElement;
    if (!at?.closest('[data-panel="tree"]') || takesText(at)) return;
    event.preventDefault();
    void pasteText(event.clipboardData?.getData('text/plain') || last);
  };
  target.addEventListener('paste', pasted);
  return () => target.removeEventListener('paste', pasted);
}

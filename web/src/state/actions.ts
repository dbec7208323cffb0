import { instanceOf, type InstanceKey } from '../api/ids';
import { Broken, Refused, type AnyAsk } from '../api/socket';
import type { Answer, Control, Operation } from '../api/types';
import { isReached } from './contact';
import { ancestorsOf, useDoc } from './document';
import { notify, select, useUi } from './ui';
import { previewIsSettled, usePreviewing } from './previewing';
import { isTreeOfThen, useReviewing } from './reviewing';
import { useWorld } from './world';

type Asker = (ask: AnyAsk) => Promise<Answer>;
let asker: Asker = () => Promise.reject(new Broken());

export function setAsker(to: Asker): void {
  asker = to;
}

const EDITS: ReadonlySet<AnyAsk['ask']> = new Set<AnyAsk['ask']>(['edit', 'undo', 'redo']);

/** Asks and tells the person when it was refused; null then. */
export async function ask(what: AnyAsk): Promise<Answer | null> {
  if (EDITS.has(what.ask) && isTreeOfThen()) {
    notify('error', 'The tree is shown as it was then. Try an edit takes the one that is open now; to edit what runs, go back to live.');
    return null;
  }
  try {
    return await asker(what);
  } catch (error) {
    if (error instanceof Refused && error.failure.code === 'changed_on_disk') {
      useUi.setState({ overlay: { is: 'overwrite', text: error.failure.text } });
    } else {
      notify('error', error instanceof Error ? error.message : String(error));
    }
    return null;
  }
}

/** Asks; whoever asks sees to what becomes of a refusal. */
export const asked = (what: AnyAsk): Promise<Answer> => asker(what);

/** For what nobody asked for by hand: that it was refused is told nobody. */
export const askQuietly = (what: AnyAsk): Promise<Answer | null> => asker(what).catch(() => null);

/** Changes the tree and selects what is new. */
export async function edit(operation: Operation): Promise<string[]> {
  const answer = await ask({ ask: 'edit', operation });
  return answer?.is === 'edited' ? answer.created : [];
}

/** `uses`: where in the shown tree the new nodes are, a skill being shown in several places. Who has selected something else since stays there. */
export async function editAndSelect(operation: Operation, uses: string[]): Promise<string[]> {
  const { selection } = useUi.getState();
  const created = await edit(operation);
  if (created.length > 0 && useUi.getState().selection === selection) select(created.map((node) => [...uses, node].join('/')));
  return created;
}

/** Also for what is no command of the list, such as a click beside a step. */
function tellLost(): boolean {
  if (isReached()) return false;
  const recorded = useReviewing.getState().on !== null;
  notify(
    'error',
    recorded ? 'A recording is shown: nothing here commands the robot. Go back to live first.' : 'There is no contact with the robot: it was not asked.',
  );
  return true;
}

/** Whoever runs something while nobody has control takes it; from another person it is taken only on purpose. */
export async function run(control: Control): Promise<Answer | null> {
  if (tellLost()) return null;
  await previewIsSettled();
  if (usePreviewing.getState().on) return ask({ ask: 'preview_run', control });
  await takeFreeControl();
  return ask({ ask: 'run', control });
}

export async function takeFreeControl(): Promise<void> {
  const { people } = useWorld.getState();
  if (people.length > 0 && !people.some((person) => person.in_control)) await ask({ ask: 'take_control' });
}

/** What needs no run control where somebody else has it: the scene, and answers that the robot takes from here. */
export async function share(control: Control): Promise<Answer | null> {
  if (tellLost()) return null;
  await previewIsSettled();
  if (usePreviewing.getState().on) return ask({ ask: 'preview_run', control });
  return ask({ ask: 'run', control });
}

/** From the first step; a simulated world begins anew with it. */
export async function runFromStart(): Promise<void> {
  if (usePreviewing.getState().on) return void ask({ ask: 'start_preview', from: 'beginning', speed: usePreviewing.getState().on?.speed });
  if (useWorld.getState().resets && !(await resetWorld())) return;
  await run({ do: 'from_start' });
}

export async function resetWorld(): Promise<boolean> {
  if (tellLost()) return false;
  await takeFreeControl();
  return (await ask({ ask: 'reset_world' })) !== null;
}

/** The ids of what is selected, without those inside another selected node: the outer one takes them along. */
export function selectedNodes(): string[] {
  const doc = useDoc.getState();
  const { selection } = useUi.getState();
  const chosen = new Set(selection);
  const tops = selection.filter((key) => !ancestorsOf(doc, instanceOf(key)).some((outer) => chosen.has(outer)));
  return [...new Set(tops.map((key) => instanceOf(key).node))].filter((id) => doc.nodes.has(id));
}

export function selectedInstance(): ReturnType<typeof instanceOf> | null {
  const key = useUi.getState().selection.at(-1);
  return key === undefined ? null : instanceOf(key);
}

/** Opens everything around an instance and selects it; the tree scrolls there. */
export function jumpTo(key: InstanceKey): void {
  const doc = useDoc.getState();
  const around = ancestorsOf(doc, instanceOf(key));
  const closed = new Set(useUi.getState().closed);
  const openSkills = new Set(useUi.getState().openSkills);
  for (const outer of around) {
    closed.delete(outer);
    if (doc.nodes.get(instanceOf(outer).node)?.skill !== undefined) openSkills.add(outer);
  }
  useUi.setState({ closed, openSkills, search: '' });
  select([key]);
}

let checkTimer: ReturnType<typeof setTimeout> | undefined;

/** Asks for problems a little after the last change, not with every key. */
export function checkSoon(put: (answer: Answer) => void): void {
  clearTimeout(checkTimer);
  checkTimer = setTimeout(() => {
    asker({ ask: 'check' }).then(put, () => undefined);
  }, 250);
}

export async function preview(node: string | null): Promise<void> {
  const answer = await ask({ ask: 'preview', node });
  if (answer?.is === 'preview') useWorld.setState({ previews: answer.steps, previewOn: true });
}

export async function save(overwrite = false): Promise<void> {
  const answer = await ask({ ask: 'save', overwrite });
  if (answer?.is === 'saved') {
    notify('info', answer.files.length > 0 ? `Saved ${answer.files.join(', ')}.` : 'Nothing has changed since the last save.');
  }
}

import { create } from 'zustand';
import type { CapabilitiesView, NodeView, Place, SynthesizedView, Then } from '../api/types';
import { askQuietly, asked, edit } from './actions';
import type { Doc } from './document';
import { select } from './ui';

/** A node that was synthesised, to be had anew beside it. */
export interface Beside {
  node: string;
  place: Place;
}

export interface Goal {
  files: string[];
  told: CapabilitiesView | null;
  /** What is so at the start; none: what the run says. */
  from: string[] | null;
  goals: string[];
  strict: boolean;
  /** What runs when it has ended. */
  behind: Then;
  /** What was found, until it is put in or thrown away. */
  found: SynthesizedView | null;
  /** It was asked for beside this. */
  beside: Beside | null;
  /** Why nothing was found. */
  whyNot: string | null;
  busy: boolean;
}

export const useGoal = create<Goal>(() => ({
  files: [],
  told: null,
  from: null,
  goals: [],
  strict: false,
  behind: 'waited',
  found: null,
  beside: null,
  whyNot: null,
  busy: false,
}));

/** Another file has other names: what was chosen of the one before means nothing. */
export async function readCapabilities(file: string | null): Promise<void> {
  const answer = await askQuietly(file === null ? { ask: 'capabilities' } : { ask: 'capabilities', file });
  if (answer?.is !== 'capabilities') return;
  const { told, files } = answer;
  const before = useGoal.getState();
  const another = told?.file !== before.told?.file;
  useGoal.setState({ files, told, ...(another ? { from: null, goals: [], found: null, whyNot: null } : {}) });
  const { found, from, beside } = useGoal.getState();
  if (!found || !told || from !== null || beside) return;
  const same = told.present.length === found.request.from.length && found.request.from.every((name) => told.present.includes(name));
  if (same) useGoal.setState({ found: { ...found, place: told.place } });
  else useGoal.setState({ found: null, whyNot: 'The run has gone on since this was found: synthesise again.' });
}

export async function synthesise(beside: Beside | null = null): Promise<void> {
  const { told, from, goals, strict } = useGoal.getState();
  if (!told) return;
  useGoal.setState({ busy: true, found: null, whyNot: null, beside });
  try {
    const answer = await asked({ ask: 'synthesize', capabilities: told.file, goals, strict, ...(from === null ? {} : { from }) });
    if (answer.is !== 'synthesized') return;
    const place = beside?.place ?? answer.place;
    useGoal.setState(answer.why === null ? { found: { ...answer, place } } : { whyNot: answer.why });
  } catch (error) {
    useGoal.setState({ whyNot: error instanceof Error ? error.message : String(error) });
  } finally {
    useGoal.setState({ busy: false });
  }
}

export async function putIn(): Promise<void> {
  const { found, beside, behind, told, from } = useGoal.getState();
  if (!found || !told) return;
  // biome-ignore lint/suspicious/noThenProperty: the API calls it so, and it is no function
  const what = { do: 'insert', tree: found.tree, then: behind } as const;
  const next = { place: null, capabilities: told.file, ...(from === null ? { from: found.request.from } : {}) };
  const created = await edit(beside ? { ...what, place: beside.place } : { ...what, ...next });
  if (created.length === 0) return;
  useGoal.setState({ found: null, beside: null, goals: [] });
  select(created);
}

export const throwAway = (): void => useGoal.setState({ found: null, beside: null, whyNot: null });

/** What a synthesised node was asked for: it stands in the first line of its notes. */
export function requestOf(node: NodeView | undefined): { from: string[]; goals: string[]; strict: boolean } | null {
  const first = node?.notes?.split('\n')[0] ?? '';
  if (!first.startsWith('{')) return null;
  try {
    const { from, goals, strict } = JSON.parse(first) as Record<string, unknown>;
    const names = (list: unknown): list is string[] => Array.isArray(list) && list.every((name) => typeof name === 'string');
    return names(from) && names(goals) && goals.length > 0 ? { from, goals, strict: strict === true } : null;
  } catch {
    return null; // notes that a person wrote
  }
}

/** The same again, to be compared: behind the node that is there. */
export async function again(doc: Pick<Doc, 'nodes'>, node: NodeView): Promise<void> {
  const request = requestOf(node);
  const parent = node.parent === null ? undefined : doc.nodes.get(node.parent);
  if (!request || !parent) return;
  useGoal.setState(request);
  await synthesise({ node: node.id, place: { parent: parent.id, index: parent.children.indexOf(node.id) + 1 } });
}

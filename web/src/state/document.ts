import { create } from 'zustand';
import { keyOf, type InstanceKey } from '../api/ids';
import type { DocumentView, FileEntry, FileView, InstanceView, NodeView, ProblemView, Push } from '../api/types';

export interface Doc {
  /** Whether a behavior is open: a page that never got one shows how to begin. */
  open: boolean;
  version: number;
  robotHas: number;
  files: FileView[];
  nodes: ReadonlyMap<string, NodeView>;
  undo: string | null;
  redo: string | null;
  problems: ReadonlyMap<string, ProblemView[]>;
  allProblems: ProblemView[];
  /** What lies in the operator's folder. */
  folder: FileEntry[];
  /** The folders in it, also those without files. */
  folders: string[];
}

export const useDoc = create<Doc>(() => ({
  open: false,
  version: 0,
  robotHas: 0,
  files: [],
  nodes: new Map(),
  undo: null,
  redo: null,
  problems: new Map(),
  allProblems: [],
  folder: [],
  folders: [],
}));

export function putDocument(view: DocumentView): void {
  useDoc.setState(opened(view));
}

export const opened = ({ version, files, nodes, undo, redo }: DocumentView): Pick<Doc, 'open' | 'files' | 'version' | 'nodes' | 'undo' | 'redo'> => ({
  open: files.length > 0,
  version,
  files,
  nodes: new Map(nodes.map((node) => [node.id, node])),
  undo,
  redo,
});

type Change = Extract<Push, { push: 'changed' }>;

export function putChange(change: Change): void {
  useDoc.setState(changed(useDoc.getState(), change));
}

/** A document after a change. */
export function changed(before: Pick<Doc, 'nodes' | 'files'>, change: Change): Pick<Doc, 'files' | 'version' | 'nodes' | 'undo' | 'redo'> {
  const nodes = new Map(before.nodes);
  // One that was there comes without its children: they are as they were, but for what is said of them below.
  for (const node of change.nodes) nodes.set(node.id, { ...node, children: node.children ?? nodes.get(node.id)?.children ?? [] });
  for (const id of change.removed) nodes.delete(id);
  for (const { parent, out, in: put } of change.children) {
    const node = nodes.get(parent);
    if (!node) continue;
    const gone = new Set(out);
    const children = node.children.filter((child) => !gone.has(child));
    for (const [place, child] of put) children.splice(place, 0, child);
    nodes.set(parent, { ...node, children });
  }
  return {
    // None told: they are as they were.
    files: change.files.length > 0 ? change.files : before.files,
    version: change.version,
    nodes,
    undo: change.undo,
    redo: change.redo,
  };
}

export function putProblems(problems: ProblemView[]): void {
  useDoc.setState(sorted(problems));
}

export function sorted(problems: ProblemView[]): Pick<Doc, 'problems' | 'allProblems'> {
  const byNode = new Map<string, ProblemView[]>();
  for (const problem of problems) {
    if (!problem.node) continue;
    const list = byNode.get(problem.node);
    if (list) list.push(problem);
    else byNode.set(problem.node, [problem]);
  }
  return { problems: byNode, allProblems: problems };
}

/** The keys of what stands around an instance, from the inside out, through the uses of skills. */
export function ancestorsOf(doc: Pick<Doc, 'nodes'>, step: InstanceView): InstanceKey[] {
  const found: InstanceKey[] = [];
  let uses = step.uses;
  let node = doc.nodes.get(step.node);
  // A damaged document must not hang the page.
  for (let depth = 0; node && depth < 1000; depth++) {
    if (node.parent) {
      const parent = doc.nodes.get(node.parent);
      if (!parent) break;
      node = parent;
      found.push(keyOf({ uses, node: node.id }));
    } else {
      const use = uses[uses.length - 1];
      if (use === undefined) break;
      uses = uses.slice(0, -1);
      node = doc.nodes.get(use);
      if (node) found.push(keyOf({ uses, node: node.id }));
    }
  }
  return found;
}

/** The names that lead to a step, for lists outside the tree. */
export function pathOf(doc: Pick<Doc, 'nodes'>, step: InstanceView): string[] {
  const names = ancestorsOf(doc, step)
    .map((key) => doc.nodes.get(key.slice(key.lastIndexOf('/') + 1)))
    .filter((node) => node !== undefined && node.parent !== null)
    .map((node) => node?.name ?? '');
  return names.reverse();
}

export function nameOf(doc: Pick<Doc, 'nodes'>, id: string): string {
  const node = doc.nodes.get(id);
  return node ? node.name || node.kind : 'a step that is gone';
}

export const isStale = (doc: Doc): boolean => doc.robotHas < doc.version;

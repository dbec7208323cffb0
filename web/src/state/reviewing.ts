import { create } from 'zustand';
import { bodyState, cloud, picture, previewState, robotState } from '../api/slots';
import type { Push, RecordingView, ReplayedView, RunView, WhatIfView } from '../api/types';
import { changed, opened, sorted, useDoc, type Doc } from './document';
import { lookAgain, NO_STORY, seekWith, useStory, type Bar } from './run';
import { Shelf } from './shelf';
import { useUi } from './ui';
import { around, useWorld } from './world';

/** Bars that stand under those of the recording. */
export interface Beside {
  title: string;
  bars: Bar[];
  /** Where they part. */
  difference: { atS: number; text: string } | null;
  /** What is said of it. */
  text: string;
  whatIf: WhatIfView | null;
  /** Whose channels are plotted over those of this one, and how much later it is shown than it was. */
  recording: { name: string; byS: number } | null;
}

/** A recording that is looked at. While there is one, all panels show it; what the robot does is kept aside. */
export interface Reviewing {
  on: RecordingView | null;
  /** Which of its runs. */
  run: number;
  atS: number;
  tick: number;
  /** The tree of that moment, or the one that is open now, which can be edited and tried. */
  tree: 'then' | 'open';
  /** The version of the tree that is shown. */
  version: number;
  playing: boolean;
  speed: number;
  beside: Beside | null;
  replayed: ReplayedView | null;
  /** What the operator process computes now. */
  busy: string | null;
  /** Whose pictures are shown; none: those of the first that there are. */
  camera: string | null;
  showCommanded: boolean;
  /** The run of the robot, as it is. */
  real: RunView | null;
}

export const NOT_REVIEWING: Reviewing = {
  on: null,
  run: 0,
  atS: 0,
  tick: 0,
  tree: 'then',
  version: 0,
  playing: false,
  speed: 1,
  beside: null,
  replayed: null,
  busy: null,
  camera: null,
  showCommanded: true,
  real: null,
};

export const useReviewing = create<Reviewing>(() => NOT_REVIEWING);

/** The tree is shown as it was: it cannot be edited. */
export const isTreeOfThen = ({ on, tree }: Pick<Reviewing, 'on' | 'tree'> = useReviewing.getState()): boolean => on !== null && tree === 'then';

type KeptDoc = Omit<Doc, 'robotHas' | 'folder' | 'folders'>;

const documentNow = (): KeptDoc => {
  const { open, version, files, nodes, undo, redo, problems, allProblems } = useDoc.getState();
  return { open, version, files, nodes, undo, redo, problems, allProblems };
};

interface Kept {
  run: Shelf;
  document: KeptDoc;
  world: ReturnType<typeof around>;
}

let kept: Kept | null = null;

const SLOTS = [robotState, bodyState, previewState, cloud, picture];

/** From here on the panels show what `review.ts` puts into them. */
export function beginReview(seek: (atS: number | null) => void): void {
  if (kept) return;
  const { solids, outlines } = useWorld.getState();
  kept = { run: new Shelf(), document: documentNow(), world: { solids, outlines } };
  for (const slot of SLOTS) slot.show(null);
  useStory.setState({ ...NO_STORY, recorded: true });
  useWorld.setState({ previewOn: false, previews: [] });
  useReviewing.setState({ real: kept.run.run });
  seekWith(seek);
}

/** The page shows the robot again. */
export function endReview(): void {
  if (!kept) return;
  const { run, document, world } = kept;
  const { tree } = useReviewing.getState();
  kept = null;
  seekWith(null);
  useReviewing.setState(NOT_REVIEWING);
  if (tree === 'then') useDoc.setState(document);
  useWorld.setState(world);
  run.putBack();
  for (const slot of SLOTS) slot.release();
  dropGone();
}

/** The robot process is another one: what was kept of it is not so any more. */
export function forgetKept(): void {
  if (!kept) return;
  for (const slot of SLOTS) slot.clear();
  kept.run.forget();
  kept.world = { solids: [], outlines: [] };
  useReviewing.setState({ real: kept.run.run });
}

export function showTree(tree: Reviewing['tree']): void {
  if (!kept || useReviewing.getState().tree === tree) return;
  if (tree === 'open') useDoc.setState(kept.document);
  else kept.document = documentNow();
  useReviewing.setState({ tree, version: -1 });
  dropGone();
}

/** What is selected must be in the tree that is shown. */
export function dropGone(): void {
  const { nodes } = useDoc.getState();
  const { selection } = useUi.getState();
  const there = selection.filter((key) => key.split('/').every((id) => nodes.has(id)));
  if (there.length !== selection.length) useUi.setState({ selection: there });
  lookAgain();
}

/** What the robot, or whoever edits, tells while a recording is shown. True: it was put aside. */
export function putAsideOfReview(push: Push): boolean {
  if (!kept) return false;
  if (kept.run.take(push)) {
    if (push.push === 'run') useReviewing.setState({ real: push });
    return true;
  }
  switch (push.push) {
    case 'world':
      kept.world = around(kept.world, push);
      return true;
    case 'preview':
      return true;
    case 'document':
      if (!isTreeOfThen()) return false;
      kept.document = { ...kept.document, ...opened(push) };
      return true;
    case 'changed':
      if (!isTreeOfThen()) return false;
      kept.document = { ...kept.document, ...changed(kept.document, push) };
      return true;
    default:
      return false;
  }
}

/** Problems are of the tree that is open. True: they were put aside. */
export function putProblemsAside(problems: Parameters<typeof sorted>[0]): boolean {
  if (!kept || !isTreeOfThen()) return false;
  kept.document = { ...kept.document, ...sorted(problems) };
  return true;
}

/** The file that is open, whatever tree is shown. */
export const openFile = (): string | undefined => (kept && isTreeOfThen() ? kept.document : useDoc.getState()).files[0]?.file;

import { useEffect, type ReactNode } from 'react';
import { refreshFolder } from '../../commands/file';
import { Chooser } from '../../shell/Chooser';
import { closeOverlay } from '../../shell/Sheet';
import { editAndSelect } from '../../state/actions';
import { instanceOf } from '../../api/ids';
import { useDoc } from '../../state/document';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';
import type { NodeType } from '../settings/schema';
import { resolved } from '../settings/schema';
import { holdsChildren, placeOf } from './drag';
import { KindIcon } from './icons';

interface Choice {
  title: string;
  kind: string;
  icon: string | null;
  group: string;
  doc: string;
  /** Other words by which people look for it. */
  words: string[];
  settings: Record<string, unknown>;
}

export const GROUPS: Record<string, string> = {
  body: 'Body',
  organise: 'Organise',
  control: 'Control',
  action: 'Actions',
  condition: 'Conditions',
  operator: 'Operator',
  scene: 'Scene',
  template: 'Templates',
  skills: 'Skills',
  files: 'Other behaviors',
};

/** A sided step is offered once for each side. */
export function choicesOf(type: NodeType): Choice[] {
  const plain = { kind: type.name, icon: type.icon, group: type.group, doc: type.summary, words: type.words ?? [] };
  const title = type.name.replaceAll('_', ' ');
  const side = type.fields.find((field) => field.name === 'side');
  const options = side ? resolved(type.schema, side.schema).enum : undefined;
  if (!side || !options) return [{ ...plain, title, settings: {} }];
  return options.map((value) => ({ ...plain, title: `${title}, ${String(value)}`, settings: value === side.default ? {} : { side: value } }));
}

/** As a file names another: seen from its own folder. */
export function relative(from: string, to: string): string {
  const folder = from.split('/').slice(0, -1);
  const target = to.split('/');
  let same = 0;
  while (same < folder.length && folder[same] === target[same]) same++;
  return [...folder.slice(same).map(() => '..'), ...target.slice(same)].join('/');
}

/** Where a new step goes: inside what is selected if that holds steps and is asked for, or empty; else behind it. */
export function placeForNew(place: 'child' | 'before' | 'after'): { parent: string; index: number; uses: string[] } | null {
  const doc = useDoc.getState();
  const { selection, openSkills } = useUi.getState();
  const key = selection.at(-1);
  const chosen = key === undefined ? { uses: [], node: doc.files[0]?.root ?? '' } : instanceOf(key);
  const node = doc.nodes.get(chosen.node);
  if (!node) return null;
  if (node.skill !== undefined && place === 'child' && key !== undefined && openSkills.has(key)) {
    const root = doc.nodes.get(doc.files[node.skill]?.root ?? '');
    if (root) return { parent: root.id, index: root.children.length, uses: [...chosen.uses, node.id] };
  }
  const inside = node.parent === null || (holdsChildren(node.kind) && (place === 'child' || node.children.length === 0));
  const beside = place === 'before' ? 'before' : 'after';
  const at = placeOf({ node, opens: false, open: false }, node.parent === null || (inside && place !== 'before') ? 'inside' : beside);
  return at && { ...at, uses: chosen.uses };
}

export function AddNode({ place }: { place: 'child' | 'before' | 'after' }): ReactNode {
  const types = useWorld((world) => world.nodeTypes);
  // Files may have come since the page did.
  useEffect(() => void refreshFolder(), []);
  const folder = useDoc((doc) => doc.folder);
  const target = placeForNew(place);
  const parent = useDoc((doc) => (target ? doc.nodes.get(target.parent) : undefined));
  const inFile = useDoc((doc) => doc.files[parent?.file ?? 0]?.file ?? '');
  const kinds = [...types.values()].filter((type) => type.name && type.role !== 'skill').flatMap(choicesOf);
  // Any behavior can be a part of another; those that are meant to be come first.
  const use = [...types.values()].find((type) => type.role === 'skill');
  const naming = use?.fields.find((field) => field.format === 'file')?.name ?? '';
  const skills = folder
    .filter((entry) => use && entry.file !== inFile)
    .map(
      (entry): Choice => ({
        title: entry.file.replace(/\.json$/, ''),
        kind: use?.name ?? '',
        icon: use?.icon ?? null,
        group: entry.skill ? 'skills' : 'files',
        doc: entry.skill ? 'Uses this skill.' : 'Uses this behavior as a part.',
        words: [],
        settings: { [naming]: relative(inFile, entry.file) },
      }),
    )
    .sort((a, b) => Number(b.group === 'skills') - Number(a.group === 'skills'));
  const add = (choice: Choice): void => {
    closeOverlay();
    if (!target) return;
    const { parent: into, index, uses } = target;
    const name = choice.kind === use?.name ? (choice.title.split('/').pop() ?? '') : '';
    // Whoever goes on before the answer comes keeps the focus where they have put it.
    const moves = choice.group === 'body';
    void editAndSelect({ do: 'add', parent: into, index, kind: choice.kind, name, settings: choice.settings, at_robot: moves }, uses).then((created) => {
      // It begins where the robot is, and shows what becomes of it while it is changed.
      if (moves && created.length > 0) useWorld.setState({ previewOn: true });
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('.tree')?.focus();
    });
  };
  // The body first: what is added most.
  const all = [...kinds, ...skills].sort((a, b) => Number(b.group === 'body') - Number(a.group === 'body'));
  return (
    <Chooser
      title="Add step"
      placeholder={`Add ${place === 'child' ? 'inside' : place === 'before' ? 'before the selected one in' : 'to'} ${parent?.name || 'the behavior'}: type what it does`}
      none="No step does that."
      choices={all.map((choice) => ({
        key: `${choice.kind} ${choice.title}`,
        group: GROUPS[choice.group] ?? choice.group,
        title: `${choice.title} ${choice.kind}`,
        synonyms: choice.words,
        keywords: choice.doc.split(' '),
        choose: () => add(choice),
        shown: (
          <>
            <KindIcon icon={choice.icon} group={choice.group} />
            <span className="title">{choice.title}</span>
            <span className="dim">{choice.doc}</span>
          </>
        ),
      }))}
    />
  );
}

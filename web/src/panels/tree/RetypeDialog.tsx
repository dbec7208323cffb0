import type { ReactNode } from 'react';
import { Chooser } from '../../shell/Chooser';
import { closeOverlay } from '../../shell/Sheet';
import { edit, selectedNodes } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useWorld } from '../../state/world';
import { GROUPS } from './AddNode';
import { KindIcon } from './icons';

/** Another type for the selected step: settings of the same name stay. */
export function RetypeDialog(): ReactNode {
  const node = selectedNodes()[0] ?? '';
  const kind = useDoc((doc) => doc.nodes.get(node)?.kind);
  const name = useDoc((doc) => nameOf(doc, node));
  const types = useWorld((world) => world.nodeTypes);
  const kinds = [...types.values()].filter((type) => type.name && type.name !== kind);
  return (
    <Chooser
      title="Change its type"
      placeholder={`What ${name} becomes: type what it does`}
      none="No step does that."
      choices={kinds.map((type) => ({
        key: type.name,
        group: GROUPS[type.group] ?? type.group,
        title: type.name.replaceAll('_', ' '),
        synonyms: type.words ?? [],
        keywords: type.summary.split(' '),
        choose: () => {
          closeOverlay();
          void edit({ do: 'retype', node, kind: type.name });
        },
        shown: (
          <>
            <KindIcon icon={type.icon} group={type.group} />
            <span className="title">{type.name.replaceAll('_', ' ')}</span>
            <span className="dim">{type.summary}</span>
          </>
        ),
      }))}
    />
  );
}

import type { ReactNode } from 'react';
import { Ask, jsonName } from '../../shell/dialogs';
import { ask } from '../../state/actions';
import { useDoc } from '../../state/document';
import { notify } from '../../state/ui';

/** A copy under another name, which is what is open then; its skills with changes are saved where they are. */
async function saveAs(file: string): Promise<void> {
  const skills = useDoc
    .getState()
    .files.slice(1)
    .filter(({ unsaved }) => unsaved);
  const copied = await ask({ ask: 'save_as', file });
  if (copied === null) return;
  if (skills.length > 0 && (await ask({ ask: 'save', files: skills.map((skill) => skill.file), overwrite: false })) === null) return;
  const opened = await ask({ ask: 'open', file, discard: true });
  notify('info', opened ? `Saved as ${file}.` : `Saved a copy as ${file}. What was open stays open.`);
}

export function SaveAsDialog(): ReactNode {
  const file = useDoc((doc) => doc.files[0]?.file ?? '');
  const folders = useDoc((doc) => doc.folders);
  return (
    <Ask
      title="Save as"
      label="File name"
      first={file}
      done="Save"
      list={folders.map((folder) => `${folder}/`)}
      hint="A file of that name must not be there. The copy is opened, for which the robot must have stopped."
      submit={(text) => void saveAs(jsonName(text))}
    />
  );
}

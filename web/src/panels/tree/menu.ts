import type { MouseEvent } from 'react';
import { openMenu } from '../../shell/MenuPopup';
import { useUi, type MenuItem } from '../../state/ui';
import { holdsChildren } from './drag';
import type { Row } from './rows';
import { clickRow } from './select';

const LINE: MenuItem = { line: true };

export function openRowMenu(event: MouseEvent, row: Row, rows: Row[]): void {
  event.preventDefault();
  if (!useUi.getState().selection.includes(row.key)) clickRow(rows, row.key, { toggle: false, range: false });
  const inside: MenuItem[] = holdsChildren(row.node.kind) ? ['tree.add_child'] : [];
  const behind: MenuItem[] = row.node.parent === null ? [] : ['tree.add', 'tree.add_before'];
  openMenu(event.clientX, event.clientY, [
    ...inside,
    ...behind,
    LINE,
    'tree.set_next',
    'tree.run_only',
    'run.preview',
    'tree.force_success',
    'tree.force_failure',
    LINE,
    'edit.cut',
    'edit.copy',
    'edit.paste',
    LINE,
    'edit.rename',
    'edit.retype',
    'edit.disable',
    'edit.notes',
    'edit.duplicate',
    'edit.mirror',
    'edit.mirror_itself',
    'edit.mirror_world',
    'edit.wrap',
    'edit.unwrap',
    row.node.skill === undefined ? 'edit.extract' : 'edit.inline',
    LINE,
    'edit.set_to_robot',
    'edit.change_frame',
    LINE,
    'tree.breakpoint',
    'tree.lock',
    LINE,
    'edit.delete',
  ]);
}

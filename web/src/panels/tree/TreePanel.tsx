import { useMemo, type ReactNode } from 'react';
import { runCommand } from '../../commands/registry';
import { nameOf, useDoc } from '../../state/document';
import { useGoal } from '../../state/goal';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';
import { withGhosts } from '../goal/ghost';
import { Running } from '../run/Running';
import { rowsOf } from './rows';
import { TreeList } from './TreeList';

function Empty(): ReactNode {
  return (
    <div className="empty">
      <p>No behavior is open.</p>
      <div className="row">
        <button type="button" className="button main" onClick={() => runCommand('file.new')}>
          New behavior
        </button>
        <button type="button" className="button" onClick={() => runCommand('file.open')}>
          Open…
        </button>
      </div>
    </div>
  );
}

export function TreePanel(): ReactNode {
  const open = useDoc((doc) => doc.open);
  const files = useDoc((doc) => doc.files);
  const nodes = useDoc((doc) => doc.nodes);
  const closed = useUi((ui) => ui.closed);
  const openSkills = useUi((ui) => ui.openSkills);
  const search = useUi((ui) => ui.search);
  const rows = useMemo(() => rowsOf({ files, nodes }, { closed, openSkills, search }), [files, nodes, closed, openSkills, search]);
  const found = useGoal((goal) => goal.found);
  const behind = useGoal((goal) => goal.behind);
  const jump = useWorld((world) => [...world.nodeTypes.values()].find(({ leads_to, calls }) => leads_to !== null && !calls)?.name ?? '');
  const shown = useMemo(() => {
    const name = typeof behind === 'string' ? 'the end' : nameOf({ nodes }, behind.step);
    return found ? withGhosts(rows, found, { is: behind, name, jump }) : rows;
  }, [rows, found, behind, nodes, jump]);
  if (!open) return <Empty />;
  return (
    <>
      <Running />
      <div className="tree-tools">
        <input
          id="tree-search"
          type="search"
          placeholder="Search"
          aria-label="Search the tree"
          value={search}
          onChange={(event) => useUi.setState({ search: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'ArrowDown') document.querySelector<HTMLElement>('.tree')?.focus();
          }}
        />
        <button
          type="button"
          className="button"
          title="Add a step behind the selected one (A)"
          onClick={() => useUi.setState({ overlay: { is: 'add', place: 'after' } })}
        >
          Add…
        </button>
      </div>
      <TreeList rows={shown} />
      {rows.length === 0 && <p className="dim pad">Nothing of that name.</p>}
    </>
  );
}

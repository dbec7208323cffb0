import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { allCommands, runCommand, type Command } from '../commands/registry';
import { Held } from '../panels/run/Held';
import { ReviewBar } from '../panels/review/ReviewBar';
import { PreviewBar } from '../panels/run/PreviewBar';
import { RunBar } from '../panels/run/RunBar';
import { useDoc } from '../state/document';
import { useUi, type MenuItem } from '../state/ui';
import { useWorld } from '../state/world';
import { Lost } from './Lost';
import { LAYOUTS, showPanel, switchLayout } from './layouts';
import { openMenu } from './MenuPopup';
import { Scenes } from './Scenes';

const MENUS: Command['group'][] = ['File', 'Edit', 'Tree', 'Run', 'Review', 'View', 'Help'];

/** Panels of the view menu stand behind a line of their own. */
function itemsOf(group: Command['group']): MenuItem[] {
  const ids = allCommands()
    .filter((one) => one.group === group)
    .map((one) => one.id);
  const items: MenuItem[] = [];
  let kind = '';
  for (const id of ids) {
    const now = /_(?=[^_]*$)/.test(id) ? (id.split('_')[0] ?? '') : (id.split('.')[0] ?? '');
    if (group === 'View' && kind && now !== kind) items.push({ line: true });
    kind = now;
    items.push(id);
  }
  return items;
}

/** That something is wrong is seen without looking for it. */
function Problems(): ReactNode {
  const problems = useDoc((doc) => doc.allProblems);
  if (problems.length === 0) return null;
  const errors = problems.filter((problem) => problem.error).length;
  return (
    <button type="button" className={errors > 0 ? 'problem-count bad' : 'problem-count warn'} onClick={() => showPanel('problems')}>
      <TriangleAlert size={14} aria-hidden /> {problems.length} {problems.length === 1 ? 'problem' : 'problems'}
    </button>
  );
}

export function TopBar(): ReactNode {
  const corrects = useWorld((world) => (world.welcome?.workshop ?? 'none') !== 'none');
  const layout = useUi((ui) => ui.layout);
  const files = useDoc((doc) => doc.files);
  const unsaved = files.some((file) => file.unsaved);
  return (
    <header className="top">
      <nav className="menus" aria-label="Menus">
        <img src="./icon.svg" alt="Coact" className="mark" />
        {MENUS.map((group) => (
          <button
            key={group}
            type="button"
            className="menu-button"
            aria-haspopup="menu"
            onClick={(event) => {
              const at = event.currentTarget.getBoundingClientRect();
              openMenu(at.left, at.bottom + 2, itemsOf(group));
            }}
          >
            {group}
          </button>
        ))}
        <button type="button" className="file-name" onClick={() => runCommand('file.open')} title="Open another behavior">
          {files[0]?.file ?? 'No behavior open'}
          {unsaved && (
            <span className="unsaved" title="Changes not saved yet">
              {' '}
              *
            </span>
          )}
        </button>
        <Problems />
        <div className="layouts" role="group" aria-label="Layouts">
          {LAYOUTS.filter((name) => name !== 'Robot' || corrects).map((name) => (
            <button key={name} type="button" aria-pressed={layout === name} onClick={() => switchLayout(name)}>
              {name}
            </button>
          ))}
        </div>
        <button type="button" className="find" onClick={() => runCommand('help.palette')}>
          All commands <kbd>Ctrl+K</kbd>
        </button>
      </nav>
      <Scenes />
      <Lost />
      <RunBar />
      <PreviewBar />
      <ReviewBar />
      <Held />
    </header>
  );
}

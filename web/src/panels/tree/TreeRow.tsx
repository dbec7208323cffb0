import { ChevronRight, CircleDot, Lock, NotebookText, Play, TriangleAlert, CircleCheck, CircleX, CircleSlash2, LoaderCircle } from 'lucide-react';
import { memo, useState, type DragEvent, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import { colourOf } from '../../shell/StatusBar';
import { run } from '../../state/actions';
import { nameOf, useDoc, type Doc } from '../../state/document';
import { useRun, type StepStatus } from '../../state/run';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';
import { dropAt, dropOn, type DropPlace } from './drag';
import { KindIcon } from './icons';
import { openRowMenu } from './menu';
import { Rename } from './Rename';
import type { Row } from './rows';
import { clickRow, toggleOpen } from './select';

interface Props {
  row: Row;
  rows: Row[];
  top: number;
  hover: (key: string | null) => void;
}

export const TreeRow = memo(function TreeRow({ row, rows, top, hover }: Props): ReactNode {
  const { key, node, depth } = row;
  const selected = useUi((ui) => ui.selection.includes(key));
  const renaming = useUi((ui) => ui.renaming === key);
  const status = useRun((state) => state.status.get(key));
  const isNext = useRun((state) => state.next === key);
  const type = useWorld((world) => world.nodeTypes.get(node.kind));
  const [drop, setDrop] = useState<DropPlace | null>(null);
  const classes = [
    'row-line',
    selected && 'selected',
    isNext && 'next',
    row.part,
    row.catchBegins && 'catch-begins',
    status?.state,
    row.uses.length > 0 && 'in-skill',
    row.off && 'off',
    drop && `drop-${drop}`,
  ];
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setDrop(null);
    dropOn(row, dropAt(event, row));
  };
  return (
    <div
      id={`row-${key}`}
      className={classes.filter(Boolean).join(' ')}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={selected}
      aria-expanded={row.opens ? row.open : undefined}
      aria-label={`${node.name || node.kind}${row.off ? ', disabled' : ''}${status ? `, ${status.state}` : ''}${isNext ? ', next' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      draggable={!renaming && node.parent !== null}
      onPointerEnter={() => hover(key)}
      onClick={(event) => clickRow(rows, key, { toggle: event.ctrlKey || event.metaKey, range: event.shiftKey })}
      onDoubleClick={() => useUi.setState({ renaming: key })}
      onContextMenu={(event) => openRowMenu(event, row, rows)}
      onDragStart={(event) => {
        if (!useUi.getState().selection.includes(key)) clickRow(rows, key, { toggle: false, range: false });
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('application/x-coact-nodes', key);
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('application/x-coact-nodes')) return;
        event.preventDefault();
        setDrop(dropAt(event, row));
      }}
      onDragLeave={() => setDrop(null)}
      onDrop={dropped}
    >
      <NextMark row={row} isNext={isNext} />
      <span className="indent" style={{ width: `${depth * 1.1}em` }} />
      {row.opens ? (
        <button
          type="button"
          tabIndex={-1}
          className={row.open ? 'chevron open' : 'chevron'}
          aria-label={row.open ? 'Close' : 'Open'}
          onClick={(event) => {
            event.stopPropagation();
            toggleOpen(row);
          }}
        >
          <ChevronRight size="1em" />
        </button>
      ) : (
        <span className="chevron" />
      )}
      <KindIcon icon={type?.icon} group={type?.group} />
      {renaming ? <Rename row={row} /> : <Name row={row} />}
      <Measured row={row} />
      <Badges row={row} />
      <Status row={row} status={status} />
    </div>
  );
});

function NextMark({ row, isNext }: { row: Row; isNext: boolean }): ReactNode {
  const broken = useRun((state) => state.breakpoints.has(row.key));
  return (
    <button
      type="button"
      tabIndex={-1}
      className={isNext ? 'next-mark is-next' : 'next-mark'}
      title={isNext ? 'Next' : 'Make it next'}
      aria-label={isNext ? 'Next' : 'Make it next'}
      onClick={(event) => {
        event.stopPropagation();
        void run({ do: 'set_next', to: { uses: row.uses, node: row.node.id } });
      }}
    >
      {broken && <CircleDot size="0.9em" className="break" aria-label="Breakpoint" />}
      <Play size="0.85em" fill={isNext ? 'currentColor' : 'none'} />
    </button>
  );
}

function Name({ row }: { row: Row }): ReactNode {
  const unsaved = useDoc((doc) => (row.top ? row.top.unsaved : row.node.skill !== undefined && (doc.files[row.node.skill]?.unsaved ?? false)));
  const leadsTo = useWorld((world) => world.nodeTypes.get(row.node.kind)?.leads_to ?? null);
  const target = useDoc((doc) => targetOf(doc, row, leadsTo));
  const more = detail(row, target);
  return (
    <span className="name">
      {row.node.name || <span className="dim">{row.node.kind}</span>}
      {unsaved && (
        <span className="unsaved" title="Changes not saved yet">
          *
        </span>
      )}
      {more && <span className="detail">{more}</span>}
    </span>
  );
}

/** What a jump leads to is called now; where it is gone, as it was written. */
function targetOf(doc: Pick<Doc, 'nodes'>, row: Row, leadsTo: string | null): string {
  if (leadsTo === null) return '';
  const { references, settings } = row.node;
  const target = references?.[leadsTo];
  if (target !== undefined && doc.nodes.has(target)) return nameOf(doc, target);
  const written = settings[leadsTo];
  return typeof written === 'string' ? written : '';
}

/** What tells steps of one kind apart at a glance. */
function detail(row: Row, target: string): string {
  const { settings } = row.node;
  const parts: string[] = [];
  if (typeof settings.side === 'string') parts.push(settings.side);
  if (settings.by === 'angles') parts.push('joints');
  if (typeof settings.duration_s === 'number') parts.push(`${settings.duration_s} s`);
  if (typeof settings.condition === 'string') parts.push(settings.condition);
  if (target !== '') parts.push(`→ ${target}`);
  return parts.join(' · ');
}

function Badges({ row }: { row: Row }): ReactNode {
  const locked = useRun((state) => state.locks.has(row.key));
  const problems = useDoc((doc) => doc.problems.get(row.node.id));
  const people = useWorld((world) => world.people);
  const here = people.filter((person) => !person.me && person.node === row.node.id);
  const { autonomy } = row.node.settings;
  return (
    <span className="badges">
      {here.map((person) => (
        <span
          key={person.session}
          className="person"
          style={{ '--who': colourOf(person.name) } as React.CSSProperties}
          title={person.other_window ? 'You are here, in another window' : `${person.name} is here`}
        >
          {person.name.slice(0, 1).toUpperCase()}
        </span>
      ))}
      {typeof autonomy === 'string' && autonomy !== 'off' && (
        <span className="tag" title="Starts by itself only above this level of autonomy">
          ≥{autonomy}
        </span>
      )}
      {row.node.settings.after === 'Beginning' && (
        <span className="tag" title="Executes after the beginning: together with the first">
          ⤒
        </span>
      )}
      {row.node.notes && (
        <span title={row.node.notes}>
          <NotebookText size="1em" aria-label="Has notes" />
        </span>
      )}
      {locked && <Lock size="1em" className="lock" aria-label="Locked" />}
      {problems && (
        <span title={problems.map((problem) => problem.text).join('\n')}>
          <TriangleAlert size="1em" className={problems.some((problem) => problem.error) ? 'bad' : 'warn'} aria-label="Has problems" />
        </span>
      )}
    </span>
  );
}

/** What a condition measures now, beside the condition. */
function Measured({ row }: { row: Row }): ReactNode {
  const measured = useRun((state) => state.view.measured.find((one) => keyOf(one.step) === row.key));
  if (!measured) return null;
  return (
    <span className={measured.holds ? 'measured-now holds' : 'measured-now'} title={measured.holds ? 'holds now' : 'does not hold now'}>
      {Math.round(measured.value * 1000) / 1000} {measured.unit}
    </span>
  );
}

function Status({ row, status }: { row: Row; status: StepStatus | undefined }): ReactNode {
  const below = useRun((state) => (row.open || !row.opens ? undefined : state.below.get(row.key)));
  if (below && (below.running > 0 || below.failed > 0)) {
    return (
      <span className="state">
        {below.running > 0 && (
          <span className="running" title={`${below.running} running inside`}>
            <LoaderCircle size="1.05em" aria-label="Running inside" /> {below.running}
          </span>
        )}
        {below.failed > 0 && (
          <span className="failure" title={`${below.failed} failed inside`}>
            <CircleX size="1.05em" aria-label="Failed inside" /> {below.failed}
          </span>
        )}
      </span>
    );
  }
  if (!status) return <span className="state" />;
  const title = [status.state, status.outcome, status.reason].filter(Boolean).join(': ');
  return (
    <span className={`state ${status.state}`} title={title}>
      {status.state === 'running' && status.progress !== null && (
        <span className="bar" aria-hidden>
          <i style={{ width: `${Math.round(status.progress * 100)}%` }} />
        </span>
      )}
      {status.state === 'running' && <LoaderCircle size="1.05em" aria-label="Running" />}
      {status.state === 'success' && <CircleCheck size="1.05em" aria-label="Succeeded" />}
      {status.state === 'failure' && <CircleX size="1.05em" aria-label="Failed" />}
      {status.state === 'halted' && <CircleSlash2 size="1.05em" aria-label="Halted" />}
    </span>
  );
}

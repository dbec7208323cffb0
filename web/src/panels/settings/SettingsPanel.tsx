import { LocateFixed, Move3d } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { instanceOf } from '../../api/ids';
import { keyOf } from '../../api/ids';
import type { NodeView } from '../../api/types';
import { command, isEnabled, runCommand } from '../../commands/registry';
import { useDoc } from '../../state/document';
import { givenKey, giveSetting, useGiven } from '../../state/given';
import { useRun } from '../../state/run';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';
import { KindIcon } from '../tree/icons';
import { dragPreview } from '../view/live';
import { Form } from './context';
import { belongs } from './belongs';
import { Reference } from './Reference';
import { COMMON, labelOf, type Field, type NodeType } from './schema';
import { Value } from './Value';

export function SettingsPanel(): ReactNode {
  const key = useUi((ui) => ui.selection.at(-1));
  const count = useUi((ui) => ui.selection.length);
  const node = useDoc((doc) => (key === undefined ? undefined : doc.nodes.get(instanceOf(key).node)));
  const type = useWorld((world) => (node ? world.nodeTypes.get(node.kind) : undefined));
  const common = useWorld((world) => world.nodeTypes.get(COMMON));
  if (!node || key === undefined) return <p className="dim pad">Select a step in the tree to see its settings.</p>;
  return (
    <div className="settings" key={node.id}>
      <Head node={node} type={type} count={count} instance={key} />
      {type ? <Fields node={node} type={type} /> : <p className="dim pad">Nothing is known of the type {node.kind}.</p>}
      {common && node.parent !== null && (
        <details className="more" open={common.fields.some((field) => node.settings[field.name] !== undefined || node.references?.[field.name] !== undefined)}>
          <summary>When and how it runs</summary>
          <Fields node={node} type={common} />
        </details>
      )}
    </div>
  );
}

function Head({ node, type, count, instance }: { node: NodeView; type: NodeType | undefined; count: number; instance: string }): ReactNode {
  const measured = useRun((state) => state.view.measured.find((one) => keyOf(one.step) === instance));
  const status = useRun((state) => state.status.get(instance));
  const hasGoal = type?.group === 'body' || (type?.handles.length ?? 0) > 0;
  const gizmo = useUi((ui) => ui.gizmo);
  return (
    <div className="settings-head">
      <h2>
        <KindIcon icon={type?.icon} group={type?.group} /> {node.name || node.kind}
        {count > 1 && <span className="dim"> and {count - 1} more</span>}
      </h2>
      <p className="dim" title={type?.doc}>
        {node.kind.replaceAll('_', ' ')}: {type?.summary}
      </p>
      {status?.state === 'failure' && status.reason && (
        <p className="error" role="alert">
          {status.reason}
        </p>
      )}
      {measured && (
        <p className={measured.holds ? 'measured holds' : 'measured'} role="status">
          Now {measured.value.toFixed(3)} {measured.unit}: {measured.holds ? 'holds' : 'does not hold'}
        </p>
      )}
      <Feet type={type} />
      {hasGoal && (
        <div className="row">
          <button type="button" className="button" onClick={() => runCommand('edit.set_to_robot')} title="The goal becomes where the robot is now">
            <LocateFixed size={14} aria-hidden /> Set to robot now
          </button>
          <button type="button" className="button" aria-pressed={gizmo} onClick={() => runCommand('view.gizmo')}>
            <Move3d size={14} aria-hidden /> Gizmo
          </button>
        </div>
      )}
    </div>
  );
}

/** What is done to all footsteps of a walk at once. */
function Feet({ type }: { type: NodeType | undefined }): ReactNode {
  // They are asked again when the ghost shows others, or the tree is another.
  useWorld((world) => world.previews);
  useDoc((doc) => doc.version);
  useUi((ui) => ui.together);
  if (!type?.handles.some(({ looks, part }) => looks === 'foot' && part !== null)) return null;
  const all = ['edit.take_steps', 'view.together', 'edit.reset_heights'].flatMap((id) => command(id) ?? []);
  return (
    <div className="row">
      {all.map((one) => (
        <button key={one.id} type="button" className="button" disabled={!isEnabled(one)} aria-pressed={one.checked?.()} onClick={one.run}>
          {one.title}
        </button>
      ))}
    </div>
  );
}

function Fields({ node, type }: { node: NodeView; type: NodeType }): ReactNode {
  const problems = useDoc((doc) => doc.problems.get(node.id));
  const errors = useMemo(() => {
    const found = new Map<string, string[]>();
    for (const problem of problems ?? []) {
      const name = problem.field?.split(/[.[]/)[0] ?? '';
      found.set(name, [...(found.get(name) ?? []), problem.text]);
    }
    return found;
  }, [problems]);
  const form = useMemo(
    () => ({ root: type.schema, node, errors, by: node.settings.by ?? type.fields.find(({ name }) => name === 'by')?.default }),
    [type, node, errors],
  );
  const shown = type.fields.filter((field) => belongs(type.fields, field, node.settings.by));
  return (
    <Form.Provider value={form}>
      <div className="fields">
        {(errors.get('') ?? []).map(
          (text) =>
            type.name !== COMMON && (
              <p key={text} className="error" role="alert">
                {text}
              </p>
            ),
        )}
        {shown.map((field) => (
          <FieldLine key={field.name} field={field} node={node} errors={errors.get(field.name) ?? []} />
        ))}
        {shown.length === 0 && <p className="dim">It has no settings of its own.</p>}
      </div>
    </Form.Provider>
  );
}

function FieldLine({ field, node, errors }: { field: Field; node: NodeView; errors: string[] }): ReactNode {
  const id = `set-${node.id}-${field.name}`;
  const given = useGiven((state) => state.settings.get(givenKey(node.id, field.name)));
  const written = given ? given.value !== null : field.name in node.settings;
  const value = written ? (given ?? { value: node.settings[field.name] }).value : field.default;
  const set = (next: unknown, moving?: boolean): void => {
    if (moving) dragPreview(node.id, { [field.name]: next ?? null });
    else void giveSetting(node.id, field.name, next ?? null);
  };
  return (
    <div className={errors.length > 0 ? 'field wrong' : 'field'} data-field={field.name}>
      <label htmlFor={id} title={field.doc}>
        {labelOf(field.name, field.unit)}
        {written && (
          <button
            type="button"
            className="default"
            tabIndex={-1}
            title="Back to the default"
            aria-label={`${labelOf(field.name, field.unit)}: back to the default`}
            onClick={() => set(null)}
          >
            ↺
          </button>
        )}
      </label>
      <div className="control">
        {field.format === 'node' ? (
          <Reference id={id} field={field} node={node} />
        ) : (
          <Value id={id} name={field.name} schema={field.schema} value={value} set={set} />
        )}
        {errors.map((text) => (
          <span key={text} className="error" role="alert">
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

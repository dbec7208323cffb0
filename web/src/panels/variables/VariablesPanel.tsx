import { useMemo, useState, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { VariableView } from '../../api/types';
import { edit, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { variablesAt } from '../../state/past';
import { plotName } from '../../state/plots';
import { sinceStart, useStory } from '../../state/run';
import { useWorld } from '../../state/world';
import { DRAGGED } from '../plots/dragged';
import { ExpressionField } from '../settings/ExpressionField';
import { Words } from '../Words';

const shown = (value: unknown): string =>
  typeof value === 'number' ? String(Math.round(value * 1e4) / 1e4) : typeof value === 'string' ? value : JSON.stringify(value);

/** Texts need no quotes; numbers, true, false and lists are what they look like. */
export function readValue(text: string, before: unknown): unknown {
  if (typeof before === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Every variable and token as it is now; a value can be set, running or paused. */
export function VariablesPanel(): ReactNode {
  const pinnedS = useStory((story) => story.pinnedS);
  const originS = useStory((story) => story.originS);
  const now = useWorld((world) => world.variables);
  const nowTokens = useWorld((world) => world.tokens);
  const recorded = useStory((story) => story.recorded);
  const past = useMemo(() => (pinnedS === null || recorded ? null : variablesAt(pinnedS)), [pinnedS, recorded]);
  const variables = past?.variables ?? now;
  const tokens = past?.tokens ?? nowTokens;
  const [wanted, setWanted] = useState('');
  const doc = useDoc();
  const words = wanted.toLowerCase();
  const list = [...variables.values()].filter((one) => one.name.toLowerCase().includes(words));
  const groups: [string, VariableView[]][] = [
    ['Behavior', list.filter((one) => !one.of && !one.world)],
    ['Skills', list.filter((one) => one.of)],
    ['Robot and cell', list.filter((one) => one.world)],
  ];
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Variables and tokens">
      {pinnedS !== null && (
        <p className="dim pad">{past || recorded ? `As at ${sinceStart(pinnedS, originS)} s.` : 'As they are now: those of then are not known any more.'}</p>
      )}
      <input
        className="filter"
        type="search"
        placeholder="Search"
        aria-label="Search variables"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      {groups.map(
        ([title, members]) =>
          members.length > 0 && (
            <table key={title} className="plain variables">
              <caption>{title}</caption>
              <tbody>
                {members.map((one) => (
                  <tr
                    key={`${one.of ? keyOf(one.of) : ''}:${one.name}`}
                    draggable={['number', 'boolean'].includes(typeof one.value)}
                    onDragStart={(event) => event.dataTransfer.setData(DRAGGED, plotName(one))}
                  >
                    <th scope="row">
                      {one.of && <span className="dim">{nameOf(doc, one.of.node)} › </span>}
                      <Words text={one.name} />
                    </th>
                    <td>{one.world || past || recorded ? <span className="mono">{shown(one.value)}</span> : <ValueCell one={one} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ),
      )}
      {pinnedS === null && <Names wanted={words} />}
      {tokens.length > 0 && (
        <table className="plain variables">
          <caption>Tokens</caption>
          <tbody>
            {tokens.map((token) => (
              <tr key={token.name}>
                <th scope="row">
                  <Words text={token.name} />
                </th>
                <td>{token.holder ?? <span className="dim">free</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.length === 0 && tokens.length === 0 && <p className="dim pad">This behavior has no variables.</p>}
    </div>
  );
}

/** Names that stand for expressions, of each file: what they give now, and how they are written. */
function Names({ wanted }: { wanted: string }): ReactNode {
  const files = useDoc((doc) => doc.files);
  const named = files.map((file) => ({ file, lets: Object.entries(file.lets ?? {}).filter(([name]) => name.toLowerCase().includes(wanted)) }));
  return named.map(
    ({ file, lets }) =>
      lets.length > 0 && (
        <table key={file.file} className="plain variables">
          <caption>Names of {file.file}</caption>
          <tbody>
            {lets.map(([name, text]) => (
              <tr key={name}>
                <th scope="row">
                  <Words text={name} />
                </th>
                <td>
                  <ExpressionField
                    id={`let-${file.root}-${name}`}
                    label={name}
                    node={file.root}
                    value={text}
                    set={(next) => void edit({ do: 'lets', file: file.file, lets: { ...file.lets, [name]: next } })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ),
  );
}

function ValueCell({ one }: { one: VariableView }): ReactNode {
  const [text, setText] = useState<string | null>(null);
  const now = shown(one.value);
  if (typeof one.value === 'boolean') {
    return <input type="checkbox" aria-label={one.name} checked={one.value} onChange={(event) => set(one, event.target.checked)} />;
  }
  return (
    <input
      className="mono"
      aria-label={one.name}
      value={text ?? now}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => setText(null)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && text !== null) {
          set(one, readValue(text, one.value));
          setText(null);
        }
        if (event.key === 'Escape') setText(null);
      }}
      title="Enter sets it on the robot"
    />
  );
}

function set(one: VariableView, value: unknown): void {
  const uses = one.of ? [...one.of.uses, one.of.node] : [];
  void run({ do: 'set_variable', uses, name: one.name, value });
}

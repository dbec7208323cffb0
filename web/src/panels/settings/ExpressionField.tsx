import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { askQuietly } from '../../state/actions';
import { useDoc } from '../../state/document';
import { useWorld } from '../../state/world';
import { completions, wordAt, type Completion } from './complete';

interface Props {
  id: string;
  label: string;
  node: string;
  value: string;
  set: (value: string) => void;
}

/** A text that is an expression: what may be written next is offered, what it gives now stands beside it. */
export function ExpressionField({ id, label, node, value, set }: Props): ReactNode {
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(value), [value]);
  const names = useNames(node);
  const functions = useWorld((world) => world.functions);
  const at = caret === null ? null : wordAt(text, caret);
  const offered = at ? completions(at.word, names, functions) : [];
  const give = (): void => {
    setCaret(null);
    if (text !== value) set(text);
  };
  const take = (one: Completion): void => {
    if (!at || caret === null) return;
    const next = text.slice(0, at.from) + one.insert + text.slice(caret);
    const place = at.from + one.insert.length;
    // At once: who goes on writing is not to find the caret moved a frame later.
    flushSync(() => {
      setText(next);
      setCaret(null);
      setChosen(0);
    });
    input.current?.setSelectionRange(place, place);
  };
  const pressed = (event: KeyboardEvent): void => {
    const one = offered[chosen];
    if (one && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : offered.length - 1)) % offered.length);
    } else if (one && event.key === 'Tab') {
      event.preventDefault();
      take(one);
    } else if (event.key === 'Enter') {
      give();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (one) setCaret(null);
      else setText(value);
    }
  };
  return (
    <div className="expression">
      <input
        ref={input}
        id={id}
        className="mono"
        role="combobox"
        aria-label={label}
        aria-expanded={offered.length > 0}
        aria-controls={`${id}-offered`}
        aria-autocomplete="list"
        aria-activedescendant={offered.length > 0 ? `${id}-offered-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCaret(event.target.selectionStart);
          setChosen(0);
        }}
        onBlur={give}
        onKeyDown={pressed}
      />
      <Now node={node} text={text} />
      {offered.length > 0 && (
        <ul id={`${id}-offered`} className="offered" role="listbox" aria-label="What may be written">
          {offered.map((one, index) => (
            <li
              key={one.shown}
              id={`${id}-offered-${index}`}
              role="option"
              aria-selected={index === chosen}
              onMouseDown={(event) => {
                event.preventDefault();
                take(one);
              }}
            >
              <span className="mono">{one.shown}</span>
              {one.help && <span className="dim"> {one.help}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Variables and names of expressions that the node's file may say, and what robot and cell bring. */
function useNames(node: string): string[] {
  const file = useDoc((doc) => {
    const at = doc.nodes.get(node)?.file;
    return at === undefined ? undefined : doc.files[at];
  });
  const variables = useWorld((world) => world.variables);
  return useMemo(() => {
    const own = [file?.variables, file?.lets, file?.inputs, file?.outputs].flatMap((declared) => Object.keys((declared ?? {}) as object));
    const told = [...variables.values()].filter((one) => one.world || !one.of).map((one) => one.name);
    return [...new Set([...own, ...told])];
  }, [file, variables]);
}

interface Answered {
  of: string;
  value: unknown;
  why: string | null;
}

/** What it gives as everything is now. */
function Now({ node, text }: { node: string; text: string }): ReactNode {
  const [answered, setAnswered] = useState<Answered | null>(null);
  const variables = useWorld((world) => world.variables);
  const wanted = useRef(text);
  const asking = useRef(false);
  useEffect(() => {
    wanted.current = text;
    const next = async (): Promise<void> => {
      if (asking.current || wanted.current.trim() === '') return;
      asking.current = true;
      const of = wanted.current;
      const answer = await askQuietly({ ask: 'evaluate', node, text: of });
      asking.current = false;
      if (answer?.is === 'value') setAnswered({ of, value: answer.value, why: answer.why ?? null });
      if (wanted.current !== of) await next();
    };
    void next();
  }, [node, text, variables]);
  if (answered?.of !== text) return <span className="now dim" role="status" />;
  if (answered.why !== null) {
    return (
      <span className="now dim" role="status" title={answered.why}>
        {answered.why}
      </span>
    );
  }
  return (
    <span className="now" role="status">
      = {shown(answered.value)}
    </span>
  );
}

const shown = (value: unknown): string => (typeof value === 'number' ? String(Math.round(value * 1e4) / 1e4) : JSON.stringify(value));

import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { Then } from '../../api/types';
import { selectedNodes } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { again, putIn, readCapabilities, requestOf, synthesise, throwAway, useGoal } from '../../state/goal';
import { useRun } from '../../state/run';
import { useUi } from '../../state/ui';

/** What shall be reached, and what the robot would do for it. */
export function GoalPanel(): ReactNode {
  const told = useGoal((goal) => goal.told);
  const open = useDoc((doc) => doc.open);
  useFollowedRun();
  if (!open) return <p className="dim pad">Open a behavior first: what is found is put into it.</p>;
  if (!told) {
    return (
      <p className="dim pad">
        This folder has no capabilities. A file in the folder <span className="mono">capabilities</span> says what the robot is able to do: see “Say the goal”
        in the documentation.
      </p>
    );
  }
  return (
    <div className="scroll goal" tabIndex={0} role="region" aria-label="Goal">
      <Again />
      <FileChoice />
      <Now />
      <Goals />
      <Behind />
      <Found />
    </div>
  );
}

/** What is so is asked again a little after the run has gone on. */
function useFollowedRun(): void {
  const file = useGoal((goal) => goal.told?.file ?? null);
  const version = useDoc((doc) => doc.version);
  const at = useRun(({ view, next }) =>
    [view.runs, view.results.length, next, ...view.running.map(({ step }) => keyOf(step)), '|', ...view.locks.map(keyOf)].join(' '),
  );
  useEffect(() => {
    const soon = setTimeout(() => void readCapabilities(file), 150);
    return () => clearTimeout(soon);
  }, [file, version, at]);
}

function FileChoice(): ReactNode {
  const files = useGoal((goal) => goal.files);
  const file = useGoal((goal) => goal.told?.file);
  if (files.length < 2) return null;
  return (
    <label className="goal-line">
      <span>What it is able to do</span>
      <select value={file} onChange={(event) => void readCapabilities(event.target.value)}>
        {files.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** As the run says, unless somebody knows better. */
function Now(): ReactNode {
  const told = useGoal((goal) => goal.told);
  const own = useGoal((goal) => goal.from);
  if (!told) return null;
  const from = own ?? told.present;
  const modes = told.abilities.filter(({ is }) => is === 'mode').map(({ name }) => name);
  const others = told.abilities.filter(({ is }) => is !== 'mode');
  const mode = from.find((name) => modes.includes(name)) ?? '';
  const put = (names: string[]): void => useGoal.setState({ from: names, found: null, whyNot: null });
  return (
    <fieldset>
      <legend>What is so now</legend>
      {modes.length > 0 && (
        <label className="goal-line">
          <span>Mode</span>
          <select value={mode} onChange={(event) => put([event.target.value, ...from.filter((name) => !modes.includes(name))])}>
            {mode === '' && <option value="">not known by the run: choose</option>}
            {modes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <details>
        <summary>Done already: {from.filter((name) => !modes.includes(name)).join(', ') || 'nothing'}</summary>
        {others.map(({ name, notes }) => (
          <label key={name} title={notes} className="goal-check">
            <input
              type="checkbox"
              checked={from.includes(name)}
              onChange={(event) => put(event.target.checked ? [...from, name] : from.filter((each) => each !== name))}
            />{' '}
            {name}
          </label>
        ))}
      </details>
      {own === null ? (
        <p className="dim">As the run says.</p>
      ) : (
        <button type="button" className="button" onClick={() => useGoal.setState({ from: null, found: null, whyNot: null })}>
          As the run says
        </button>
      )}
    </fieldset>
  );
}

function Goals(): ReactNode {
  const told = useGoal((goal) => goal.told);
  const { goals, strict, busy } = useGoal();
  const [text, setText] = useState('');
  if (!told) return null;
  const known = told.abilities.map(({ name }) => name);
  const change = (names: string[]): void => useGoal.setState({ goals: names, found: null, whyNot: null });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const name = text.trim();
    if (name !== '' && !goals.includes(name)) change([...goals, name]);
    setText('');
  };
  return (
    <fieldset>
      <legend>Goals, in the order in which they are wanted</legend>
      <ol className="goal-list">
        {goals.map((name) => (
          <li key={name}>
            <span>{name}</span>
            <button type="button" className="button" aria-label={`Take ${name} away`} onClick={() => change(goals.filter((each) => each !== name))}>
              ×
            </button>
          </li>
        ))}
      </ol>
      <form className="row" onSubmit={add}>
        <input list="goal-names" aria-label="Goal" placeholder="Name of a goal" value={text} onChange={(event) => setText(event.target.value)} />
        <datalist id="goal-names">
          {known
            .filter((name) => !goals.includes(name))
            .map((name) => (
              <option key={name} value={name} />
            ))}
        </datalist>
        <button type="submit" className="button">
          Add
        </button>
      </form>
      <label className="goal-check">
        <input type="checkbox" checked={strict} onChange={(event) => useGoal.setState({ strict: event.target.checked, found: null, whyNot: null })} /> The order
        is a must
      </label>
      <button type="button" className="button main" disabled={goals.length === 0 || busy} onClick={() => void synthesise()}>
        {busy ? 'The robot looks for a way…' : 'Synthesise'}
      </button>
    </fieldset>
  );
}

/** What runs when it has ended. */
function Behind(): ReactNode {
  const behind = useGoal((goal) => goal.behind);
  const files = useDoc((doc) => doc.files);
  const nodes = useDoc((doc) => doc.nodes);
  const steps = nodes.get(files[0]?.root ?? '')?.children ?? [];
  const value = typeof behind === 'string' ? behind : behind.step;
  const read = (text: string): Then => (text === 'waited' || text === 'end' ? text : { step: text });
  return (
    <label className="goal-line">
      <span>Then</span>
      <select value={value} onChange={(event) => useGoal.setState({ behind: read(event.target.value) })}>
        <option value="waited">what waited there</option>
        <option value="end">nothing more: the end</option>
        {steps.map((id) => (
          <option key={id} value={id}>
            {nodes.get(id)?.name || nodes.get(id)?.kind}
          </option>
        ))}
      </select>
    </label>
  );
}

function Found(): ReactNode {
  const { found, whyNot, beside } = useGoal();
  const doc = useDoc();
  if (whyNot !== null) {
    return (
      <div className="why-not" role="alert">
        <strong>Not possible</strong>
        <p>{whyNot}</p>
      </div>
    );
  }
  if (!found) return null;
  return (
    <section className="found" aria-label="What was found">
      <ol>
        {found.steps.map(({ name, goal }, index) => (
          <li key={index}>
            {name} {name !== goal && <span className="dim">for {goal}</span>}
          </li>
        ))}
      </ol>
      <p className="dim">{found.proof}</p>
      <p className="dim">
        {beside ? `It is shown in the tree, beside “${nameOf(doc, beside.node)}”.` : 'It is shown in the tree where it would run next.'} The request took{' '}
        {found.link_bytes} bytes of the link.
      </p>
      <div className="row">
        <button type="button" className="button main" onClick={() => void putIn()}>
          Put it in
        </button>
        <button type="button" className="button" onClick={throwAway}>
          Throw it away
        </button>
      </div>
    </section>
  );
}

/** Of a selected subtree that was synthesised. */
function Again(): ReactNode {
  const doc = useDoc();
  const selection = useUi((ui) => ui.selection);
  const id = selection.length > 0 ? selectedNodes().at(-1) : undefined;
  const node = id === undefined ? undefined : doc.nodes.get(id);
  const request = requestOf(node);
  if (!node || !request) return null;
  return (
    <div className="again">
      <p>
        “{node.name}” was synthesised from {request.from.join(', ') || 'nothing'}.
      </p>
      <button type="button" className="button" onClick={() => void again(doc, node)}>
        Synthesise again
      </button>
    </div>
  );
}

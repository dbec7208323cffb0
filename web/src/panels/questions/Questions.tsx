import { useState, type FormEvent, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { QuestionView } from '../../api/types';
import { jumpTo, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useRun } from '../../state/run';
import { readValue } from '../variables/VariablesPanel';

/** What the behavior asks the operator: above everything but the status bar until it is answered. */
export function Questions(): ReactNode {
  const questions = useRun((state) => state.view.questions);
  if (questions.length === 0) return null;
  return (
    <div className="questions" role="alertdialog" aria-label="The behavior asks">
      {questions.map((question) => (
        <Card key={keyOf(question.step)} question={question} />
      ))}
    </div>
  );
}

function Card({ question }: { question: QuestionView }): ReactNode {
  const doc = useDoc();
  const [text, setText] = useState('');
  const answer = (value: unknown): void => void run({ do: 'answer', step: question.step, value });
  const given = (event: FormEvent): void => {
    event.preventDefault();
    answer(readValue(text, undefined));
  };
  return (
    <section className="card">
      <button type="button" className="link" onClick={() => jumpTo(keyOf(question.step))}>
        {nameOf(doc, question.step.node)}
      </button>
      <p>{question.text}</p>
      {question.options.length > 0 ? (
        <div className="row">
          {question.options.map((option) => (
            <button key={option} type="button" className="button main" onClick={() => answer(option)}>
              {option}
            </button>
          ))}
        </div>
      ) : (
        <form className="row" onSubmit={given}>
          <input aria-label="Answer" value={text} onChange={(event) => setText(event.target.value)} />
          <button type="submit" className="button main" disabled={text === ''}>
            Answer
          </button>
        </form>
      )}
    </section>
  );
}

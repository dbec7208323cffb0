import { useState, type FormEvent, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { AnswerKind, QuestionView } from '../../api/types';
import { jumpTo, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useRun } from '../../state/run';

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
    answer(question.kind === 'number' ? Number(text) : text);
  };
  return (
    <section className="card">
      <button type="button" className="link" onClick={() => jumpTo(keyOf(question.step))}>
        {nameOf(doc, question.step.node)}
      </button>
      <p>{question.text}</p>
      {question.kind === 'choice' || question.kind === 'bool' ? (
        <div className="row">
          {answersOf(question).map(([title, value]) => (
            <button key={title} type="button" className="button main" onClick={() => answer(value)}>
              {title}
            </button>
          ))}
        </div>
      ) : (
        <form className="row" onSubmit={given}>
          <input aria-label="Answer" inputMode={question.kind === 'number' ? 'decimal' : 'text'} value={text} onChange={(event) => setText(event.target.value)} />
          <button type="submit" className="button main" disabled={!isAnswer(question.kind, text)}>
            Answer
          </button>
        </form>
      )}
    </section>
  );
}

function answersOf(question: QuestionView): [string, unknown][] {
  if (question.kind === 'bool') return [['Yes', true], ['No', false]];
  return question.options.map((option) => [option, option]);
}

function isAnswer(kind: AnswerKind, text: string): boolean {
  return text.trim() !== '' && (kind !== 'number' || Number.isFinite(Number(text)));
}

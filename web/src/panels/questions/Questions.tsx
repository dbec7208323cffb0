import type { ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { QuestionView } from '../../api/types';
import { jumpTo, run, share } from '../../state/actions';
import { useReached } from '../../state/contact';
import { nameOf, useDoc } from '../../state/document';
import { useRun, useStory } from '../../state/run';
import { AnswerForm } from './AnswerForm';

const OF = {
  in_control: 'Asked of whoever has control',
  anybody: 'Asked of anybody',
  operator: 'Asked of any operator',
  supervisor: 'Asked of any supervisor',
  team_role: 'Asked of the role',
};

/** What the behavior asks the operator: above everything but the status bar until it is answered. */
export function Questions(): ReactNode {
  const questions = useRun((state) => state.view.questions);
  const recorded = useStory((story) => story.recorded);
  // What a recorded run asked has been answered, or not: the bar of the review says it.
  if (questions.length === 0 || recorded) return null;
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
  const reached = useReached();
  const answer = (value: unknown): void => {
    const control = { do: 'answer', step: question.step, value } as const;
    // What only whoever has control may answer is a reason to take it where nobody has it.
    void (question.of === 'in_control' ? run(control) : share(control));
  };
  return (
    <section className="card">
      <div className="card-head">
        <button type="button" className="link" onClick={() => jumpTo(keyOf(question.step))}>
          {nameOf(doc, question.step.node)}
        </button>
        <span className="dim">{[OF[question.of], question.team_role].filter(Boolean).join(' ')}</span>
      </div>
      <p>{question.text}</p>
      {question.kind === 'choice' || question.kind === 'bool' ? (
        <div className="row">
          {answersOf(question).map(([title, value]) => (
            <button key={title} type="button" className="button main" disabled={!reached} onClick={() => answer(value)}>
              {title}
            </button>
          ))}
        </div>
      ) : (
        <AnswerForm question={question} reached={reached} answer={answer} />
      )}
    </section>
  );
}

function answersOf(question: QuestionView): [string, unknown][] {
  if (question.kind === 'bool')
    return [
      ['Yes', true],
      ['No', false],
    ];
  return question.options.map((option) => [option, option]);
}

import { CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { jumpTo } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';

/** Everything wrong with the behavior that can be known before it runs. */
export function ProblemsPanel(): ReactNode {
  const doc = useDoc();
  if (doc.allProblems.length === 0) return <p className="dim pad">Nothing is wrong with this behavior as far as can be known before it runs.</p>;
  return (
    <ul className="scroll problems" tabIndex={0} aria-label="Problems">
      {doc.allProblems.map((problem, index) => (
        <li key={index}>
          {problem.error ? <CircleX size={14} className="bad" aria-label="Error" /> : <TriangleAlert size={14} className="warn" aria-label="Warning" />}
          {problem.node ? (
            <button type="button" className="link" onClick={() => problem.node && jumpTo(problem.node)}>
              {nameOf(doc, problem.node)}
            </button>
          ) : (
            <span className="dim">{problem.file}</span>
          )}
          <span>{problem.text}</span>
        </li>
      ))}
    </ul>
  );
}

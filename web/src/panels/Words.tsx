import { Fragment, type ReactNode } from 'react';

/** A name that breaks between its words where there is no room for it, never inside one. */
export function Words({ text }: { text: string }): ReactNode {
  const words = text.split(/(?<=[_./-])/);
  return (
    <span>
      {words.map((word, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  );
}

import { useEffect, useState, type ReactNode } from 'react';

interface Props {
  id: string;
  label: string;
  value: string;
  /** To choose from, while anything may be written. */
  list?: string[];
  mono?: boolean;
  placeholder?: string;
  set: (value: string) => void;
}

export function TextField({ id, label, value, list, mono, placeholder, set }: Props): ReactNode {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const give = (): void => {
    if (text !== value) set(text);
  };
  return (
    <>
      <input
        id={id}
        className={mono ? 'mono' : undefined}
        aria-label={label}
        list={list ? `${id}-list` : undefined}
        placeholder={placeholder}
        value={text}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          // A pick from the list is finished at once; only typing has keys in between.
          const picked = (event.nativeEvent as InputEvent).inputType === 'insertReplacementText' || !(event.nativeEvent instanceof InputEvent);
          if (picked && list?.includes(event.target.value)) set(event.target.value);
        }}
        onBlur={give}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give();
          if (event.key === 'Escape') {
            event.stopPropagation();
            setText(value);
          }
        }}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

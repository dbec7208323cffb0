import { useEffect, useRef, type ReactNode } from 'react';
import { edit } from '../../state/actions';
import { useUi } from '../../state/ui';
import type { Row } from './rows';

const leave = (): void => {
  useUi.setState({ renaming: null });
  document.querySelector<HTMLElement>('.tree')?.focus();
};

export function Rename({ row }: { row: Row }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => input.current?.select(), []);
  const keep = (): void => {
    if (ended.current) return;
    ended.current = true;
    const name = input.current?.value ?? row.node.name;
    leave();
    if (name !== row.node.name) void edit({ do: 'rename', node: row.node.id, name });
  };
  return (
    <input
      ref={input}
      className="rename"
      aria-label="Name"
      defaultValue={row.node.name}
      autoFocus
      onBlur={keep}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') {
          ended.current = true;
          leave();
        }
      }}
    />
  );
}

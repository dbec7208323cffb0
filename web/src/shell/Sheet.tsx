import { useEffect, useRef, type ReactNode } from 'react';
import { onCancel } from '../commands/keys';
import { useUi } from '../state/ui';

interface Props {
  title: string;
  wide?: boolean;
  children: ReactNode;
}

export const closeOverlay = (): void => useUi.setState({ overlay: null });

/**
 * A dialog that leaves the status bar free: the browser's own modal dialogs cover everything or make it inert, and
 * Stop must work while one is open.
 */
export function Sheet({ title, wide, children }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const focusFirst = box.current?.querySelector<HTMLElement>('[data-first], input, textarea, select, button');
    focusFirst?.focus();
    const forget = onCancel(() => {
      closeOverlay();
      return true;
    });
    return () => {
      forget();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div className="backdrop" onPointerDown={(event) => event.target === event.currentTarget && closeOverlay()}>
      <div ref={box} className={wide ? 'sheet wide' : 'sheet'} role="dialog" aria-label={title} data-overlay>
        {children}
      </div>
    </div>
  );
}

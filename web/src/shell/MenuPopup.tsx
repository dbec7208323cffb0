import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { command, isEnabled, titleNow } from '../commands/registry';
import { onCancel } from '../commands/keys';
import { useUi, type MenuItem } from '../state/ui';

interface Line {
  title: string;
  keys: string;
  off: boolean;
  checked: boolean | undefined;
  run: () => void;
}

function lineOf(item: MenuItem): Line | null {
  if (typeof item === 'string') {
    const one = command(item);
    if (!one) return null;
    return { title: titleNow(one), keys: one.keys?.split(' ')[0] ?? '', off: !isEnabled(one), checked: one.checked?.(), run: one.run };
  }
  if ('line' in item) return null;
  return { title: item.title, keys: '', off: item.off ?? false, checked: item.checked, run: item.run };
}

export const openMenu = (x: number, y: number, items: MenuItem[]): void => useUi.setState({ menu: { x, y, items } });

const close = (): void => useUi.setState({ menu: null });

/** One menu at a time, for right clicks and for the bar. */
export function MenuPopup(): ReactNode {
  const menu = useUi((ui) => ui.menu);
  return menu ? <Popup key={`${menu.x} ${menu.y}`} {...menu} /> : null;
}

function Popup({ x, y, items }: { x: number; y: number; items: MenuItem[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: x, top: y });
  useLayoutEffect(() => {
    const size = box.current?.getBoundingClientRect();
    if (!size) return;
    const bottom = window.innerHeight - 36; // above the status bar
    setPlace({ left: Math.max(4, Math.min(x, window.innerWidth - size.width - 4)), top: Math.max(4, Math.min(y, bottom - size.height)) });
  }, [x, y]);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
    const forget = onCancel(() => {
      close();
      return true;
    });
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) close();
    };
    window.addEventListener('pointerdown', outside, true);
    return () => {
      forget();
      window.removeEventListener('pointerdown', outside, true);
      if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body) before.focus();
    };
  }, []);
  const move = (by: number): void => {
    const buttons = [...(box.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div
      ref={box}
      className="menu"
      role="menu"
      data-overlay
      style={place}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        move(event.key === 'ArrowDown' ? 1 : -1);
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map((item, index) => {
        const line = lineOf(item);
        if (!line) return <hr key={index} />;
        return (
          <button
            key={index}
            type="button"
            role={line.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={line.checked}
            disabled={line.off}
            onClick={() => {
              close();
              line.run();
            }}
          >
            <span className="check">{line.checked ? '✓' : ''}</span>
            <span className="title">{line.title}</span>
            <kbd>{line.keys}</kbd>
          </button>
        );
      })}
    </div>
  );
}

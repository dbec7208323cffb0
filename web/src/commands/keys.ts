import { allCommands, isEnabled, type Command } from './registry';

/** Ctrl, Alt and Shift in this order, then the key: `Ctrl+Shift+Z`. */
export function nameOfKey(event: KeyboardEvent): string {
  const parts: string[] = [];
  // AltGr writes letters; some systems tell it as Ctrl and Alt.
  const writes = event.getModifierState('AltGraph');
  if ((event.ctrlKey || event.metaKey) && !writes) parts.push('Ctrl');
  if (event.altKey && !writes) parts.push('Alt');
  // With Alt some systems write another letter: the key that is pressed counts.
  const pressed = parts.includes('Alt') ? /^(?:Key|Digit)(.)$/.exec(event.code)?.[1] : undefined;
  const typed = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const key = pressed ?? typed;
  // `?` needs Shift on most keyboards and none on others: it is named by what it writes.
  const letter = /^[A-Z0-9]$/.test(key) || key.length > 1;
  if (event.shiftKey && letter) parts.push('Shift');
  parts.push(key);
  return parts.join('+');
}

export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type);
}

export function commandFor(event: KeyboardEvent): Command | undefined {
  const name = nameOfKey(event);
  const inText = takesText(event.target);
  const panel = event.target instanceof Element ? event.target.closest('[data-panel]')?.getAttribute('data-panel') : null;
  const inOverlay = event.target instanceof Element && event.target.closest('[data-overlay]') !== null;
  const fitting = allCommands().filter(
    (one) => one.keys?.split(' ').includes(name) && !one.native && (!(inText || inOverlay) || one.inText) && (!one.scope || one.scope === panel),
  );
  return fitting.find((one) => one.scope) ?? fitting[0];
}

/** The newest that can cancel something does, and only that one. */
const cancelers: (() => boolean)[] = [];

export function onCancel(cancel: () => boolean): () => void {
  cancelers.push(cancel);
  return () => {
    const at = cancelers.indexOf(cancel);
    if (at >= 0) cancelers.splice(at, 1);
  };
}

export function cancelOne(): boolean {
  for (let at = cancelers.length - 1; at >= 0; at--) if (cancelers[at]?.()) return true;
  return false;
}

const TABS = '.dv-tab, .dv-tabs-and-actions-container';

export function listenToKeys(target: Window): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape' && !event.ctrlKey && !event.altKey) {
      if (cancelOne()) event.preventDefault();
      return;
    }
    const one = commandFor(event);
    if (!one) return;
    event.preventDefault();
    if (isEnabled(one)) one.run();
  };
  // Tabs of panels take Enter for themselves: what is a command comes first there.
  const onTab = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey || event.altKey) || !(event.target instanceof Element) || !event.target.closest(TABS)) return;
    pressed(event);
    if (event.defaultPrevented) event.stopPropagation();
  };
  target.addEventListener('keydown', onTab, { capture: true });
  target.addEventListener('keydown', pressed);
  return () => {
    target.removeEventListener('keydown', onTab, { capture: true });
    target.removeEventListener('keydown', pressed);
  };
}

const HOLD_MS = 550;
const STEADY_PX = 10;

/** A finger that rests opens the menu that a right click opens. Some browsers do it themselves, others never. */
export function listenToLongPress(target: Window): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  const cancel = (): void => clearTimeout(timer);
  const down = (event: PointerEvent): void => {
    cancel();
    if (event.pointerType !== 'touch' || !event.isPrimary) return;
    from = { x: event.clientX, y: event.clientY };
    const on = event.target;
    timer = setTimeout(() => {
      if (!(on instanceof Element)) return;
      on.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: from.x, clientY: from.y, button: 2 }));
      // The finger is lifted on what came up: that is no click on it.
      target.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => target.removeEventListener('click', swallow, { capture: true }), 700);
    }, HOLD_MS);
  };
  const swallow = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (event: PointerEvent): void => {
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STEADY_PX) cancel();
  };
  const own = (event: MouseEvent): void => {
    if (event.isTrusted) cancel();
  };
  const all: [keyof WindowEventMap, EventListener][] = [
    ['pointerdown', down as EventListener],
    ['pointermove', move as EventListener],
    ['pointerup', cancel],
    ['pointercancel', cancel],
    ['contextmenu', own as EventListener],
  ];
  for (const [name, act] of all) target.addEventListener(name, act, { capture: true });
  return () => {
    cancel();
    for (const [name, act] of all) target.removeEventListener(name, act, { capture: true });
  };
}

/** The thesis' tables 1 and 2, as the shortcuts page lists them. */
export const CAMERA_KEYS: [string, string][] = [
  ['Drag to orient camera', 'Left mouse'],
  ['Drag to pan camera', 'Middle mouse'],
  ['Zoom camera in, out', 'Mouse scroll'],
  ['Move camera forward, back', 'W, S'],
  ['Move camera left, right', 'A, D'],
  ['Move camera up, down', 'Q, Z'],
  ['Zoom camera in, out', 'C, E'],
  ['Fine adjustment', 'Shift'],
];

export const GIZMO_KEYS: [string, string][] = [
  ['Manipulate axes', 'Left mouse drag'],
  ['Open context menu', 'Right mouse click'],
  ['Translation X+, X−', 'ArrowUp, ArrowDown'],
  ['Translation Y+, Y−', 'ArrowLeft, ArrowRight'],
  ['Translation Z+, Z−', 'Ctrl+ArrowUp, Ctrl+ArrowDown'],
  ['Yaw +, −', 'Ctrl+ArrowLeft, Ctrl+ArrowRight'],
  ['Yaw +, −', 'Ctrl+scroll down, Ctrl+scroll up'],
  ['Pitch +, −', 'Alt+ArrowUp, Alt+ArrowDown'],
  ['Roll +, −', 'Alt+ArrowRight, Alt+ArrowLeft'],
  ['Fine adjustment', 'Shift'],
];

export type Nudge = { move?: [number, number, number]; turn?: [number, number, number] };

/** What a key does to the gizmo, in steps: move along x (away), y (left), z (up); turn about roll, pitch, yaw. */
export function nudgeOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>): Nudge | null {
  const ctrl = event.ctrlKey || event.metaKey;
  if (ctrl && event.altKey) return null;
  const table: Record<string, [Nudge, Nudge, Nudge]> = {
    ArrowUp: [{ move: [1, 0, 0] }, { move: [0, 0, 1] }, { turn: [0, 1, 0] }],
    ArrowDown: [{ move: [-1, 0, 0] }, { move: [0, 0, -1] }, { turn: [0, -1, 0] }],
    ArrowLeft: [{ move: [0, 1, 0] }, { turn: [0, 0, 1] }, { turn: [-1, 0, 0] }],
    ArrowRight: [{ move: [0, -1, 0] }, { turn: [0, 0, -1] }, { turn: [1, 0, 0] }],
  };
  return table[event.key]?.[ctrl ? 1 : event.altKey ? 2 : 0] ?? null;
}

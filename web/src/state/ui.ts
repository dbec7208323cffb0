import { create } from 'zustand';
import type { InstanceKey } from '../api/ids';

export type Theme = 'dark' | 'light' | 'contrast';
export type Overlay =
  | { is: 'palette' }
  | { is: 'name' }
  | { is: 'shortcuts' }
  | { is: 'add'; place: 'child' | 'before' | 'after' }
  | { is: 'files'; for: 'open' | 'new' }
  | { is: 'wrap' }
  | { is: 'retype' }
  | { is: 'save_as' }
  | { is: 'extract' }
  | { is: 'notes' }
  | { is: 'history' }
  | { is: 'mark'; atS: number }
  | { is: 'compare' }
  | { is: 'start' }
  | { is: 'frame' }
  | { is: 'overwrite'; text: string }
  | { is: 'discard'; then: Leaving };

/** To another behavior, in another world if one is named. */
export interface Leaving {
  ask: 'open' | 'new';
  file: string;
  world?: string;
}

export interface Menu {
  x: number;
  y: number;
  items: MenuItem[];
}

/** A command by its id, a line, or something only this place knows. */
export type MenuItem = string | { line: true } | { title: string; run: () => void; off?: boolean; checked?: boolean };

export interface Notice {
  number: number;
  level: 'info' | 'error';
  text: string;
  node?: string | null;
}

export interface Ui {
  selection: InstanceKey[];
  /** Where a range begins. */
  anchor: InstanceKey | null;
  /** Those whose children are hidden; everything else is open, but uses of skills, which are listed when open. */
  closed: ReadonlySet<InstanceKey>;
  openSkills: ReadonlySet<InstanceKey>;
  renaming: InstanceKey | null;
  search: string;
  overlay: Overlay | null;
  menu: Menu | null;
  notices: Notice[];
  theme: Theme;
  textSize: number;
  layout: string;
  topDown: boolean;
  /** Four views at once: free, from above, front and left. */
  four: boolean;
  showCloud: boolean;
  showFrames: boolean;
  /** The simulated world as it truly is. */
  showWorld: boolean;
  /** Gizmo: which goal of the selected step it moves; none: hidden. */
  gizmo: boolean;
  /** All entries of a list of goals move with the one that is dragged. */
  together: boolean;
  /** The robot's shadow and where its feet stand. */
  showShadows: boolean;
  /** Names in the 3D view. */
  showLabels: boolean;
  /** What pushes the robot, where it stands, what its joints have to do. */
  showForces: boolean;
  /** The camera goes with the robot. */
  follow: boolean;
  tour: number | null;
}

interface Kept {
  theme: Theme;
  textSize: number;
  layout: string;
  toured: boolean;
}

const KEPT = 'coact.ui';

function kept(): Kept {
  const first: Kept = { theme: 'dark', textSize: 13, layout: 'Author', toured: false };
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Kept>) };
  } catch {
    return first; // what an older page left behind is no reason not to start
  }
}

export const useUi = create<Ui>(() => {
  const { theme, textSize, layout, toured } = kept();
  return {
    selection: [],
    anchor: null,
    closed: new Set(),
    openSkills: new Set(),
    renaming: null,
    search: '',
    overlay: null,
    menu: null,
    notices: [],
    theme,
    textSize,
    layout,
    topDown: false,
    four: false,
    showCloud: true,
    showFrames: false,
    showWorld: true,
    gizmo: true,
    together: false,
    showShadows: true,
    showLabels: true,
    showForces: true,
    follow: true,
    tour: toured ? null : 0,
  };
});

useUi.subscribe((ui) => {
  const { theme, textSize, layout, tour } = ui;
  const keep: Kept = { theme, textSize, layout, toured: tour === null };
  try {
    localStorage.setItem(KEPT, JSON.stringify(keep));
  } catch {
    // private windows may forbid it; the page works without
  }
});

let noticeNumber = 0;

export function notify(level: Notice['level'], text: string, node?: string | null): void {
  const number = noticeNumber++;
  const { notices } = useUi.getState();
  // The same complaint again would push the others off the screen.
  const others = notices.filter((notice) => notice.text !== text);
  useUi.setState({ notices: [...others, { number, level, text, node }].slice(-5) });
  if (level === 'info') setTimeout(() => dismiss(number), 6000);
}

export function dismiss(number: number): void {
  useUi.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.number !== number) }));
}

export const dismissAll = (): void => useUi.setState({ notices: [] });

export function select(keys: InstanceKey[], anchor: InstanceKey | null = keys[0] ?? null): void {
  useUi.setState({ selection: keys, anchor });
}

import type { DockviewApi, SerializedDockview } from 'dockview-react';
import { PANELS, type PanelId } from '../panels/list';
import { useUi } from '../state/ui';

export const LAYOUTS = ['Author', 'Run', 'Review', 'Map', 'Robot'] as const;
export type LayoutName = (typeof LAYOUTS)[number];

let api: DockviewApi | null = null;
/** While a layout is being put up its half-done states are not to be kept. */
let putting = false;

/** Higher than wide, as a tablet that is held upright: panels stand above each other there. */
const isUpright = (): boolean => window.innerHeight > window.innerWidth;
let upright = isUpright();

const place = (name: string): string => `coact.layout.${name}${upright ? '.upright' : ''}`;
const title = (id: PanelId): string => PANELS.find((panel) => panel.id === id)?.title ?? id;

export function attach(to: DockviewApi): void {
  api = to;
  put(useUi.getState().layout);
  window.addEventListener('resize', () => {
    if (upright === isUpright()) return;
    upright = isUpright();
    // When the new size is known inside, too.
    requestAnimationFrame(() => put(useUi.getState().layout));
  });
  to.onDidLayoutChange(() => {
    if (!putting) keep();
  });
}

function keep(): void {
  try {
    if (api) localStorage.setItem(place(useUi.getState().layout), JSON.stringify(api.toJSON()));
  } catch {
    // private windows may forbid it; the layout then lasts as long as the page
  }
}

export function switchLayout(name: string): void {
  if (name === useUi.getState().layout) return;
  useUi.setState({ layout: name, topDown: name === 'Map' });
  put(name);
}

export function resetLayout(): void {
  localStorage.removeItem(place(useUi.getState().layout));
  put(useUi.getState().layout);
}

function put(name: string): void {
  if (!api) return;
  putting = true;
  const kept = localStorage.getItem(place(name));
  try {
    if (kept) api.fromJSON(JSON.parse(kept) as SerializedDockview);
    else first(api, name);
  } catch {
    // a layout of an older page: begin with ours
    first(api, name);
  }
  putting = false;
}

export function showPanel(id: PanelId): void {
  const there = api?.getPanel(id);
  if (there) there.api.setActive();
  else api?.addPanel({ id, component: id, title: title(id) });
}

interface Spot {
  id: PanelId;
  beside?: PanelId;
  direction?: 'left' | 'right' | 'above' | 'below' | 'within';
  width?: number;
  height?: number;
}

/** In the order they are put up; sizes are shares of the window. */
const FIRST: Record<LayoutName, Spot[]> = {
  Author: [
    { id: 'view' },
    { id: 'tree', beside: 'view', direction: 'left', width: 0.27 },
    { id: 'settings', beside: 'view', direction: 'right', width: 0.22 },
    { id: 'timeline', beside: 'view', direction: 'below', height: 0.24 },
    { id: 'log', beside: 'timeline', direction: 'within' },
    { id: 'problems', beside: 'timeline', direction: 'within' },
    { id: 'variables', beside: 'settings', direction: 'within' },
    { id: 'scene', beside: 'settings', direction: 'within' },
    { id: 'goal', beside: 'settings', direction: 'within' },
  ],
  Run: [
    { id: 'tree' },
    { id: 'view', beside: 'tree', direction: 'right', width: 0.66 },
    { id: 'variables', beside: 'view', direction: 'right', width: 0.22 },
    { id: 'scene', beside: 'variables', direction: 'below', height: 0.4 },
    { id: 'timeline', beside: 'view', direction: 'below', height: 0.3 },
    { id: 'camera', beside: 'scene', direction: 'within' },
    { id: 'robot', beside: 'scene', direction: 'within' },
    { id: 'log', beside: 'timeline', direction: 'within' },
    { id: 'plots', beside: 'timeline', direction: 'within' },
    { id: 'settings', beside: 'variables', direction: 'within' },
    { id: 'goal', beside: 'variables', direction: 'within' },
  ],
  Review: [
    { id: 'timeline' },
    { id: 'tree', beside: 'timeline', direction: 'left', width: 0.27 },
    { id: 'runs', beside: 'timeline', direction: 'within' },
    { id: 'trials', beside: 'timeline', direction: 'within' },
    { id: 'log', beside: 'timeline', direction: 'below', height: 0.5 },
    { id: 'view', beside: 'log', direction: 'right', width: 0.38 },
    { id: 'plots', beside: 'log', direction: 'within' },
    { id: 'problems', beside: 'log', direction: 'within' },
    { id: 'variables', beside: 'view', direction: 'within' },
    { id: 'camera', beside: 'view', direction: 'within' },
    { id: 'robot', beside: 'view', direction: 'within' },
  ],
  Map: [
    { id: 'view' },
    { id: 'tree', beside: 'view', direction: 'left', width: 0.25 },
    { id: 'scene', beside: 'view', direction: 'right', width: 0.23 },
    { id: 'settings', beside: 'scene', direction: 'below', height: 0.5 },
  ],
  Robot: [
    { id: 'view' },
    { id: 'tree', beside: 'view', direction: 'left', width: 0.2 },
    { id: 'guess', beside: 'view', direction: 'right', width: 0.36 },
    { id: 'robot', beside: 'guess', direction: 'within' },
  ],
};

/** Half of it for what moves, half for what is worked on. */
const UPRIGHT: Record<LayoutName, Spot[]> = {
  Author: [
    { id: 'view' },
    { id: 'tree', beside: 'view', direction: 'below', height: 0.58 },
    { id: 'settings', beside: 'tree', direction: 'right', width: 0.5 },
    { id: 'timeline', beside: 'settings', direction: 'below', height: 0.2 },
    { id: 'variables', beside: 'settings', direction: 'within' },
    { id: 'scene', beside: 'settings', direction: 'within' },
    { id: 'goal', beside: 'settings', direction: 'within' },
    { id: 'log', beside: 'timeline', direction: 'within' },
    { id: 'problems', beside: 'timeline', direction: 'within' },
  ],
  Run: [
    { id: 'view' },
    { id: 'tree', beside: 'view', direction: 'below', height: 0.58 },
    { id: 'variables', beside: 'tree', direction: 'right', width: 0.5 },
    { id: 'timeline', beside: 'variables', direction: 'below', height: 0.26 },
    { id: 'scene', beside: 'variables', direction: 'within' },
    { id: 'camera', beside: 'variables', direction: 'within' },
    { id: 'robot', beside: 'variables', direction: 'within' },
    { id: 'settings', beside: 'variables', direction: 'within' },
    { id: 'goal', beside: 'variables', direction: 'within' },
    { id: 'log', beside: 'timeline', direction: 'within' },
    { id: 'plots', beside: 'timeline', direction: 'within' },
  ],
  Review: [
    { id: 'view' },
    { id: 'timeline', beside: 'view', direction: 'below', height: 0.66 },
    { id: 'tree', beside: 'timeline', direction: 'below', height: 0.4 },
    { id: 'log', beside: 'tree', direction: 'right', width: 0.5 },
    { id: 'plots', beside: 'timeline', direction: 'within' },
    { id: 'runs', beside: 'timeline', direction: 'within' },
    { id: 'trials', beside: 'timeline', direction: 'within' },
    { id: 'variables', beside: 'log', direction: 'within' },
    { id: 'problems', beside: 'log', direction: 'within' },
  ],
  Map: [
    { id: 'view' },
    { id: 'tree', beside: 'view', direction: 'below', height: 0.4 },
    { id: 'scene', beside: 'tree', direction: 'right', width: 0.5 },
    { id: 'settings', beside: 'scene', direction: 'within' },
  ],
  Robot: [
    { id: 'view' },
    { id: 'guess', beside: 'view', direction: 'below', height: 0.5 },
    { id: 'tree', beside: 'guess', direction: 'within' },
    { id: 'robot', beside: 'guess', direction: 'within' },
  ],
};

function first(to: DockviewApi, name: string): void {
  to.clear();
  const width = to.width || window.innerWidth;
  const height = to.height || window.innerHeight - 80;
  const layout = upright ? UPRIGHT : FIRST;
  for (const spot of layout[name as LayoutName] ?? layout.Author) {
    to.addPanel({
      id: spot.id,
      component: spot.id,
      title: title(spot.id),
      inactive: spot.direction === 'within',
      ...(spot.beside ? { position: { referencePanel: spot.beside, direction: spot.direction ?? 'within' } } : {}),
      ...(spot.width ? { initialWidth: spot.width * width } : {}),
      ...(spot.height ? { initialHeight: spot.height * height } : {}),
    });
  }
}

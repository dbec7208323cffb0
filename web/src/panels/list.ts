/** Every panel: its id in layouts and the title of its tab. Its component is in `components.tsx`. */
export const PANELS = [
  { id: 'tree', title: 'Tree' },
  { id: 'settings', title: 'Settings' },
  { id: 'view', title: '3D' },
  { id: 'timeline', title: 'Timeline' },
  { id: 'variables', title: 'Variables' },
  { id: 'plots', title: 'Plots' },
  { id: 'goal', title: 'Goal' },
  { id: 'scene', title: 'Scene' },
  { id: 'log', title: 'Log' },
  { id: 'problems', title: 'Problems' },
  { id: 'camera', title: 'Camera' },
  { id: 'robot', title: 'Robot' },
  { id: 'runs', title: 'Runs' },
  { id: 'trials', title: 'Trials' },
  { id: 'guess', title: 'Robot guess' },
] as const;

export type PanelId = (typeof PANELS)[number]['id'];

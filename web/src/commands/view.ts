import { useUi, type Theme } from '../state/ui';
import { useWorld } from '../state/world';
import { LAYOUTS, resetLayout, showPanel, switchLayout } from '../shell/layouts';
import { PANELS } from '../panels/list';
import { shown, VIEWS } from '../panels/view/shown';
import type { ViewFrom } from '../three/told';
import type { Command } from './registry';

const THEMES: [Theme, string][] = [
  ['dark', 'Dark'],
  ['light', 'Light'],
  ['contrast', 'High contrast'],
];

const size = (by: number): void => useUi.setState(({ textSize }) => ({ textSize: by === 0 ? 13 : Math.min(20, Math.max(11, textSize + by)) }));

/** A view from above without perspective would not turn. */
function lookFrom(from: ViewFrom): void {
  useUi.setState({ topDown: false });
  requestAnimationFrame(() => shown.view?.lookFrom(from));
}

export const viewCommands: Command[] = [
  ...LAYOUTS.map(
    (name, index): Command => ({
      id: `view.layout_${name.toLowerCase()}`,
      title: `Layout: ${name}`,
      group: 'View',
      keys: `Alt+${index + 1}`,
      inText: true,
      enabled: () => name !== 'Robot' || (useWorld.getState().welcome?.workshop ?? 'none') !== 'none',
      checked: () => useUi.getState().layout === name,
      run: () => switchLayout(name),
    }),
  ),
  { id: 'view.layout_reset', title: 'Layout: as it was at first', group: 'View', run: resetLayout },
  ...PANELS.map((panel): Command => ({ id: `view.panel_${panel.id}`, title: `Show ${panel.title}`, group: 'View', run: () => showPanel(panel.id) })),
  ...THEMES.map(
    ([theme, title]): Command => ({
      id: `view.theme_${theme}`,
      title: `Colours: ${title}`,
      group: 'View',
      checked: () => useUi.getState().theme === theme,
      run: () => useUi.setState({ theme }),
    }),
  ),
  { id: 'view.larger', title: 'Larger text', group: 'View', keys: 'Ctrl+= Ctrl++', inText: true, run: () => size(1) },
  { id: 'view.smaller', title: 'Smaller text', group: 'View', keys: 'Ctrl+-', inText: true, run: () => size(-1) },
  { id: 'view.usual', title: 'Usual text size', group: 'View', keys: 'Ctrl+0', inText: true, run: () => size(0) },
  {
    id: 'view.top_down',
    title: 'Map: look from above',
    group: 'View',
    keys: 'Alt+M',
    checked: () => useUi.getState().topDown,
    run: () => useUi.setState(({ topDown }) => ({ topDown: !topDown })),
  },
  {
    id: 'view.four',
    title: 'Four views: free, above, front, left',
    group: 'View',
    keys: 'Alt+F',
    checked: () => useUi.getState().four,
    run: () => useUi.setState(({ four }) => ({ four: !four })),
  },
  { id: 'view.frame', title: 'Frame what is selected, or the robot', group: 'View', keys: 'F', run: () => shown.view?.frameSelection() },
  ...VIEWS.map(({ id, title, from }): Command => ({ id, title: `Look at the robot from: ${title.toLowerCase()}`, group: 'View', run: () => lookFrom(from) })),
  {
    id: 'view.follow',
    title: 'Follow the robot',
    group: 'View',
    checked: () => useUi.getState().follow,
    run: () => useUi.setState(({ follow }) => ({ follow: !follow })),
  },
  {
    id: 'view.shadows',
    title: 'Show shadow and ground contact',
    group: 'View',
    checked: () => useUi.getState().showShadows,
    run: () => useUi.setState(({ showShadows }) => ({ showShadows: !showShadows })),
  },
  {
    id: 'view.labels',
    title: 'Show names',
    group: 'View',
    checked: () => useUi.getState().showLabels,
    run: () => useUi.setState(({ showLabels }) => ({ showLabels: !showLabels })),
  },
  {
    id: 'view.cloud',
    title: 'Show the point cloud',
    group: 'View',
    checked: () => useUi.getState().showCloud,
    run: () => useUi.setState(({ showCloud }) => ({ showCloud: !showCloud })),
  },
  {
    id: 'view.frames',
    title: 'Show frames',
    group: 'View',
    checked: () => useUi.getState().showFrames,
    run: () => useUi.setState(({ showFrames }) => ({ showFrames: !showFrames })),
  },
  {
    id: 'view.forces',
    title: 'Show forces, support and load',
    group: 'View',
    checked: () => useUi.getState().showForces,
    run: () => useUi.setState(({ showForces }) => ({ showForces: !showForces })),
  },
  {
    id: 'view.world',
    title: 'Show the simulated world (the robot does not know it)',
    group: 'View',
    checked: () => useUi.getState().showWorld,
    run: () => useUi.setState(({ showWorld }) => ({ showWorld: !showWorld })),
  },
  {
    id: 'view.gizmo',
    title: 'Show the gizmo of the selected step',
    group: 'View',
    checked: () => useUi.getState().gizmo,
    run: () => useUi.setState(({ gizmo }) => ({ gizmo: !gizmo })),
  },
];

export const helpCommands: Command[] = [
  {
    id: 'help.palette',
    title: 'All commands…',
    group: 'Help',
    keys: 'Ctrl+K',
    inText: true,
    run: () => useUi.setState({ overlay: { is: 'palette' } }),
  },
  { id: 'help.shortcuts', title: 'Keys and mouse', group: 'Help', keys: 'F1 ?', run: () => useUi.setState({ overlay: { is: 'shortcuts' } }) },
  { id: 'help.name', title: 'Who you are here: your name and role…', group: 'Help', run: () => useUi.setState({ overlay: { is: 'name' } }) },
  { id: 'help.tour', title: 'Guided tour', group: 'Help', run: () => useUi.setState({ tour: 0 }) },
];

import type { IDockviewPanelProps } from 'dockview-react';
import type { FunctionComponent, ReactNode } from 'react';
import { ErrorBoundary } from '../shell/ErrorBoundary';
import { CameraPanel } from './camera/CameraPanel';
import { GoalPanel } from './goal/GoalPanel';
import { GuessPanel } from './guess/GuessPanel';
import { PANELS, type PanelId } from './list';
import { LogPanel } from './log/LogPanel';
import { PlotsPanel } from './plots/PlotsPanel';
import { ProblemsPanel } from './problems/ProblemsPanel';
import { RobotPanel } from './robot/RobotPanel';
import { RunsPanel } from './runs/RunsPanel';
import { ScenePanel } from './scene/ScenePanel';
import { SettingsPanel } from './settings/SettingsPanel';
import { TimelinePanel } from './timeline/TimelinePanel';
import { TreePanel } from './tree/TreePanel';
import { TrialsPanel } from './trials/TrialsPanel';
import { VariablesPanel } from './variables/VariablesPanel';
import { ViewPanel } from './view/ViewPanel';

const PANEL: Record<PanelId, FunctionComponent> = {
  tree: TreePanel,
  settings: SettingsPanel,
  view: ViewPanel,
  timeline: TimelinePanel,
  variables: VariablesPanel,
  plots: PlotsPanel,
  goal: GoalPanel,
  scene: ScenePanel,
  log: LogPanel,
  problems: ProblemsPanel,
  camera: CameraPanel,
  robot: RobotPanel,
  runs: RunsPanel,
  trials: TrialsPanel,
  guess: GuessPanel,
};

function wrapped(id: PanelId, title: string): FunctionComponent<IDockviewPanelProps> {
  const Inner = PANEL[id];
  return function Panel(): ReactNode {
    return (
      <section className={`panel panel-${id}`} data-panel={id} aria-label={title}>
        <ErrorBoundary name={title}>
          <Inner />
        </ErrorBoundary>
      </section>
    );
  };
}

export const components = Object.fromEntries(PANELS.map(({ id, title }) => [id, wrapped(id, title)]));

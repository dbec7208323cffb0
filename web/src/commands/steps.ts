import { edit, selectedNodes } from '../state/actions';
import { useDoc } from '../state/document';
import { useUi } from '../state/ui';
import { useWorld } from '../state/world';
import type { PreviewView } from '../api/types';
import type { Command } from './registry';

/** The setting of the selected step that has footsteps one by one; none: its type has none. */
function stepsField(): string | null {
  const node = useDoc.getState().nodes.get(selectedNodes()[0] ?? '');
  const type = node && useWorld.getState().nodeTypes.get(node.kind);
  return type?.handles.find(({ looks, part }) => looks === 'foot' && part !== null)?.field ?? null;
}

interface Step {
  pose?: Record<string, number>;
}

function ownSteps(): Step[] {
  const field = stepsField();
  const steps = field === null ? null : useDoc.getState().nodes.get(selectedNodes()[0] ?? '')?.settings[field];
  return Array.isArray(steps) ? (steps as Step[]) : [];
}

/** What the ghost shows of the selected step. */
function shownSteps(): PreviewView['footsteps'] {
  const { previews, previewOn } = useWorld.getState();
  const node = selectedNodes()[0];
  return (previewOn && previews.find(({ step }) => step.node === node)?.footsteps) || [];
}

export const stepCommands: Command[] = [
  {
    id: 'edit.take_steps',
    title: 'Make its planned steps its own',
    group: 'Edit',
    enabled: () => stepsField() !== null && shownSteps().length > 0,
    run: () => {
      const [node] = selectedNodes();
      if (node === undefined) return;
      void edit({ do: 'take_steps', node, steps: shownSteps() });
      useUi.setState({ together: true, gizmo: true });
    },
  },
  {
    id: 'edit.reset_heights',
    title: 'Put its steps level on the ground',
    group: 'Edit',
    enabled: () => ownSteps().some(({ pose }) => pose && ['z_m', 'roll_deg', 'pitch_deg'].some((part) => (pose[part] ?? 0) !== 0)),
    run: () => {
      const [node] = selectedNodes();
      const field = stepsField();
      if (node === undefined || field === null) return;
      const level = ownSteps().map((step) => ({ ...step, pose: { ...step.pose, z_m: 0, roll_deg: 0, pitch_deg: 0 } }));
      void edit({ do: 'set', node, settings: { [field]: level } });
    },
  },
  {
    id: 'view.together',
    title: 'Move all steps of a walk together',
    group: 'View',
    checked: () => useUi.getState().together,
    run: () => useUi.setState(({ together }) => ({ together: !together })),
  },
];

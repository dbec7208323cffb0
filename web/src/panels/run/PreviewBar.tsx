import { Eye, RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { runCommand } from '../../commands/registry';
import { ask } from '../../state/actions';
import { usePreviewing } from '../../state/previewing';

const SPEEDS = [1, 2, 4, 8];

export const REAL = {
  stopped: 'stands still',
  manual: 'runs step by step',
  automatic: 'runs automatically',
  paused: 'is paused',
  stopping: 'is stopping',
  failed: 'has failed and stands still',
};

/** That what is seen and commanded is a preview, and what the robot does meanwhile. */
export function PreviewBar(): ReactNode {
  const on = usePreviewing((state) => state.on);
  const mode = usePreviewing((state) => state.real?.mode ?? 'stopped');
  if (!on) return null;
  return (
    <div className="preview-bar" role="status" aria-label="Preview mode">
      <Eye size={16} aria-hidden />
      <strong>Preview</strong>
      <span>The buttons drive the blue robot, nothing else. The real one {REAL[mode]}; Stop stops it.</span>
      <span className="room" />
      <div className="levels" role="group" aria-label="Speed of the preview">
        {SPEEDS.map((speed) => (
          <button key={speed} type="button" aria-pressed={on.speed === speed} onClick={() => void ask({ ask: 'preview_speed', speed })}>
            {speed} ×
          </button>
        ))}
      </div>
      <button type="button" onClick={() => runCommand('run.preview_beginning')}>
        <RotateCcw size={14} aria-hidden /> From the beginning
      </button>
      <button type="button" onClick={() => runCommand('run.preview_mode')}>
        <X size={14} aria-hidden /> End preview
      </button>
    </div>
  );
}

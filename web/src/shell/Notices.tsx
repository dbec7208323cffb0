import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { jumpTo } from '../state/actions';
import { useDoc } from '../state/document';
import { dismiss, useUi } from '../state/ui';

export function Notices(): ReactNode {
  const notices = useUi((ui) => ui.notices);
  const nodes = useDoc((doc) => doc.nodes);
  return (
    <div className="notices" role="log" aria-label="Notices">
      {notices.map(({ number, level, text, node }) => (
        <div key={number} className={`notice ${level}`} role={level === 'error' ? 'alert' : undefined}>
          <span>{text}</span>
          {node && nodes.has(node) && (
            <button type="button" className="link" onClick={() => jumpTo(node)}>
              Show
            </button>
          )}
          <button type="button" className="icon" aria-label="Dismiss" onClick={() => dismiss(number)}>
            <X size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}

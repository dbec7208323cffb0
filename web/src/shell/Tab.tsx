import type { IDockviewPanelHeaderProps } from 'dockview-react';
import type { ReactNode } from 'react';
import { openMenu } from './MenuPopup';

/** Only its title: a close button inside a tab is one that a screen reader finds twice. Right or middle click closes. */
export function Tab({ api }: IDockviewPanelHeaderProps): ReactNode {
  return (
    <div
      className="tab-title"
      title="Drag to put it elsewhere; right-click to close"
      onAuxClick={(event) => event.button === 1 && api.close()}
      onContextMenu={(event) => {
        event.preventDefault();
        openMenu(event.clientX, event.clientY, [{ title: `Close ${api.title ?? 'this panel'}`, run: () => api.close() }]);
      }}
    >
      {api.title}
    </div>
  );
}

import type { ReactNode } from 'react';
import { AddNode } from '../panels/tree/AddNode';
import { OpenDialog } from '../panels/files/OpenDialog';
import { SaveAsDialog } from '../panels/files/SaveAsDialog';
import { RetypeDialog } from '../panels/tree/RetypeDialog';
import { useUi } from '../state/ui';
import { ErrorBoundary } from './ErrorBoundary';
import { DiscardDialog, ExtractDialog, FrameDialog, HistoryDialog, NameDialog, NewDialog, NotesDialog, OverwriteDialog, WrapDialog } from './dialogs';
import { CompareDialog, MarkDialog } from '../panels/review/dialogs';
import { StartPage } from '../panels/start/StartPage';
import { Palette } from './Palette';
import { Shortcuts } from './Shortcuts';

export function Overlays(): ReactNode {
  const overlay = useUi((ui) => ui.overlay);
  if (!overlay) return null;
  const content = ((): ReactNode => {
    switch (overlay.is) {
      case 'palette':
        return <Palette />;
      case 'name':
        return <NameDialog />;
      case 'shortcuts':
        return <Shortcuts />;
      case 'add':
        return <AddNode place={overlay.place} />;
      case 'files':
        return overlay.for === 'new' ? <NewDialog /> : <OpenDialog />;
      case 'save_as':
        return <SaveAsDialog />;
      case 'retype':
        return <RetypeDialog />;
      case 'wrap':
        return <WrapDialog />;
      case 'extract':
        return <ExtractDialog />;
      case 'notes':
        return <NotesDialog />;
      case 'history':
        return <HistoryDialog />;
      case 'mark':
        return <MarkDialog atS={overlay.atS} />;
      case 'compare':
        return <CompareDialog />;
      case 'start':
        return <StartPage />;
      case 'frame':
        return <FrameDialog />;
      case 'discard':
        return <DiscardDialog then={overlay.then} />;
      case 'overwrite':
        return <OverwriteDialog text={overlay.text} />;
    }
  })();
  return (
    <ErrorBoundary key={overlay.is} name="This window">
      {content}
    </ErrorBoundary>
  );
}

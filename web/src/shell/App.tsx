import { DockviewReact, type DockviewTheme } from 'dockview-react';
import { useEffect, type ReactNode } from 'react';
import { onCancel } from '../commands/keys';
import { components } from '../panels/components';
import { Questions } from '../panels/questions/Questions';
import { ask } from '../state/actions';
import { useAsking } from '../state/control';
import { instanceOf } from '../api/ids';
import { usePlacing } from '../state/placing';
import { isTreeOfThen, useReviewing } from '../state/reviewing';
import { useUi } from '../state/ui';
import { useWorld } from '../state/world';
import { useContact } from '../state/contact';
import { ControlAsked } from './ControlAsked';
import { NotDelivered } from './Lost';
import { attach, switchLayout } from './layouts';
import { MenuPopup } from './MenuPopup';
import { Notices } from './Notices';
import { Overlays } from './Overlays';
import { Tab } from './Tab';
import { StatusBar } from './StatusBar';
import { TopBar } from './TopBar';
import { Tour } from './Tour';

const dock: DockviewTheme = { name: 'coact', className: 'dockview-theme-coact', tabGroupIndicator: 'none', dndTabIndicator: 'line' };

/** The others see where this person is. */
function usePresence(): void {
  const selected = useUi((ui) => ui.selection.at(-1));
  const edits = useUi((ui) => ui.renaming !== null);
  useEffect(() => {
    const node = selected === undefined ? null : instanceOf(selected).node;
    const timer = setTimeout(() => void tellPresence(node, edits), 150);
    return () => clearTimeout(timer);
  }, [selected, edits]);
}

/** A robot that nobody has looked at is looked at first; without one to correct its layout is none. */
function useRobotLayout(): void {
  const process = useWorld((world) => world.welcome?.process);
  const workshop = useWorld((world) => world.welcome?.workshop);
  useEffect(() => {
    if (process === undefined) return;
    if (workshop === 'guessed') switchLayout('Robot');
    else if (workshop !== 'written' && useUi.getState().layout === 'Robot') switchLayout('Author');
  }, [process, workshop]);
}

async function tellPresence(node: string | null, edits: boolean): Promise<void> {
  // What is selected in a recording is nowhere in the tree that others see.
  if (isTreeOfThen()) return;
  if (useWorld.getState().socket === 'open') await ask({ ask: 'presence', node, edits, wants_control: useAsking.getState().wanted });
}

export function App(): ReactNode {
  const lost = useContact((contact) => contact.lost);
  const reviewing = useReviewing((review) => review.on !== null);
  // What is recorded is as it was: nothing of it has become old.
  const stale = lost !== null && !reviewing;
  // What an answer is shown in must not be covered by the question.
  const showing = usePlacing((placer) => placer.placing !== null);
  usePresence();
  useRobotLayout();
  useEffect(
    () =>
      onCancel(() => {
        const { search, selection } = useUi.getState();
        if (search) useUi.setState({ search: '' });
        else if (selection.length > 0) useUi.setState({ selection: [] });
        else return false;
        return true;
      }),
    [],
  );
  return (
    <div className={['app', lost && 'lost', stale && `lost-${lost.of}`, reviewing && 'reviewing'].filter(Boolean).join(' ')}>
      <TopBar />
      <main className="dock">
        <DockviewReact
          components={components}
          defaultTabComponent={Tab}
          onReady={({ api }) => attach(api)}
          theme={dock}
          defaultRenderer="always"
          dndStrategy="pointer"
        />
      </main>
      <StatusBar />
      <div className={showing ? 'cards aside' : 'cards'}>
        <NotDelivered />
        <ControlAsked />
        <Questions />
      </div>
      <Notices />
      <Overlays />
      <MenuPopup />
      <Tour />
    </div>
  );
}

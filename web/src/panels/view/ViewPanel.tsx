import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { onCancel } from '../../commands/keys';
import { instanceOf, keyOf } from '../../api/ids';
import { command, runCommand } from '../../commands/registry';
import { ask } from '../../state/actions';
import { useDoc } from '../../state/document';
import { changePlacing } from '../../state/placing';
import { useRun } from '../../state/run';
import { notify, useUi } from '../../state/ui';
import { useWorld } from '../../state/world';
import { nudgeOf } from '../../three/keys';
import type { ShownStep } from '../../three/goalLayer';
import { View } from '../../three/view';
import { openBoxMenu } from './boxMenu';
import { useGuessColours } from './guess';
import { dragPreview, showPreview, showPreviewAgain } from './live';
import { openViewMenu } from './menu';
import { shown, VIEWS } from './shown';
import { Layers } from './Layers';
import { Marks } from './Past';
import { Readout } from './Readout';
import { useForces } from './forces';
import { useThings } from './things';
import { VrButton } from './VrButton';

function coloursNow(): { background: string; grid: string; gridStrong: string } {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return { background: read('--view'), grid: read('--view-grid'), gridStrong: read('--view-grid-strong') };
}

function useSteps(): ShownStep[] {
  const nodes = useDoc((doc) => doc.nodes);
  const selection = useUi((ui) => ui.selection);
  const running = useRun((state) => state.view.running);
  const types = useWorld((world) => world.nodeTypes);
  const runningKeys = running.map(({ step }) => keyOf(step)).join(' ');
  return useMemo(() => {
    const selected = new Set(selection.map((key) => instanceOf(key).node));
    const together = [...selected].flatMap((id) => togetherWith(nodes, id));
    const runs = runningKeys
      .split(' ')
      .filter(Boolean)
      .map((key) => instanceOf(key).node);
    const all = new Set([...selected, ...together, ...runs]);
    const steps: ShownStep[] = [];
    for (const id of all) {
      const node = nodes.get(id);
      if (!node) continue;
      steps.push({ node, type: types.get(node.kind), lit: selected.has(id) });
    }
    return steps;
  }, [nodes, selection, runningKeys, types]);
}

/** The siblings that are authored to run together with a step: those that execute after the same thing, or after it. */
function togetherWith(nodes: ReturnType<typeof useDoc.getState>['nodes'], id: string): string[] {
  const node = nodes.get(id);
  const siblings = node?.parent ? (nodes.get(node.parent)?.children ?? []) : [];
  const after = (one: string): string | undefined => nodes.get(one)?.references?.after ?? (nodes.get(one)?.settings.after as string | undefined);
  const own = after(id);
  return own === undefined ? [] : siblings.filter((one) => one !== id && after(one) === own);
}

export function ViewPanel(): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View | null>(null);
  const [layers, setLayers] = useState(false);
  const closeLayers = useCallback(() => setLayers(false), []);
  const [failed, setFailed] = useState<string | null>(null);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let made: View;
    try {
      made = new View(element, {
        goalMoved: async (node, settings) => (await ask({ ask: 'edit', operation: { do: 'set', node, settings } })) !== null,
        goalDragged: dragPreview,
        ghostMoved: (pose) => changePlacing({ pose }),
        menu: openViewMenu,
        notDrawn: (text) => notify('error', text),
        box: (place, area) => openBoxMenu(place, area, (centre, size) => made.showArea(centre, size)),
      });
    } catch (error) {
      setFailed(String(error));
      return;
    }
    (element as { view?: View }).view = made;
    const size = new ResizeObserver(() => made.resize());
    size.observe(element);
    const seen = new IntersectionObserver(([entry]) => made.setSeen(entry?.isIntersecting ?? true));
    seen.observe(element);
    const forget = onCancel(() => made.cancel());
    setView(made);
    shown.view = made;
    return () => {
      if (shown.view === made) shown.view = null;
      size.disconnect();
      seen.disconnect();
      forget();
      made.dispose();
    };
  }, []);

  useFeeds(view);
  useForces(view, canvas);
  useGuessColours(view);
  const play = useCallback((share: number | null) => view?.setPlay(share), [view]);
  const run = useCallback((on: boolean) => view?.setPlaying(on), [view]);
  const topDown = useUi((ui) => ui.topDown);
  const four = useUi((ui) => ui.four);
  if (failed) return <p className="broken">This browser cannot draw in 3D: {failed}. Everything else works.</p>;
  return (
    <div className={four ? 'view four' : 'view'}>
      <canvas
        ref={canvas}
        tabIndex={0}
        aria-label="3D view: drag to look around, W A S D to move, F1 for all keys"
        onKeyDown={(event) => {
          if (view?.key(event.nativeEvent, nudgeOf(event))) event.preventDefault();
        }}
      />
      <div className="view-top">
        <div className="view-tools" role="toolbar" aria-label="3D view">
          {(['view.top_down', 'view.four', 'view.follow', 'view.cloud', 'view.world', 'view.frames', 'view.gizmo', 'run.preview'] as const).map((id) => (
            <Toggle key={`${id} ${topDown}`} id={id} />
          ))}
          <select
            aria-label="Look from"
            value=""
            onChange={(event) => {
              runCommand(event.target.value);
              canvas.current?.focus();
            }}
          >
            <option value="" disabled>
              Look from…
            </option>
            {VIEWS.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
          <button type="button" aria-pressed={layers} title="What is shown, how much of it, how old" onClick={() => setLayers(!layers)}>
            Layers
          </button>
          <VrButton view={view} />
        </div>
        {layers && view && <Layers view={view} close={closeLayers} />}
        <Marks />
      </div>
      <Readout play={play} run={run} />
    </div>
  );
}

const SHORT: Record<string, string> = {
  'view.top_down': 'Map',
  'view.four': 'Four',
  'view.follow': 'Follow',
  'view.cloud': 'Points',
  'view.world': 'World',
  'view.frames': 'Frames',
  'view.gizmo': 'Gizmo',
  'run.preview': 'Ghost',
};

function Toggle({ id }: { id: string }): ReactNode {
  // A ghost is kept with the world, the others with the page.
  useWorld((world) => world.previewOn);
  const on = useUi(() => command(id)?.checked?.() ?? false);
  return (
    <button type="button" aria-pressed={on} title={command(id)?.title} onClick={() => runCommand(id)}>
      {SHORT[id]}
    </button>
  );
}

/** Tells the view what there is, each thing when it changes. */
function useFeeds(view: View | null): void {
  const robot = useWorld((world) => world.robot);
  const frames = useWorld((world) => world.frames);
  const theme = useUi((ui) => ui.theme);
  const topDown = useUi((ui) => ui.topDown);
  const four = useUi((ui) => ui.four);
  const showCloud = useUi((ui) => ui.showCloud);
  const showFrames = useUi((ui) => ui.showFrames);
  const showWorld = useUi((ui) => ui.showWorld);
  const gizmo = useUi((ui) => ui.gizmo);
  const together = useUi((ui) => ui.together);
  const showShadows = useUi((ui) => ui.showShadows);
  const showLabels = useUi((ui) => ui.showLabels);
  const showForces = useUi((ui) => ui.showForces);
  const follow = useUi((ui) => ui.follow);
  const steps = useSteps();
  useEffect(() => view?.setRobot(robot?.urdf ?? null, robot?.joints ?? []), [view, robot]);
  useEffect(() => view?.setFrames(frames), [view, frames]);
  useEffect(() => view?.setColours(coloursNow()), [view, theme]);
  useEffect(
    () => view?.setOptions({ topDown, four, showCloud, showFrames, showWorld, gizmo, together, showShadows, showLabels, showForces, follow }),
    [view, topDown, four, showCloud, showFrames, showWorld, gizmo, together, showShadows, showLabels, showForces, follow],
  );
  useEffect(() => view?.setSteps(steps), [view, steps, robot]);
  useThings(view);
  usePreview(view);
}

/** A ghost of a robot that moves is at most so old. */
const AGAIN_MS = 1000;

function usePreview(view: View | null): void {
  const previews = useWorld((world) => world.previews);
  const on = useWorld((world) => world.previewOn);
  const selected = useUi((ui) => ui.selection.at(-1));
  const version = useDoc((doc) => doc.version);
  const robot = useWorld((world) => world.robot);
  useEffect(() => {
    const shown = previews.find(({ step }) => keyOf(step) === selected) ?? previews.at(-1) ?? null;
    view?.setPreview(on ? shown : null);
  }, [view, previews, on, selected, robot]);
  // While the preview is on it follows what is selected and edited.
  useEffect(() => {
    if (!on || selected === undefined) return;
    const timer = setTimeout(() => showPreview(instanceOf(selected).node), 40);
    return () => clearTimeout(timer);
  }, [on, selected, version]);
  // It begins where the robot is, which moves while something runs.
  const runs = useRun((state) => state.view.running.length > 0);
  useEffect(() => {
    if (!on || selected === undefined || !runs) return;
    const again = (): void => showPreviewAgain(instanceOf(selected).node);
    const timer = setInterval(again, AGAIN_MS);
    return () => {
      clearInterval(timer);
      again();
    };
  }, [on, selected, runs]);
}

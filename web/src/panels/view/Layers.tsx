import { useEffect, useState, type ReactNode } from 'react';
import { onCancel } from '../../commands/keys';
import { useRun, useStory } from '../../state/run';
import { useUi, type Ui } from '../../state/ui';
import { useWorld } from '../../state/world';
import type { View } from '../../three/view';
import { ageS } from './ages';

/** Older than this, what comes many times a second has stopped. */
const LIVE_S = 1.5;

interface Layer {
  title: string;
  /** What shows and hides it; none: it is always there. */
  option: keyof Ui | null;
  /** How much of it there is; none: that is not counted. */
  count: (view: View) => number | null;
  /** When it came last; none: it is drawn from what is known here. */
  age: (() => number | null) | null;
}

const LAYERS: Layer[] = [
  { title: 'Robot', option: null, count: () => null, age: () => ageS('robot') },
  { title: 'Shadow and ground contact', option: 'showShadows', count: () => null, age: null },
  { title: 'Point cloud', option: 'showCloud', count: (view) => view.counts().points, age: () => ageS('points') },
  { title: 'Objects of the scene', option: null, count: (view) => view.counts().objects, age: null },
  { title: 'Detections', option: null, count: (view) => view.counts().detections, age: null },
  { title: 'Simulated world', option: 'showWorld', count: (view) => view.counts().solids, age: null },
  { title: 'Goals of steps', option: null, count: (view) => view.counts().goals, age: null },
  { title: 'Frames', option: 'showFrames', count: () => useWorld.getState().frames.length, age: null },
  { title: 'Forces, support and load', option: 'showForces', count: () => null, age: () => ageS('forces') },
  { title: 'Names', option: 'showLabels', count: (view) => view.counts().labels, age: null },
];

function text(age: Layer['age'], isPast: boolean): { text: string; is: 'live' | 'old' | '' } {
  if (!age) return { text: '', is: '' };
  const seconds = age();
  if (isPast) return { text: 'as at the cursor', is: 'old' };
  if (seconds === null) return { text: 'nothing came', is: 'old' };
  return seconds < LIVE_S ? { text: 'live', is: 'live' } : { text: `${seconds.toFixed(seconds < 10 ? 1 : 0)} s old`, is: 'old' };
}

/** What the 3D view shows, how much of it there is, and how old it is. */
export function Layers({ view, close }: { view: View; close: () => void }): ReactNode {
  const [, again] = useState(0);
  const pinned = useStory((story) => story.pinnedS) !== null;
  const simulated = useWorld((world) => world.welcome?.simulated);
  useRun((run) => run.view.mode);
  const ui = useUi();
  useEffect(() => {
    const timer = setInterval(() => again((count) => count + 1), 500);
    const forget = onCancel(() => {
      close();
      return true;
    });
    return () => {
      clearInterval(timer);
      forget();
    };
  }, [close]);
  return (
    <div className="layers-list" role="dialog" aria-label="Layers">
      <table>
        <tbody>
          {LAYERS.filter(({ option }) => option !== 'showWorld' || simulated !== false).map(({ title, option, count, age }) => {
            const told = text(age, pinned);
            const many = count(view);
            return (
              <tr key={title}>
                <td>
                  <label>
                    <input
                      type="checkbox"
                      checked={option === null || ui[option] === true}
                      disabled={option === null}
                      onChange={(event) => option && useUi.setState({ [option]: event.target.checked } as Partial<Ui>)}
                    />{' '}
                    {title}
                  </label>
                </td>
                <td className="dim">{many === null ? '' : many.toLocaleString()}</td>
                <td className={told.is}>{told.text}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="dim">The robot&apos;s own body is left out of the points.</p>
    </div>
  );
}

import { useEffect, useState, type ReactNode } from 'react';
import { notify } from '../../state/ui';
import type { View } from '../../three/view';
import type { Vr } from '../../three/vr';

/** Into the headset and out of it; there only where the browser has one. */
export function VrButton({ view }: { view: View | null }): ReactNode {
  const [supported, setSupported] = useState(false);
  const [vr, setVr] = useState<Vr | null>(null);
  useEffect(() => {
    const { xr } = navigator;
    if (!xr) return;
    const look = (): void => void xr.isSessionSupported('immersive-vr').then(setSupported, () => setSupported(false));
    look();
    xr.addEventListener('devicechange', look);
    return () => xr.removeEventListener('devicechange', look);
  }, []);
  if (!supported || !view) return null;
  const enter = async (): Promise<void> => {
    try {
      const { enterVr } = await import('./vr');
      const entered = await enterVr(view.stage(), () => {
        view.vr = null;
        setVr(null);
      });
      view.vr = entered;
      setVr(entered);
    } catch (error) {
      notify('error', `The headset could not be entered: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <button
      type="button"
      aria-pressed={vr !== null}
      title={vr ? 'Leave the headset' : 'Work in this scene with a headset'}
      onClick={() => void (vr ? vr.leave() : enter())}
    >
      {vr ? 'Leave VR' : 'VR'}
    </button>
  );
}

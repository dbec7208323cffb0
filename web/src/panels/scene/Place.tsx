import { useMemo, type FormEvent, type ReactNode } from 'react';
import { Matrix4 } from 'three';
import { useFrames } from '../../state/frames';
import { cancelPlacing, changePlacing, confirmPlacing, placeable, usePlacing, type Placing } from '../../state/placing';
import { useWorld } from '../../state/world';
import { matrixOf, matrixOfSeven, settingOf, sevenOf, type PoseSetting } from '../../three/pose';

const NUMBERS: [keyof PoseSetting, string, number][] = [
  ['x_m', 'x (m)', 0.01],
  ['y_m', 'y (m)', 0.01],
  ['z_m', 'z (m)', 0.01],
  ['roll_deg', 'Roll (°)', 1],
  ['pitch_deg', 'Pitch (°)', 1],
  ['yaw_deg', 'Yaw (°)', 1],
];

/** What a frame is now; the world where it is not there. */
function useFrame(name: string): Matrix4 {
  const pose = useWorld((world) => [...world.objects, ...world.frames].find((frame) => frame.name === name)?.pose);
  return useMemo(() => (pose ? matrixOfSeven(pose) : new Matrix4()), [pose]);
}

export function Place(): ReactNode {
  const placing = usePlacing((placer) => placer.placing);
  return placing && <PlaceForm placing={placing} />;
}

function PlaceForm({ placing }: { placing: Placing }): ReactNode {
  const templates = useWorld((world) => world.robot?.templates) ?? [];
  const seen = useWorld((world) => [...new Set(world.detections.map((one) => one.class))].join('\n'));
  const taken = useWorld((world) => world.objects.some(({ name }) => name === placing.name.trim()));
  const frames = useFrames().filter((name) => name !== placing.name);
  const frame = useFrame(placing.frame);
  const inFrame = frame.clone().invert().multiply(matrixOfSeven(placing.pose));
  const setting = settingOf(inFrame);
  const kinds = placeable(templates, seen.split('\n').filter(Boolean));
  const put = (event: FormEvent): void => {
    event.preventDefault();
    void confirmPlacing(sevenOf(inFrame));
  };
  const move = (name: keyof PoseSetting, value: number): void => {
    if (Number.isFinite(value)) changePlacing({ pose: sevenOf(frame.clone().multiply(matrixOf({ ...setting, [name]: value }))) });
  };
  return (
    <form className="place" aria-label="Place an object" onSubmit={put}>
      <div className="place-row">
        <label>
          Template or class
          <select value={placing.class} onChange={(event) => changePlacing({ class: event.target.value })}>
            <option value="">none</option>
            {kinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <label>
          Name
          <input value={placing.name} onChange={(event) => changePlacing({ name: event.target.value })} />
        </label>
        <label>
          In frame
          <select value={placing.frame} onChange={(event) => changePlacing({ frame: event.target.value })}>
            {[...new Set(['world', ...frames])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <div className="place-row numbers">
        {NUMBERS.map(([name, title, step]) => (
          <label key={name}>
            {title}
            <input type="number" step={step} value={Math.round(setting[name] * 1000) / 1000} onChange={(event) => move(name, event.target.valueAsNumber)} />
          </label>
        ))}
      </div>
      <p className="dim">
        Click on the point cloud, a surface or the ground in the 3D view, or drag its gizmo.{taken && ` This puts “${placing.name.trim()}” elsewhere.`}
      </p>
      <div className="place-row">
        <button type="submit" className="button main" disabled={placing.name.trim() === ''}>
          Put it there
        </button>
        <button type="button" className="button" onClick={cancelPlacing}>
          Cancel
        </button>
      </div>
    </form>
  );
}

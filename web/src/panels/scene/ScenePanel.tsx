import { PackagePlus, Snowflake, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DetectionView, ObjectView } from '../../api/types';
import { share } from '../../state/actions';
import { beginMoving, beginPlacing, takeBack, usePlacing } from '../../state/placing';
import { useWorld } from '../../state/world';
import { Words } from '../Words';
import { Place } from './Place';

const at = (pose: number[] | null): string =>
  pose
    ? pose
        .slice(0, 3)
        .map((one) => one.toFixed(2))
        .join(', ')
    : 'not known';

export function ScenePanel(): ReactNode {
  const objects = useWorld((world) => world.objects);
  const detections = useWorld((world) => world.detections);
  const placing = usePlacing((placer) => placer.placing !== null && placer.placing.answers === undefined);
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Scene">
      {placing ? <Place /> : <Tools />}
      {objects.length > 0 && <Objects objects={objects} />}
      {detections.length > 0 && <Detections detections={detections} />}
      {objects.length + detections.length === 0 && !placing && (
        <p className="dim pad">
          Nothing has been seen yet. A step such as “setup object” locks on to a detection; “Place…” puts an object where you say it is.
        </p>
      )}
    </div>
  );
}

function Tools(): ReactNode {
  const placed = usePlacing((placer) => placer.placed);
  const there = useWorld((world) => world.objects.some(({ name }) => name === placed));
  const first = useWorld((world) => world.robot?.templates[0]?.class ?? '');
  return (
    <div className="scene-tools">
      <button type="button" className="button" onClick={() => beginPlacing(first)}>
        <PackagePlus size={14} aria-hidden /> Place…
      </button>
      {placed !== null && there && (
        <button type="button" className="button" onClick={() => void takeBack()}>
          <Undo2 size={14} aria-hidden /> Take back {placed}
        </button>
      )}
    </div>
  );
}

function Objects({ objects }: { objects: ObjectView[] }): ReactNode {
  return (
    <table className="plain scene">
      <caption>Objects</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">x, y, z (m)</th>
          <th scope="col">
            <span className="unseen">By hand</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {objects.map((object) => (
          <tr key={object.name} className={object.stale ? 'stale' : ''}>
            <th scope="row">
              <button type="button" className="link" title="Put it elsewhere" onClick={() => beginMoving(object)}>
                <Words text={object.name} />
              </button>
              {object.class && object.class !== object.name && <span className="tag">{object.class}</span>}
              {object.frozen && <span className="tag frozen">frozen</span>}
              {object.stale && !object.frozen && <span className="tag">not seen</span>}
            </th>
            <td className="mono">{at(object.pose)}</td>
            <td className="by-hand">
              <button
                type="button"
                aria-label={`Freeze ${object.name}`}
                aria-pressed={object.frozen}
                title={object.frozen ? 'Let it follow what is seen again' : 'Freeze: it stays where it is, whatever is seen'}
                onClick={() => void share({ do: 'freeze_object', object: object.name, on: !object.frozen })}
              >
                <Snowflake size={14} aria-hidden />
              </button>
              <button
                type="button"
                aria-label={`Delete ${object.name}`}
                title="Take it out of the scene"
                onClick={() => void share({ do: 'delete_object', object: object.name })}
              >
                <Trash2 size={14} aria-hidden />
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Detections({ detections }: { detections: DetectionView[] }): ReactNode {
  return (
    <table className="plain scene">
      <caption>Detections</caption>
      <thead>
        <tr>
          <th scope="col">Class</th>
          <th scope="col">x, y, z (m)</th>
          <th scope="col">Confidence</th>
        </tr>
      </thead>
      <tbody>
        {detections.map((detection) => (
          <tr key={detection.number} className={detection.stable ? '' : 'stale'}>
            <th
              scope="row"
              title={detection.stable ? 'Stable: an object can be set up from it' : 'Seen too seldom, or too unsure, for an object to be set up from it'}
            >
              <Words text={detection.class} />
              {!detection.stable && <span className="tag">not stable</span>}
            </th>
            <td className="mono">{at(detection.pose)}</td>
            <td className="mono">{Math.round(detection.confidence * 100)} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import { Snowflake } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ObjectView } from '../../api/types';
import { useWorld } from '../../state/world';

const at = (object: ObjectView): string => (object.pose ? object.pose.slice(0, 3).map((one) => one.toFixed(2)).join(', ') : 'not known');

function Table({ title, objects }: { title: string; objects: ObjectView[] }): ReactNode {
  return (
    <table className="plain scene">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">x, y, z (m)</th>
        </tr>
      </thead>
      <tbody>
        {objects.map((object, index) => (
          <tr key={`${object.name} ${index}`} className={object.stale ? 'stale' : ''}>
            <th scope="row">
              {object.name}
              {object.class && object.class !== object.name && <span className="dim"> {object.class}</span>}
            </th>
            <td>
              {object.frozen && (
                <span className="frozen">
                  <Snowflake size={13} aria-hidden /> frozen
                </span>
              )}
              {object.stale && !object.frozen && 'not seen'}
            </td>
            <td className="mono">{at(object)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ScenePanel(): ReactNode {
  const objects = useWorld((world) => world.objects);
  const detections = useWorld((world) => world.detections);
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Scene">
      {objects.length > 0 && <Table title="Objects" objects={objects} />}
      {detections.length > 0 && <Table title="Detections" objects={detections} />}
      {objects.length + detections.length === 0 && <p className="dim pad">Nothing has been seen yet. A step such as “setup object” locks on to a detection.</p>}
    </div>
  );
}

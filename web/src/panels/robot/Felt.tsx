import { useState, type ReactNode } from 'react';
import type { BodyView } from '../../api/types';
import { showPanel } from '../../shell/layouts';
import type { Load } from '../../state/loads';
import { addChannel } from '../../state/plotting';
import { DRAGGED } from '../plots/dragged';
import { Words } from '../Words';
import { faultRemedy } from './health';
import { LIGHT } from './light';

const FEW = 8;
const SIDES = ['left', 'right'];
const AXES = ['x', 'y', 'z'];

/** A number that can be plotted: dragged into a plot, or pressed. */
function Value({ channel, value, digits, unit }: { channel: string; value: number | undefined; digits: number; unit: string }): ReactNode {
  const told = value === undefined || Number.isNaN(value) ? '–' : `${value.toFixed(digits)} ${unit}`;
  const plot = (): void => {
    addChannel(channel);
    showPanel('plots');
  };
  return (
    <button
      type="button"
      className="felt"
      draggable
      title={`${channel}: drag it into a plot, or press it`}
      aria-label={`Plot ${channel}, now ${told}`}
      onClick={plot}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, channel)}
    >
      {told}
    </button>
  );
}

/** What is wrong with it as it says itself, where, and what to do. */
export function Faults({ body: { faults, more_faults }, joints }: { body: BodyView; joints: readonly string[] }): ReactNode {
  if (faults.length === 0) return null;
  return (
    <table className="plain" aria-label="Faults of the robot">
      <caption>Faults</caption>
      <tbody>
        {faults.map(({ place, text }) => (
          <tr key={`${place} ${text}`}>
            <th scope="row">
              <i className="dot bad" role="img" aria-label={LIGHT.bad} /> <Words text={place || 'robot'} />
            </th>
            <td>
              {text}
              <span className="remedy">{faultRemedy(place, joints)}</span>
            </td>
          </tr>
        ))}
        {more_faults > 0 && (
          <tr>
            <td colSpan={2}>and {more_faults} more, for which the link has no room</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** What pushes its hands and what its feet carry. */
export function Forces({ body: { hands, feet, pressure } }: { body: BodyView }): ReactNode {
  return (
    <table className="plain forces" aria-label="Forces at hands and feet">
      <caption>Forces and torques, in the frame of each hand</caption>
      <tbody>
        {hands.map(({ force, torque }, hand) => (
          <tr key={SIDES[hand]}>
            <th scope="row">{SIDES[hand]} hand</th>
            <td className="mono">{Math.hypot(...force).toFixed(0)} N</td>
            <td>
              {AXES.map((axis, index) => (
                <span key={axis} className="axis">
                  {axis} <Value channel={`hand/${SIDES[hand]}/force_${axis}`} value={force[index]} digits={1} unit="N" />
                  <Value channel={`hand/${SIDES[hand]}/torque_${axis}`} value={torque[index]} digits={1} unit="N·m" />
                </span>
              ))}
            </td>
          </tr>
        ))}
        {feet.map(({ contact, load }, foot) => (
          <tr key={`foot ${SIDES[foot]}`}>
            <th scope="row">{SIDES[foot]} foot</th>
            <td>
              <Value channel={`foot/${SIDES[foot]}/load`} value={load} digits={0} unit="N" />
            </td>
            <td>{contact ? 'on the ground' : 'in the air'}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">centre of pressure</th>
          {pressure ? (
            <>
              <td>
                <Value channel="pressure/margin" value={pressure.margin} digits={3} unit="m" />
              </td>
              <td>
                to the edge; x <Value channel="pressure/x" value={pressure.at[0]} digits={3} unit="m" /> y{' '}
                <Value channel="pressure/y" value={pressure.at[1]} digits={3} unit="m" />
              </td>
            </>
          ) : (
            <td colSpan={2}>not told</td>
          )}
        </tr>
      </tbody>
    </table>
  );
}

/** What each joint has to do, of what it can. */
export function Loads({ loads }: { loads: readonly Load[] }): ReactNode {
  const [all, setAll] = useState(false);
  if (loads.length === 0) return null;
  return (
    <table className="plain" aria-label="Load of the joints">
      <caption>
        Load of the joints, of what they can give{' '}
        <button type="button" className="link" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? `the heaviest ${FEW}` : `all ${loads.length}`}
        </button>
      </caption>
      <tbody>
        {loads.slice(0, all ? loads.length : FEW).map(({ joint, effort, velocity, share, level }) => (
          <tr key={joint}>
            <th scope="row">
              <i className={`dot ${level}`} role="img" aria-label={LIGHT[level]} /> <Words text={joint} />
            </th>
            <td>
              <Value channel={`joint/${joint}/effort`} value={effort} digits={1} unit="N·m" />
              <Value channel={`joint/${joint}/velocity`} value={velocity} digits={2} unit="rad/s" />
            </td>
            <td className="share">
              {share === null ? (
                <span className="dim">no limit told</span>
              ) : (
                <span className="bar" role="progressbar" aria-label={`${joint}: share of its effort`} aria-valuenow={Math.round(share * 100)}>
                  <i className={level} style={{ width: `${Math.min(100, share * 100)}%` }} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

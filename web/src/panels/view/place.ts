import type { NodeView } from '../../api/types';
import { editAndSelect, selectedInstance } from '../../state/actions';
import { useDoc } from '../../state/document';
import { givenKey, giveSetting, useGiven } from '../../state/given';
import { notify } from '../../state/ui';
import { useWorld } from '../../state/world';
import { settingsOf } from '../../three/goals';
import type { Area, Ground } from '../../three/ground';
import type { Gives, NodeType, Offer } from '../settings/schema';
import { placeForNew } from '../tree/AddNode';

/** As high as a person: what is above does not matter to whoever walks there. */
const HEIGHT_M = 2;

/** What pointing gives in one of its ways. */
type Giving<How extends string> = Extract<Gives, Record<How, unknown>>[How & keyof Extract<Gives, Record<How, unknown>>];

/** Something that can be made by pointing, as its node type declares. */
export interface Offered {
  id: string;
  type: NodeType;
  offer: Offer;
}

export const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const flat = ({ x_m, y_m }: { x_m: number; y_m: number }): { x_m: number; y_m: number } => ({ x_m: rounded(x_m), y_m: rounded(y_m) });

/** All that can be made by pointing, of all node types. */
export function offered(): Offered[] {
  const types = [...useWorld.getState().nodeTypes.values()];
  return types.flatMap((type) => type.offers.map((offer, index) => ({ id: `${type.name} ${index}`, type, offer })));
}

/** Of these, what a place on the ground is enough for. */
export const atGround = (): Offered[] => offered().filter(({ offer: { gives } }) => !('area' in gives));

/** Behind what is selected, and selected then. */
async function addNode({ type, offer }: Offered, settings: Record<string, unknown>): Promise<void> {
  const place = placeForNew('after');
  if (!place) return;
  const { uses, ...where } = place;
  await editAndSelect({ do: 'add', ...where, kind: type.name, name: '', settings: { ...Object.fromEntries(offer.with), ...settings } }, uses);
}

const ownFrame = (settings: Record<string, unknown>): string => (typeof settings.frame === 'string' ? settings.frame : 'world');

/** The selected step that goes on with what is offered: one of the type, with the same settings. */
export function goesOn({ type, offer }: Offered): NodeView | null {
  const chosen = selectedInstance();
  const node = chosen && useDoc.getState().nodes.get(chosen.node);
  if (!node || node.kind !== type.name) return null;
  const settings = settingsOf(node, type);
  return offer.with.every(([name, value]) => settings[name] === value) ? node : null;
}

/** Makes it where the ground was pointed at; `turned`: as one pointed, else as its frame is. */
export async function placeAt(what: Offered, ground: Ground, turned: boolean): Promise<void> {
  const { gives } = what.offer;
  if ('ground' in gives) await goTo(what, gives.ground, ground);
  else if ('entry' in gives) await addEntry(what, gives.entry, { ground, turned });
}

async function goTo(what: Offered, { place, facing }: Giving<'ground'>, ground: Ground): Promise<void> {
  const at = ground.inFrame('world');
  const here = ground.inFrame(ownFrame(settingsOf(null, what.type)));
  if (!at) return;
  // It faces the way it came.
  const length = here ? Math.hypot(here.x_m, here.y_m) || 1 : 1;
  const settings = here
    ? { [place]: flat(here), [facing]: flat({ x_m: here.x_m * (1 + 1 / length), y_m: here.y_m * (1 + 1 / length) }) }
    : { frame: 'world', [place]: flat(at), [facing]: flat({ x_m: at.x_m + 1, y_m: at.y_m }) };
  await addNode(what, settings);
}

/** One more of the selected step, or a step that begins with it. */
async function addEntry(what: Offered, { list, pose: part, side }: Giving<'entry'>, { ground, turned }: { ground: Ground; turned: boolean }): Promise<void> {
  const node = goesOn(what);
  const frame = node ? ownFrame(settingsOf(node, what.type)) : 'world';
  const pose = ground.inFrame(frame);
  if (!pose) {
    notify('error', `There is no frame “${frame}” now, in which this step has its ${list}.`);
    return;
  }
  const entry = { side, [part]: { ...flat(pose), ...(turned ? { yaw_deg: Math.round(pose.yaw_deg) } : {}) } };
  if (!node) {
    await addNode(what, { frame, [list]: [entry] });
    return;
  }
  const given = useGiven.getState().settings.get(givenKey(node.id, list));
  const now = given ? given.value : node.settings[list];
  const entries = Array.isArray(now) ? (now as unknown[]) : [];
  await giveSetting(node.id, list, [...entries, entry]);
}

/** Makes it of a box that was dragged on the map. */
export async function placeIn(what: Offered, area: Area): Promise<void> {
  const { gives } = what.offer;
  if (!('area' in gives)) return placeAt(what, area.centre, false);
  const { shape, pose, from_mm } = gives.area;
  const [fromM, { x, y }] = [from_mm / 1000, area.centre.world];
  await addNode(what, {
    [shape]: { shape: 'box', size_m: [rounded(area.sizeM[0]), rounded(area.sizeM[1]), rounded(HEIGHT_M - fromM)] },
    frame: 'world',
    [pose]: { x_m: rounded(x), y_m: rounded(y), z_m: rounded((HEIGHT_M + fromM) / 2) },
  });
}

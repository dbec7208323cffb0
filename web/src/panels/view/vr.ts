import { keyOf } from '../../api/ids';
import type { Control } from '../../api/types';
import { command, isEnabled, runCommand } from '../../commands/registry';
import { jumpTo, run } from '../../state/actions';
import { nameOf, useDoc } from '../../state/document';
import { useRun } from '../../state/run';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';
import type { Stage } from '../../three/stage';
import type { Ground } from '../../three/ground';
import { Vr, type Line, type Shown } from '../../three/vr';
import { rowsOf } from '../tree/rows';
import { atGround, placeAt } from './place';

const MOST_RUNNING = 3;
const MOST_SETTINGS = 6;
const LINK = { not_connected: 'no robot', down: 'link down', poor: 'link poor', good: 'link good' };

const button = (id: string, title: string): { id: string; title: string; on?: boolean; off?: boolean } => {
  const one = command(id);
  return { id, title, ...(one?.checked ? { on: one.checked() } : {}), off: one ? !isEnabled(one) : false };
};

/** A setting as it is read at a glance: `pose: x 0.4, z 1.1`. */
export function readable(value: unknown): string {
  if (Array.isArray(value)) return value.length > 4 ? `${value.length} entries` : value.map(readable).join('; ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => `${name.replace(/_(m|deg|s)$/, '')} ${readable(part)}`)
      .join(', ');
  }
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : String(value);
}

function runLines(): Line[] {
  const { view, next } = useRun.getState();
  const doc = useDoc.getState();
  const { welcome, link } = useWorld.getState();
  const lines: Line[] = [
    { text: `${welcome?.robot ?? 'robot'}: ${view.mode}, ${LINK[link.quality]}, autonomy ${view.autonomy}`, dim: true },
    { buttons: [{ id: 'run.stop', title: 'STOP', stop: true }] },
  ];
  for (const { step, text, options } of view.questions.slice(0, 1)) {
    lines.push({ text, heading: true }, { buttons: options.map((option) => ({ id: `answer ${keyOf(step)} ${option}`, title: option })) });
  }
  lines.push(
    { buttons: [button('run.automatic', 'Automatic'), button('run.step', 'Step'), button('run.pause', 'Pause')] },
    { text: `Next: ${next && view.next ? nameOf(doc, view.next.node) : 'behind the last step'}${view.waits ? `, ${view.waits}` : ''}` },
    { buttons: [button('run.next_back', '◀ Next'), button('run.next_on', 'Next ▶'), button('run.preview', 'Preview')] },
  );
  if (view.running.length === 0) lines.push({ text: 'Nothing runs.', dim: true });
  for (const { step, progress, since_s } of view.running.slice(0, MOST_RUNNING)) {
    lines.push({ text: `${nameOf(doc, step.node)}  ${Math.max(0, view.time_s - since_s).toFixed(0)} s`, share: progress });
  }
  return lines;
}

function selectedLines(): Line[] {
  const key = useUi.getState().selection.at(-1);
  const doc = useDoc.getState();
  const node = key === undefined ? undefined : doc.nodes.get(key.slice(key.lastIndexOf('/') + 1));
  const lines: Line[] = [
    { text: node ? nameOf(doc, node.id) : 'No step selected', heading: true },
    { buttons: [{ id: 'select.-1', title: '▲ Step' }, { id: 'select.1', title: '▼ Step' }, button('edit.undo', 'Undo'), button('edit.redo', 'Redo')] },
  ];
  const settings = Object.entries(node?.settings ?? {}).slice(0, MOST_SETTINGS);
  if (node && settings.length === 0) lines.push({ text: `${node.kind}, all as by default`, dim: true });
  for (const [name, value] of settings) lines.push({ text: `${name.replaceAll('_', ' ')}: ${readable(value)}` });
  return lines;
}

/** What is no step, but an object of the scene. */
const OBJECT = 'object';

function lines(placing: string | null): Line[] {
  const place = (what: string, title: string) => ({ id: `place.${what}`, title, on: placing === what });
  const notice = useUi.getState().notices.at(-1);
  return [
    ...runLines(),
    ...selectedLines(),
    { buttons: [...atGround().map(({ id, offer }) => place(id, offer.short)), place(OBJECT, 'Object')] },
    {
      buttons: [
        { id: 'vr.other_wrist', title: 'Other wrist' },
        { id: 'vr.leave', title: 'Leave VR' },
      ],
    },
    ...(notice ? [{ text: notice.text }] : []),
  ];
}

/** The step above or below in the tree as it is shown. */
function selectBy(by: number): void {
  const { closed, openSkills, selection } = useUi.getState();
  const rows = rowsOf(useDoc.getState(), { closed, openSkills, search: '' });
  const at = rows.findIndex(({ key }) => key === selection.at(-1));
  const row = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  if (row) jumpTo(row.key);
}

function press(id: string): void {
  if (id.startsWith('select.')) selectBy(Number(id.slice('select.'.length)));
  else if (id.startsWith('answer ')) answer(id);
  else runCommand(id);
}

function answer(id: string): void {
  const question = useRun.getState().view.questions.find(({ step }) => id.startsWith(`answer ${keyOf(step)} `));
  if (question) void run({ do: 'answer', step: question.step, value: id.slice(`answer ${keyOf(question.step)} `.length) });
}

/** The first name that no object has: what is placed again is another one. */
function freeName(): string {
  const taken = new Set(useWorld.getState().objects.map(({ name }) => name));
  for (let number = 1; ; number++) if (!taken.has(`placed ${number}`)) return `placed ${number}`;
}

function shown(what: string): Shown {
  const offer = atGround().find(({ id }) => id === what)?.offer;
  if (!offer) return 'ball';
  if ('entry' in offer.gives && offer.looks === 'foot') return `${offer.gives.entry.side}_foot`;
  return 'spot';
}

function place(what: string, ground: Ground): void {
  const step = atGround().find(({ id }) => id === what);
  if (step) return void placeAt(step, ground, true);
  const { x, y, z } = ground.world;
  const yaw = ((ground.inFrame('world')?.yaw_deg ?? 0) * Math.PI) / 360;
  const control = { do: 'place_object', object: freeName(), frame: 'world', pose: [x, y, z, 0, 0, Math.sin(yaw), Math.cos(yaw)] };
  void run(control as unknown as Control);
}

/** Into the headset; `left` is called when it is taken off or left. */
export function enterVr(stage: Stage, left: () => void): Promise<Vr> {
  return Vr.enter(stage, { lines, press, place, shown, ended: left });
}

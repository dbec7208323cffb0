import type { ExpressionFunction } from '../panels/settings/complete';
import { create } from 'zustand';
import { keyOf } from '../api/ids';
import type {
  DetectionView,
  FrameView,
  LinkView,
  ObjectView,
  OutlineView,
  PersonView,
  PreviewView,
  RobotView,
  SolidView,
  TokenView,
  VariableView,
  Welcome,
} from '../api/types';
import type { NodeType } from '../panels/settings/schema';

export interface World {
  /** Of the page to the operator process. */
  /** Outdated: the operator process speaks another version than this page. */
  socket: 'connecting' | 'open' | 'broken' | 'outdated';
  welcome: Welcome | null;
  /** The robot's world can begin anew. */
  resets: boolean;
  link: LinkView;
  people: PersonView[];
  variables: ReadonlyMap<string, VariableView>;
  tokens: TokenView[];
  objects: ObjectView[];
  detections: DetectionView[];
  /** Where cameras are: x forward, y left, z up. */
  cameras: FrameView[];
  /** Of a simulated world as it truly is. */
  solids: readonly SolidView[];
  outlines: OutlineView[];
  robot: RobotView | null;
  /** Frames that goals can be given in, and where they are now. */
  frames: FrameView[];
  nodeTypes: ReadonlyMap<string, NodeType>;
  /** What expressions may call. */
  functions: readonly ExpressionFunction[];
  previews: PreviewView[];
  previewOn: boolean;
}

export const useWorld = create<World>(() => ({
  socket: 'connecting',
  welcome: null,
  resets: false,
  link: {
    quality: 'not_connected',
    round_trip_ms: null,
    loss: 0,
    state_age_ms: null,
    stop_pending: false,
    waiting_bytes: 0,
    channels: [],
    narrow: false,
    budget_left_bytes: null,
  },
  people: [],
  variables: new Map(),
  tokens: [],
  objects: [],
  detections: [],
  cameras: [],
  solids: [],
  outlines: [],
  robot: null,
  frames: [],
  nodeTypes: new Map(),
  functions: [],
  previews: [],
  previewOn: false,
}));

export function putVariables(all: VariableView[], tokens: TokenView[]): void {
  const variables = new Map<string, VariableView>();
  for (const variable of all) {
    variables.set(`${variable.of ? keyOf(variable.of) : ''}:${variable.name}`, variable);
  }
  useWorld.setState({ variables, tokens });
}

/** Ten times a second, mostly unchanged: what is the same stays the same object, so that nothing is drawn for it. */
export function putScene(scene: Pick<World, 'objects' | 'detections' | 'frames' | 'cameras'>): void {
  const before = useWorld.getState();
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const changed: Partial<World> = {};
  if (!same(before.objects, scene.objects)) changed.objects = scene.objects;
  if (!same(before.detections, scene.detections)) changed.detections = scene.detections;
  const frames = (scene.frames as FrameView[] | undefined) ?? []; // older operator processes leave them out
  if (!same(before.frames, frames)) changed.frames = frames;
  if (!same(before.cameras, scene.cameras)) changed.cameras = scene.cameras;
  if (Object.keys(changed).length > 0) useWorld.setState(changed);
}

/** What did not move stays the same object. */
export function putAround(whole: boolean, solids: SolidView[], outlines: OutlineView[]): void {
  useWorld.setState(around(useWorld.getState(), { whole, solids, outlines }));
}

type Around = Pick<World, 'solids' | 'outlines'>;

export function around(before: Around, { whole, solids, outlines }: { whole: boolean; solids: SolidView[]; outlines: OutlineView[] }): Around {
  const merged = <T extends { number: number }>(old: readonly T[], fresh: T[]): T[] => {
    const all = new Map(whole ? [] : old.map((one) => [one.number, one]));
    for (const one of fresh) all.set(one.number, one);
    return [...all.values()];
  };
  return { solids: merged(before.solids, solids), outlines: merged(before.outlines, outlines) };
}

export const me = (world: World): PersonView | undefined => world.people.find((person) => person.me);

export const holdsControl = (world: World): boolean => me(world)?.in_control ?? false;

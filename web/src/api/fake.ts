/**
 * For unit tests only: a wire whose other end answers a few asks from memory. It knows nothing of behavior trees but
 * adding, renaming, setting and deleting; what the real operator process does is tested in a browser against it.
 */
import type { Wire } from './socket';
import {
  VERSION,
  type Answer,
  type ChildrenView,
  type DocumentView,
  type NodeView,
  type Operation,
  type Push,
  type RecordingEntry,
  type RecordingView,
  type Reply,
  type Request,
  type RunView,
} from './types';

export function nodeView(id: string, parent: string | null, more: Partial<NodeView> = {}): NodeView {
  return { id, parent, file: 0, kind: parent ? 'wait' : 'sequence', name: id, children: [], settings: {}, ...more };
}

export function runView(more: Partial<RunView> = {}): RunView {
  return {
    mode: 'manual',
    time_s: 0,
    run_s: null,
    automatic: false,
    paused: false,
    concurrency: true,
    autonomy: 'full',
    in_control: null,
    next: null,
    waits: '',
    running: [],
    results: [],
    tracks: [],
    questions: [],
    held: [],
    locks: [],
    breakpoints: [],
    measured: [],
    ended: null,
    runs: 0,
    late: null,
    ...more,
  };
}

export function recordingEntry(name: string, more: Partial<RecordingEntry> = {}): RecordingEntry {
  return {
    name,
    behavior: 'test.json',
    robot: 'fake',
    world: 'yard',
    seed: 1,
    began_unix_ms: 1e12,
    duration_s: 10,
    result: 'failure',
    reason: 'it slipped',
    who: ['Anna'],
    runs: [{ began_s: 0, ended_s: 10, result: 'failure', reason: 'it slipped' }],
    bytes: 5e6,
    kept: false,
    live: false,
    cut: false,
    lost: 0,
    marks: 0,
    ...more,
  };
}

export function recordingView(entry: RecordingEntry, nodes: NodeView[], more: Partial<RecordingView> = {}): RecordingView {
  return {
    entry,
    versions: { program: '1', program_digest: '', robot_digest: '', world_digest: '', behavior_digest: '' },
    document: new FakeOperator(nodes).document,
    bars: [],
    lines: [],
    marks: [],
    channels: [],
    edits: [],
    cameras: [],
    has_clouds: false,
    ticks: 500,
    ...more,
  };
}

export class FakeOperator {
  document: DocumentView;
  asked: Request[] = [];
  wires: FakeWire[] = [];
  /** What these asks are answered with. */
  answers = new Map<Request['ask'], (request: Request) => Answer>();
  /** Asks that are refused, with what is said. */
  refuse = new Map<Request['ask'], string>();
  /** Wires do not open. */
  mute = false;
  private number = 0;
  private sessions = 0;

  constructor(nodes: NodeView[]) {
    const root = nodes.find((node) => node.parent === null)?.id ?? '';
    const file = { file: 'test.json', root, unsaved: false, variables: {}, lets: {}, inputs: null, outputs: null };
    this.document = { version: 1, files: [file], nodes, undo: null, redo: null };
  }

  /** That of the operator process; after an update another. */
  version: number = VERSION;

  readonly open = (): Wire => {
    const wire = new FakeWire(this);
    this.wires.push(wire);
    queueMicrotask(() => !this.mute && wire.onopen?.());
    return wire;
  };

  push(push: Push): void {
    for (const wire of this.wires) wire.deliver(push);
  }

  break(code = 1006): void {
    for (const wire of this.wires.splice(0)) wire.onclose?.({ code });
  }

  answer(request: Request): Reply {
    this.asked.push(request);
    const refused = this.refuse.get(request.ask);
    if (request.ask === 'hello' && request.version !== this.version) {
      return { reply: request.id, error: { code: 'other_version', text: 'reload the page' } };
    }
    if (refused !== undefined) return { reply: request.id, error: { code: 'refused', text: refused } };
    return { reply: request.id, ok: this.answers.get(request.ask)?.(request) ?? this.answerOf(request) };
  }

  private answerOf(request: Request): Answer {
    switch (request.ask) {
      case 'hello':
        return {
          is: 'welcome',
          version: VERSION,
          name: request.name ?? 'operator',
          role: 'supervisor',
          robot: 'fake',
          simulated: true,
          process: 'fake',
          resets: false,
          scenes: [],
          workshop: 'none',
          session: request.session ?? `secret ${++this.sessions}`,
        };
      case 'document':
        return { is: 'document', ...this.document };
      case 'node_types':
        return { is: 'node_types', types: [], common: null, functions: [] };
      case 'files':
        return { is: 'files', files: [], folders: [] };
      case 'check':
        return { is: 'problems', problems: [] };
      case 'edit':
        return { is: 'edited', created: this.edit(request.operation), version: this.document.version };
      default:
        return { is: 'done' };
    }
  }

  private edit(operation: Operation): string[] {
    const nodes = new Map(this.document.nodes.map((node) => [node.id, { ...node }]));
    const changed: NodeView[] = [];
    const removed: string[] = [];
    const created: string[] = [];
    const children: ChildrenView[] = [];
    const touch = (id: string): NodeView => {
      const node = nodes.get(id);
      if (!node) throw new Error(`the test edits ${id}, which is not there`);
      changed.push(node);
      return node;
    };
    switch (operation.do) {
      case 'add': {
        const node = nodeView(`new${this.number++}`, operation.parent, { kind: operation.kind, name: operation.name, settings: operation.settings });
        const parent = nodes.get(operation.parent);
        if (parent) parent.children = parent.children.toSpliced(operation.index, 0, node.id);
        children.push({ parent: operation.parent, out: [], in: [[operation.index, node.id]] });
        nodes.set(node.id, node);
        changed.push(node);
        created.push(node.id);
        break;
      }
      case 'rename':
        touch(operation.node).name = operation.name;
        break;
      case 'set':
        Object.assign(touch(operation.node).settings, operation.settings);
        break;
      case 'delete':
        for (const id of operation.nodes) {
          const parent = nodes.get(nodes.get(id)?.parent ?? '');
          if (parent) {
            parent.children = parent.children.filter((child) => child !== id);
            children.push({ parent: parent.id, out: [id], in: [] });
          }
          nodes.delete(id);
          removed.push(id);
        }
        break;
      default:
        throw new Error(`the fake cannot ${operation.do}`);
    }
    this.document = { ...this.document, version: this.document.version + 1, nodes: [...nodes.values()] };
    this.push({
      push: 'changed',
      version: this.document.version,
      by: 'operator',
      what: operation.do,
      files: [],
      nodes: changed.map((node) => ({ ...node })),
      removed,
      children,
      undo: operation.do,
      redo: null,
    });
    return created;
  }
}

export class FakeWire implements Wire {
  binaryType: BinaryType = 'arraybuffer';
  onopen: (() => void) | null = null;
  onclose: ((event?: { code: number }) => void) | null = null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null;

  constructor(private readonly operator: FakeOperator) {}

  send(text: string): void {
    const request = JSON.parse(text) as Request;
    queueMicrotask(() => this.deliver(this.operator.answer(request)));
  }

  deliver(message: Reply | Push | ArrayBuffer): void {
    this.onmessage?.({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) });
  }

  close(): void {
    this.onclose?.();
  }
}

import type { Answer, Failure, Push, Reply, Request } from './types';

/** A request without its number. */
type Distribute<T> = T extends { ask: string } ? { [K in keyof T as K extends 'id' ? never : K]: T[K] } : never;
export type AnyAsk = Distribute<Request>;

/** What of a web socket is used here, so that tests can put another in its place. */
export interface Wire {
  binaryType: BinaryType;
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: ((event?: { code: number }) => void) | null;
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null;
}

export interface Handlers {
  /** The socket is open; the first request must be a hello. Called again after every break. */
  opened(): void;
  /** `code`: why, as web sockets number it, where the other end said so. */
  closed(retryInMs: number, code: number | undefined): void;
  pushed(push: Push): void;
  binary(data: ArrayBuffer): void;
}

export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.text);
  }
}

/** The answer never came because the socket broke; whether it was done is not known. */
export class Broken extends Error {
  constructor() {
    super('The connection to the operator process broke before it answered.');
  }
}

const LONGEST_WAIT_MS = 5000;

/** Requests and their replies over one web socket that is opened again whenever it breaks. */
export class Client {
  private wire: Wire | null = null;
  private next = 1;
  private readonly waiting = new Map<number, { done: (answer: Answer) => void; failed: (error: Error) => void }>();
  private waitMs = 250;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(
    private readonly open: () => Wire,
    private readonly handlers: Handlers,
  ) {}

  connect(): void {
    if (this.ended || this.wire) return;
    const wire = this.open();
    this.wire = wire;
    wire.binaryType = 'arraybuffer';
    wire.onopen = () => {
      this.waitMs = 250;
      this.handlers.opened();
    };
    wire.onclose = (event) => this.broke(event?.code);
    wire.onmessage = ({ data }) => this.received(data);
  }

  /** Opens at once instead of at the end of the wait. */
  retryNow(): void {
    clearTimeout(this.timer);
    this.connect();
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.wire?.close();
  }

  ask(ask: AnyAsk): Promise<Answer> {
    const wire = this.wire;
    if (!wire) return Promise.reject(new Broken());
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      try {
        wire.send(JSON.stringify({ id, ...ask }));
      } catch {
        this.waiting.delete(id);
        failed(new Broken());
      }
    });
  }

  private broke(code: number | undefined): void {
    this.wire = null;
    for (const { failed } of this.waiting.values()) failed(new Broken());
    this.waiting.clear();
    if (this.ended) return;
    this.handlers.closed(this.waitMs, code);
    this.timer = setTimeout(() => this.connect(), this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
  }

  private received(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      this.handlers.binary(data);
      return;
    }
    const message = JSON.parse(data) as Reply | Push;
    if ('reply' in message) this.replied(message);
    else this.handlers.pushed(message);
  }

  private replied(message: Reply): void {
    const waiting = this.waiting.get(message.reply);
    if (!waiting) return;
    this.waiting.delete(message.reply);
    if ('ok' in message) waiting.done(message.ok);
    else waiting.failed(new Refused(message.error));
  }
}

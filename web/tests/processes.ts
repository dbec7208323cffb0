import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serve } from './served';

export const ROOT = resolve(import.meta.dirname, '../..');
export const COACT = process.env.COACT_BINARY ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug/coact');
// A binary that holds another page than the one under test: this folder is served in its place.
const PAGE = process.env.COACT_PAGE;

/** Starts `coact` and waits until it has said what matches. */
async function launch(folder: string, args: string[], says: RegExp): Promise<{ child: ChildProcess; said: string }> {
  // Recordings of tests are nobody's.
  const env = { ...process.env, COACT_RECORDINGS: join(folder, 'recordings'), COACT_MESHES: join(folder, 'meshes') };
  const child = spawn(COACT, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let all = '';
  const said = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer): void => {
      all += chunk.toString();
      const match = says.exec(all)?.[0];
      if (match) found(match);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', failed);
    child.on('exit', (code) => failed(new Error(`coact ${args[0]} ended with ${code}: ${all}`)));
  });
  return { child, said };
}

async function finish(child: ChildProcess | null, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await over;
}

/** The address a browser opens: of the process, or of the page in front of it. */
class Front {
  private served: Awaited<ReturnType<typeof serve>> | null = null;

  async of(address: string, port: () => number): Promise<string> {
    if (!PAGE) return address;
    this.served ??= await serve(PAGE, port);
    return `http://127.0.0.1:${this.served.port}`;
  }

  close(): void {
    this.served?.server.closeAllConnections();
    this.served?.server.close();
  }
}

const HTTP = /http:\/\/[\d.:]+/;

/** A `coact demo` of its own for each test, working in a folder of its own. */
export class Demo {
  address = '';
  port = 0;
  private child: ChildProcess | null = null;
  private readonly front = new Front();

  constructor(readonly folder: string) {}

  async start(file: string, port = 0, more: string[] = []): Promise<void> {
    await this.launch([file, '--port', String(port), ...more]);
  }

  /** Without a file: what a newcomer gets. */
  async startFresh(): Promise<void> {
    await this.launch(['--port', '0', '--no-browser']);
  }

  private async launch(args: string[]): Promise<void> {
    const { child, said } = await launch(this.folder, ['demo', ...args], HTTP);
    this.child = child;
    this.port = Number(new URL(said).port);
    this.address = await this.front.of(said, () => this.port);
  }

  async end(): Promise<void> {
    await finish(this.child);
    this.child = null;
  }

  close(): void {
    this.front.close();
  }

  read(file: string): unknown {
    return JSON.parse(readFileSync(join(this.folder, file), 'utf8'));
  }
}

/** A robot process and an operator process with a link between them. */
export class Pair {
  address = '';
  private robot: ChildProcess | null = null;
  private operator: ChildProcess | null = null;
  private robotAt = '127.0.0.1:0';
  private keys: string[] = [];
  private readonly front = new Front();

  constructor(readonly folder: string) {}

  async start(file: string): Promise<void> {
    await this.startRobot(['--behavior', file]);
    const desk = this.keys.length > 0 ? ['--keys', 'desk.keys'] : [];
    const { child, said } = await launch(this.folder, ['operator', '--connect', this.robotAt, '--listen', '127.0.0.1:0', '--folder', '.', ...desk], HTTP);
    this.operator = child;
    this.address = await this.front.of(said, () => Number(new URL(said).port));
  }

  /** What it had before is in its folder. */
  async startRobot(more: string[] = []): Promise<void> {
    const { child, said } = await launch(
      this.folder,
      ['robot', '--name', 'Apart', '--listen', this.robotAt, '--state', 'state', ...this.keys, ...more],
      /127\.0\.0\.1:\d+/,
    );
    this.robot = child;
    this.robotAt = said;
  }

  /** What the operator process may do at this robot, from the robot's next start on. */
  allow(rank: 'observer' | 'operator'): void {
    const publicOf = (file: string): string => execFileSync(COACT, ['keys', file], { cwd: this.folder, encoding: 'utf8' }).trim();
    const [robot, desk] = [publicOf('robot.keys'), publicOf('desk.keys')];
    this.write('robot.keys', `allow ${desk} desk ${rank}`);
    this.write('desk.keys', `allow ${robot} robot supervisor`);
    this.keys = ['--keys', 'robot.keys'];
  }

  private write(file: string, allowed: string): void {
    const path = join(this.folder, file);
    const others = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('allow '));
    writeFileSync(path, `${[...others, allowed].join('\n')}\n`);
  }

  /** As if the cable were pulled: the process is there and says nothing. */
  holdRobot(): void {
    this.robot?.kill('SIGSTOP');
  }

  letRobotGo(): void {
    this.robot?.kill('SIGCONT');
  }

  holdOperator(): void {
    this.operator?.kill('SIGSTOP');
  }

  letOperatorGo(): void {
    this.operator?.kill('SIGCONT');
  }

  /** As if the robot lost its power. */
  async killRobot(): Promise<void> {
    await finish(this.robot, 'SIGKILL');
  }

  async end(): Promise<void> {
    this.letRobotGo();
    this.letOperatorGo();
    await finish(this.robot, 'SIGKILL');
    await finish(this.operator);
    this.front.close();
  }
}

/** One thing a person can ask for. The palette, the menus, the shortcuts page and the keys all come from the list. */
export interface Command {
  id: string;
  title: string;
  group: 'File' | 'Edit' | 'Tree' | 'Run' | 'Review' | 'View' | 'Help';
  /** What it is about now, behind the title. */
  detail?: () => string | null;
  /** `Ctrl+Shift+Z`; Ctrl is Command on a Mac. Several are separated by a space. */
  keys?: string;
  /** The browser has these keys itself, and tells what they do by an event of its own. */
  native?: boolean;
  /** Only with the focus in this panel. */
  scope?: 'tree';
  /** Also while a text is being typed. */
  inText?: boolean;
  /** The robot may move, or stop moving: never on a bare key. */
  robot?: boolean;
  /** Also without contact: it says itself what becomes of it. */
  always?: boolean;
  /** Left out: always. */
  enabled?: () => boolean;
  checked?: () => boolean;
  run: () => void;
}

const commands = new Map<string, Command>();

export function register(list: Command[]): void {
  for (const command of list) commands.set(command.id, command);
}

export const allCommands = (): Command[] => [...commands.values()];

export const command = (id: string): Command | undefined => commands.get(id);

let reachesRobot = (): boolean => true;

/** What commands the robot is off while it is not reached. */
export function gateRobot(reached: () => boolean): void {
  reachesRobot = reached;
}

let mayEdit = (): boolean => true;

/** What edits is off while the tree of a recording is shown. */
export function gateEdits(may: () => boolean): void {
  mayEdit = may;
}

export function isEnabled(one: Command): boolean {
  if (one.group === 'Edit' && !mayEdit()) return false;
  if (one.robot && !one.always && !reachesRobot()) return false;
  return one.enabled ? one.enabled() : true;
}

/** What commands refuse is silent: menus and palette show it greyed out. */
export function runCommand(id: string): void {
  const one = commands.get(id);
  if (one && isEnabled(one)) one.run();
}

export function titleNow(one: Command): string {
  const detail = one.detail?.();
  return detail ? `${one.title}: ${detail}` : one.title;
}

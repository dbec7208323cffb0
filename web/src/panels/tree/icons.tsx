import {
  Activity, ArrowRightToLine, Ban, Box, Braces, CircleCheck, CircleHelp, Clock, CornerUpLeft, Crosshair, DoorOpen, Eraser, Eye, Flag, Footprints,
  GitFork, Grab, Hand, HandGrab, Hourglass, Keyboard, Layers, ListOrdered, Lock, MessageSquareText, Move3d, MoveVertical, Network,
  PersonStanding, Puzzle, Radio, Repeat, RotateCw, Ruler, ScanSearch, Send, Shapes, ShieldQuestion, Smile, Snowflake, Split,
  SquareFunction, Table, Tally5, Trash2, Undo2, Unlock, Variable, type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';

/** Those that node types name; one more is a line here. */
const ICONS: Record<string, LucideIcon> = {
  activity: Activity,
  'arrow-right-to-line': ArrowRightToLine,
  ban: Ban,
  box: Box,
  braces: Braces,
  'circle-check': CircleCheck,
  'circle-help': CircleHelp,
  clock: Clock,
  'corner-up-left': CornerUpLeft,
  crosshair: Crosshair,
  'door-open': DoorOpen,
  eraser: Eraser,
  eye: Eye,
  flag: Flag,
  footprints: Footprints,
  'git-fork': GitFork,
  grab: Grab,
  hand: Hand,
  'hand-grab': HandGrab,
  hourglass: Hourglass,
  keyboard: Keyboard,
  layers: Layers,
  'list-ordered': ListOrdered,
  lock: Lock,
  'message-square-text': MessageSquareText,
  'move-3d': Move3d,
  'move-vertical': MoveVertical,
  network: Network,
  'person-standing': PersonStanding,
  puzzle: Puzzle,
  radio: Radio,
  repeat: Repeat,
  'rotate-cw': RotateCw,
  ruler: Ruler,
  'scan-search': ScanSearch,
  send: Send,
  shapes: Shapes,
  'shield-question': ShieldQuestion,
  smile: Smile,
  snowflake: Snowflake,
  split: Split,
  'square-function': SquareFunction,
  table: Table,
  'tally-5': Tally5,
  'trash-2': Trash2,
  'undo-2': Undo2,
  unlock: Unlock,
  variable: Variable,
};

/** Of types that name none. */
const GROUPS: Record<string, LucideIcon> = { template: Puzzle, scene: Crosshair, body: PersonStanding, control: Network, condition: SquareFunction };

/** The icon that a type names is one of ours. */
export const hasIcon = (name: string): boolean => name in ICONS;

export function KindIcon({ icon, group }: { icon?: string | null | undefined; group?: string | undefined }): ReactNode {
  const Icon = ICONS[icon ?? ''] ?? GROUPS[group ?? ''] ?? Box;
  return <Icon size="1.15em" strokeWidth={1.75} aria-hidden className={`kind ${group ?? ''}`} />;
}

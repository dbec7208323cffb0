import {
  Activity, ArrowRightToLine, Ban, Box, Braces, CircleHelp, Clock, CornerUpLeft, Crosshair, DoorOpen, Eye, Flag, Footprints, GitFork,
  Grab, Hand, HandGrab, Hourglass, Keyboard, Layers, ListOrdered, Lock, type LucideIcon, MessageSquareText, Move3d, MoveVertical, Network,
  PersonStanding, Puzzle, Radio, Repeat, RotateCw, Ruler, ScanSearch, Send, Shapes, ShieldQuestion, Snowflake, SquareFunction, Split, Table,
  Tally5, Trash2, Unlock, Variable, CircleCheck, Undo2, Smile,
} from 'lucide-react';
import type { ReactNode } from 'react';

const ICONS: Record<string, LucideIcon> = {
  sequence: ListOrdered,
  fallback: ShieldQuestion,
  skill: Puzzle,
  parallel: Layers,
  loop: Repeat,
  choose: Split,
  gosub: CornerUpLeft,
  goto: ArrowRightToLine,
  checkpoint: Flag,
  wait: Clock,
  wait_until: Hourglass,
  condition: SquareFunction,
  always_succeed: CircleCheck,
  always_fail: Ban,
  counter: Tally5,
  proximity: Ruler,
  shape_contains: Shapes,
  set: Variable,
  send: Send,
  receive: Radio,
  log: MessageSquareText,
  reserve: Lock,
  relinquish: Unlock,
  question: CircleHelp,
  input: Keyboard,
  stand_in: Activity,
  setup_object: Crosshair,
  freeze_object: Snowflake,
  freeze_scene: Snowflake,
  delete_object: Trash2,
  clear_scene: Trash2,
  define_frame: Move3d,
  door_panel: DoorOpen,
  door_frame: DoorOpen,
  approach_table: Table,
  configure_persistent_detections: ScanSearch,
  configure_detectors: Eye,
  arm: Grab,
  screw: RotateCw,
  hand: Hand,
  gripper: HandGrab,
  hand_wrench: HandGrab,
  spine: MoveVertical,
  neck: Smile,
  pelvis: PersonStanding,
  leg: PersonStanding,
  walk: Footprints,
  joint_move: GitFork,
  control_mode: Braces,
  detach_object: Undo2,
  attach_object: Hand,
};

const GROUPS: Record<string, LucideIcon> = { template: Puzzle, scene: Crosshair, body: PersonStanding, control: Network, condition: SquareFunction };

export function KindIcon({ kind, group }: { kind: string; group?: string | undefined }): ReactNode {
  const Icon = ICONS[kind] ?? GROUPS[group ?? ''] ?? Box;
  return <Icon size="1.15em" strokeWidth={1.75} aria-hidden className={`kind ${group ?? ''}`} />;
}

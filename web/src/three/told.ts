import type { Area, Ground } from './ground';
import type { Goal } from './goals';

export interface Options {
  topDown: boolean;
  four: boolean;
  showCloud: boolean;
  showFrames: boolean;
  showWorld: boolean;
  gizmo: boolean;
  together: boolean;
  showShadows: boolean;
  showLabels: boolean;
  /** What pushes the robot and where it stands. */
  showForces: boolean;
  /** The camera goes with the robot. */
  follow: boolean;
}

export interface Colours {
  background: string;
  grid: string;
  gridStrong: string;
}

export interface ViewEvents {
  /** A goal was dragged or nudged to another pose; answers whether it was taken. */
  goalMoved(node: string, settings: Record<string, unknown>): Promise<boolean>;
  /** A goal is being dragged: these settings it would have here. */
  goalDragged(node: string, settings: Record<string, unknown>): void;
  /** What is about to be placed was dragged or put somewhere: a pose in the world. */
  ghostMoved(pose: number[]): void;
  /** The right button was clicked without a drag. */
  menu(place: { x: number; y: number }, ground: Ground | null, goal: Goal | null): void;
  /** Something of the robot cannot be drawn, and why. */
  notDrawn(text: string): void;
  /** A box was dragged with the left button on the map. */
  box(place: { x: number; y: number }, area: Area): void;
}

/** Gets the link under the mouse, and the one that is clicked. */
export interface LinkPicker {
  hover(link: string | null): void;
  pick(link: string): void;
}

export type ViewFrom = 'front' | 'behind' | 'left' | 'right' | 'above' | 'corner';

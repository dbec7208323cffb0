import type { ViewFrom } from '../../three/told';
import type { View } from '../../three/view';

/** The 3D view that is there, for commands. */
export const shown: { view: View | null } = { view: null };

/** The commands that look at the robot from a side. */
export const VIEWS: { id: string; title: string; from: ViewFrom }[] = [
  { id: 'view.from_corner', title: 'Behind its shoulder', from: 'corner' },
  { id: 'view.from_front', title: 'The front', from: 'front' },
  { id: 'view.from_behind', title: 'Behind', from: 'behind' },
  { id: 'view.from_left', title: 'Its left', from: 'left' },
  { id: 'view.from_right', title: 'Its right', from: 'right' },
  { id: 'view.from_above', title: 'Above', from: 'above' },
];

import { isReached } from '../state/contact';
import { isTreeOfThen } from '../state/reviewing';
import { gateEdits, gateRobot, register } from './registry';
import { editCommands } from './edit';
import { fileCommands } from './file';
import { previewCommands } from './preview';
import { reviewCommands } from './review';
import { stepCommands } from './steps';
import { runCommands } from './run';
import { treeCommands } from './tree';
import { helpCommands, viewCommands } from './view';

export function registerAll(): void {
  gateRobot(isReached);
  gateEdits(() => !isTreeOfThen());
  register([
    ...fileCommands,
    ...editCommands,
    ...stepCommands,
    ...treeCommands,
    ...runCommands,
    ...previewCommands,
    ...reviewCommands,
    ...viewCommands,
    ...helpCommands,
  ]);
}

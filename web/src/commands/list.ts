import { isReached } from '../state/contact';
import { gateRobot, register } from './registry';
import { editCommands } from './edit';
import { fileCommands } from './file';
import { previewCommands } from './preview';
import { stepCommands } from './steps';
import { runCommands } from './run';
import { treeCommands } from './tree';
import { helpCommands, viewCommands } from './view';

export function registerAll(): void {
  gateRobot(isReached);
  register([...fileCommands, ...editCommands, ...stepCommands, ...treeCommands, ...runCommands, ...previewCommands, ...viewCommands, ...helpCommands]);
}

import { Refused } from '../../api/socket';
import { refreshFolder } from '../../commands/file';
import { asked } from '../../state/actions';
import { notify } from '../../state/ui';

export type Change = { ask: 'new_folder'; folder: string } | { ask: 'rename_file'; file: string; to: string } | { ask: 'delete_file'; file: string };

/** What is done to a file. Others use it: says so, and nothing was done. */
export async function change(what: Change, anyway: boolean): Promise<string | null> {
  try {
    await asked(what.ask === 'new_folder' ? what : { ...what, anyway });
  } catch (error) {
    if (error instanceof Refused && error.failure.code === 'in_use') return error.message;
    notify('error', error instanceof Error ? error.message : String(error));
  }
  await refreshFolder();
  return null;
}

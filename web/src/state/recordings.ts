import { create } from 'zustand';
import type { RecordingEntry } from '../api/types';
import { asked } from './actions';

interface Recordings {
  entries: RecordingEntry[];
  folder: string;
  bytes: number;
  mostBytes: number;
  search: string;
  /** Why there is no list. */
  refused: string | null;
  known: boolean;
}

export const useRecordings = create<Recordings>(() => ({ entries: [], folder: '', bytes: 0, mostBytes: 0, search: '', refused: null, known: false }));

let number = 0;

export async function searchRecordings(search: string): Promise<void> {
  useRecordings.setState({ search });
  const own = ++number;
  try {
    const answer = await asked({ ask: 'recordings', ...(search.trim() ? { search: search.trim() } : {}) });
    // A later question has a later answer.
    if (answer.is !== 'recordings' || own !== number) return;
    const { recordings, folder, bytes, most_bytes } = answer;
    useRecordings.setState({ entries: recordings, folder, bytes, mostBytes: most_bytes, refused: null, known: true });
  } catch (error) {
    if (own === number) useRecordings.setState({ refused: error instanceof Error ? error.message : String(error) });
  }
}

export const refreshRecordings = (): void => void searchRecordings(useRecordings.getState().search);

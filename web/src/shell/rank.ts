/**
 * How well an entry fits what was typed, 0 not at all: by its title first, by words of its description last. A fuzzy
 * match would offer a spine to whoever types "stand in".
 */
export function rank(value: string, search: string, keywords: string[] = [], synonyms: string[] = []): number {
  const title = value.toLowerCase();
  const typed = search.trim().toLowerCase();
  if (typed === '') return 1;
  if (title.startsWith(typed)) return 1 - title.length * 1e-4;
  const words = typed.split(/[\s,_]+/).filter(Boolean);
  const parts = title.split(/[\s,_.:/]+/);
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 0.8 - title.length * 1e-4;
  if (words.every((word) => title.includes(word))) return 0.6 - title.length * 1e-4;
  const meant = synonyms.findIndex((synonym) => words.every((word) => synonym.split(' ').some((part) => part.startsWith(word))));
  // The first words are those that are meant most.
  if (meant >= 0) return 0.5 - meant * 1e-3 - title.length * 1e-5;
  const told = keywords.join(' ').toLowerCase();
  if (words.every((word) => title.includes(word) || told.includes(word))) return 0.2;
  return 0;
}

/** Something that is chosen by typing. */
export interface Entry {
  /** Of its own. */
  key: string;
  group: string;
  /** Found by its beginning first. */
  title: string;
  keywords?: string[];
  /** Other words for it: better than those of its description. */
  synonyms?: string[];
}

/** Entries that fit what was typed, by group: the group and the entry that fit best come first. */
export function byFit<E extends Entry>(entries: E[], search: string): { group: string; entries: E[] }[] {
  const groups = new Map<string, { best: number; found: { fit: number; entry: E }[] }>();
  for (const entry of entries) {
    const fit = rank(entry.title, search, entry.keywords, entry.synonyms);
    if (fit <= 0) continue;
    const group = groups.get(entry.group) ?? { best: 0, found: [] };
    group.best = Math.max(group.best, fit);
    group.found.push({ fit, entry });
    groups.set(entry.group, group);
  }
  const sorted = [...groups].sort(([, a], [, b]) => b.best - a.best);
  return sorted.map(([group, { found }]) => ({ group, entries: found.sort((a, b) => b.fit - a.fit).map(({ entry }) => entry) }));
}

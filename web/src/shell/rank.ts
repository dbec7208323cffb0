/**
 * How well an entry fits what was typed, 0 not at all: by its title first, by words of its description last. A fuzzy
 * match would offer a spine to whoever types "stand in".
 */
export function rank(value: string, search: string, keywords: string[] = []): number {
  const title = value.toLowerCase();
  const typed = search.trim().toLowerCase();
  if (typed === '') return 1;
  if (title.startsWith(typed)) return 1 - title.length * 1e-4;
  const words = typed.split(/[\s,_]+/).filter(Boolean);
  const parts = title.split(/[\s,_.:/]+/);
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 0.8 - title.length * 1e-4;
  if (words.every((word) => title.includes(word))) return 0.6 - title.length * 1e-4;
  const told = keywords.join(' ').toLowerCase();
  if (words.every((word) => title.includes(word) || told.includes(word))) return 0.2;
  return 0;
}

/** What may be written next in an expression. */
export interface Completion {
  /** What is put in place of the word that is being written. */
  insert: string;
  shown: string;
  help: string;
}

export interface ExpressionFunction {
  name: string;
  usage: string;
  help: string;
}

const MOST = 8;

/** The word that ends at the caret; null: inside of a text in quotes there is none, nor in the middle of a word. */
export function wordAt(text: string, caret: number): { from: number; word: string } | null {
  const before = text.slice(0, caret);
  const quotes = before.replace(/\\./g, '').replace(/"[^"]*"|'[^']*'/g, '');
  if (/["']/.test(quotes)) return null;
  const word = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(before)?.[0] ?? '';
  if (word === '' || /^[\p{L}\p{N}_]/u.test(text.slice(caret))) return null;
  return { from: caret - word.length, word };
}

/** Variables first; of functions those too whose help says the word. */
export function completions(word: string, variables: readonly string[], functions: readonly ExpressionFunction[]): Completion[] {
  const wanted = word.toLowerCase();
  const begins = (name: string): boolean => name.toLowerCase().startsWith(wanted) && name !== word;
  const holds = (name: string): boolean => !begins(name) && name !== word && name.toLowerCase().includes(wanted);
  const variable = (name: string): Completion => ({ insert: name, shown: name, help: '' });
  const call = ({ name, usage, help }: ExpressionFunction): Completion => ({ insert: usage.includes('()') ? `${name}()` : `${name}(`, shown: usage, help });
  const named = functions.filter(({ name, usage }) => !usage.startsWith('text.') && name !== word);
  return [
    ...variables.filter(begins).map(variable),
    ...named.filter(({ name }) => begins(name)).map(call),
    ...variables.filter(holds).map(variable),
    ...named.filter(({ name }) => holds(name)).map(call),
  ].slice(0, MOST);
}

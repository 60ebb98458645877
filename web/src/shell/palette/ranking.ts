/** What can be found: by its name first, then by the other words that are shown beside it. */
export interface Findable {
  readonly name: string;
  readonly detail: string;
}

/** Letters that Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/** Words without case, accents and signs. */
export function foldedWords(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøæœłđı]/g, (letter) => PLAIN[letter] ?? letter);
  // Lower-casing may bring a mark of its own: İ becomes i with a dot above it.
  return plain
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Nothing is like one letter in its first letters alone: nearly everything would be. */
const LEAST_LETTERS = 2;

/**
 * How well something answers a search, 0 best; null if it does not. The beginnings of words come before what is inside
 * them, and that before initials and letters in order. Each word of the search must be found.
 */
export function rankOf({ name, detail }: Findable, search: readonly string[]): number | null {
  const [named, others] = [foldedWords(name), foldedWords(detail)];
  const all = [...named, ...others];
  const begins = (words: readonly string[]) =>
    search.every((part) => words.some((word) => word.startsWith(part)));
  const holds = (words: readonly string[]) =>
    search.every((part) => words.some((word) => word.includes(part)));
  const whole = search.join(' ');
  if (named.join(' ') === whole) return 0;
  if (`${named.join(' ')}`.startsWith(whole)) return 1;
  if (begins(named)) return 2;
  if (begins(all)) return 3;
  if (holds(named)) return 4;
  if (holds(all)) return 5;
  const letters = search.join('');
  if (letters.length < LEAST_LETTERS) return null;
  if (
    named
      .map((word) => word[0])
      .join('')
      .startsWith(letters)
  )
    return 6;
  return named.some((_, at) => isWithin(letters, named.slice(at).join(''))) ? 7 : null;
}

/** Whether a text begins with the first of the letters and has the others later, in their order. */
function isWithin(letters: string, text: string): boolean {
  if (text[0] !== letters[0]) return false;
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at >= letters.length;
}

/** What answers the search, best first; equally good ones stay in their order. Nothing answers an empty search. */
export function found<T extends Findable>(all: readonly T[], text: string): readonly T[] {
  const search = foldedWords(text);
  if (search.length === 0) return [];
  return all
    .map((one) => ({ one, rank: rankOf(one, search) }))
    .filter((entry): entry is { one: T; rank: number } => entry.rank !== null)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

/** The shape of English words with any words in it: what translations have to provide. */
export type Translation<T> = T extends string
  ? string
  : T extends (...given: infer G) => infer R
    ? (...given: G) => Translation<R>
    : { readonly [K in keyof T]: Translation<T[K]> };

const provided = new Map<string, unknown>();

/**
 * Words of another language, by the names under which the English ones are exported. Called by the script of a language,
 * which the page loads before the application (docs/web.md#languages).
 */
export function provideWords(words: Readonly<Record<string, unknown>>): void {
  for (const [name, translation] of Object.entries(words)) provided.set(name, translation);
}

/**
 * The words in the language of the page: `english`, unless its script provided others.
 * @param name the name under which the words are exported
 */
export function translated<const T>(name: string, english: T): Translation<T>;
export function translated(name: string, english: unknown): unknown {
  return provided.get(name) ?? english;
}

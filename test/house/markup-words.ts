/** Attributes of elements, and properties of components, whose value people see or hear. */
export const PERCEIVED: ReadonlySet<string> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'label',
  'placeholder',
  'title',
]);

/** Stands for a value in a template: no letter, and in no template. */
export const VALUE = '\u{FFFC}';

const TOKEN = /<!--[\s\S]*?-->|<[/!]?[a-z](?:"[^"]*"|[^">])*>?|[^<]+|</giu;
const TAG = /^<[/!]?[a-z]/i;
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

interface MarkupWords {
  readonly words: readonly string[];
  /** Which of the values are inside a tag, counted from 0. */
  readonly valuesInTags: ReadonlySet<number>;
}

/**
 * Words in a template of markup: text between tags, and attributes that people perceive. `texts` are before, between and
 * after its values. `inTag`: it holds attributes.
 */
export function wordsOfMarkup(texts: readonly string[], inTag: boolean): MarkupWords {
  const words: string[] = [];
  const valuesInTags = new Set<number>();
  let values = 0;
  for (const [token] of `${inTag ? '<x ' : ''}${texts.join(VALUE)}`.matchAll(TOKEN)) {
    const isTag = TAG.test(token);
    for (const character of token) {
      if (character !== VALUE) continue;
      if (isTag) valuesInTags.add(values);
      values += 1;
    }
    if (isTag) words.push(...perceivedIn(token));
    else if (!token.startsWith('<!--') && hasWords(token)) words.push(token);
  }
  return { words, valuesInTags };
}

function perceivedIn(tag: string): string[] {
  return [...tag.matchAll(ATTRIBUTE)].flatMap(([, name = '', ...values]) => {
    const value = values.join('');
    return PERCEIVED.has(name) && hasWords(value) ? [value] : [];
  });
}

/** Whether a text of markup has letters, beside the names of entities. */
export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/&#?\w+;/g, ''));
}

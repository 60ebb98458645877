import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { ENGLISH, LANGUAGE_CODES } from '../../src/vocabulary/languages.ts';
import { PROVIDER_IDENTIFIERS } from '../../src/vocabulary/provider-kinds.ts';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
/** Kinds have their English words in the tables of kinds. */
const KINDS = 'kinds.ts';
/** Headings of pages that are in English. */
const GUIDES = 'guides.ts';
const files = readdirSync(`${WEB}src/text`).filter(
  (name) => name.endsWith('.ts') && name !== 'translated.ts' && name !== GUIDES,
);
const others = LANGUAGE_CODES.filter((code) => code !== ENGLISH);

/** A few words in a row: what is shorter may be the same in two languages. */
const SENTENCE = /\p{Letter}+ \p{Letter}+ \p{Letter}+ \p{Letter}+/u;

const exportsOf = async (path: string): Promise<Readonly<Record<string, unknown>>> => import(WEB + path);

const english = new Map(
  await Promise.all(
    files
      .filter((file) => file !== KINDS)
      .map(async (file) => {
        const tables = Object.entries(await exportsOf(`src/text/${file}`)).filter(([name]) =>
          /^[A-Z_]+$/.test(name),
        );
        return [file, new Map(tables)] as const;
      }),
  ),
);

for (const language of others) {
  describe(`in ${language}`, () => {
    for (const [file, tables] of english) {
      test(`nothing of ${file} is missing`, async () => {
        const translated = await exportsOf(`languages/${language}/${file}`);
        assert.deepEqual(Object.keys(translated).sort(), [...tables.keys()].sort());
        const problems = [...tables].flatMap(([name, words]) => differences(name, words, translated[name]));
        assert.deepEqual(problems, []);
      });
    }

    test('nothing of the kinds of destinations and providers is missing', async () => {
      const { DESTINATION_WORDS, PROVIDER_WORDS } = await exportsOf(`languages/${language}/${KINDS}`);
      assert.deepEqual(Object.keys(Object(DESTINATION_WORDS)).sort(), [...DESTINATION_TYPES].sort());
      assert.deepEqual(Object.keys(Object(PROVIDER_WORDS)).sort(), [...PROVIDER_IDENTIFIERS].sort());
    });

    test('the script of the language provides every file', () => {
      const found = readdirSync(`${WEB}languages/${language}`).sort();
      assert.deepEqual(found, [...files, 'index.ts'].sort());
    });
  });
}

/** Where a translation lacks what the English words have, or has something else in its place. */
function differences(at: string, words: unknown, translation: unknown): string[] {
  if (typeof words !== typeof translation) return [`${at}: ${typeof translation} for ${typeof words}`];
  if (typeof words === 'string' && typeof translation === 'string') {
    if (translation.trim() === '' && words.trim() !== '') return [`${at}: empty`];
    return translation === words && SENTENCE.test(words) ? [`${at}: still English`] : [];
  }
  if (typeof words === 'function' && typeof translation === 'function') {
    return lostIn(words, translation).map((value) => `${at}: lacks ${value}`);
  }
  if (typeof words !== 'object' || words === null || typeof translation !== 'object' || translation === null)
    return words === translation ? [] : [`${at}: another value`];
  const [own, wanted] = [new Map(Object.entries(translation)), new Map(Object.entries(words))];
  return [
    ...[...own.keys()].filter((key) => !wanted.has(key)).map((key) => `${at}.${key}: not in English`),
    ...[...wanted].flatMap(([key, value]) =>
      own.has(key) ? differences(`${at}.${key}`, value, own.get(key)) : [`${at}.${key}: missing`],
    ),
  ];
}

type Words = Parameters<typeof Reflect.apply>[0];

/** Values that English words show and the translation does not, for arguments of every kind that fits. */
function lostIn(words: Words, translation: Words): string[] {
  const lost = new Set<string>();
  for (const given of argumentsFor(words.length)) {
    const shown = shownBy(words, given);
    if (shown === null) continue;
    const own = shownBy(translation, given);
    for (const value of ['«0»', '«1»', '«2»', '«3»', '70', '71', '72', '73']) {
      if (shown.includes(value) && own?.includes(value) !== true) lost.add(value);
    }
  }
  return [...lost];
}

/** Texts, numbers and lists of texts, in each place. */
function argumentsFor(count: number): unknown[][] {
  return Array.from({ length: count }, (_, at) => at).reduce<unknown[][]>(
    (all, at) => all.flatMap((one) => [`«${at}»`, 70 + at, [`«${at}»`]].map((value) => [...one, value])),
    [[]],
  );
}

function shownBy(words: Words, given: readonly unknown[]): string | null {
  try {
    const shown: unknown = Reflect.apply(words, null, given);
    if (typeof shown !== 'string' || /NaN|undefined|\[object/.test(shown)) return null;
    return shown;
  } catch {
    return null;
  }
}

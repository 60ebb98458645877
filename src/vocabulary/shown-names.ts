/** Characters that end a line, are invisible or reverse the text around them: a name could pass for what the page says. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Ask for one of two looks of the sign before them, as keyboards of phones do after an emoji. */
const LOOKS = /[\uFE0E\uFE0F]/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The scripts in daily use today (UAX #31, table 5), and the only ones that may be mixed: Latin with those of Japanese,
 * Chinese and Korean. That is "highly restrictive" of UTS #39, section 5.2, by which browsers decide whether to show a
 * host name as it is written.
 */
const WRITINGS: readonly RegExp[] = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Bopomofo',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
    'Gurmukhi',
    'Hebrew',
    'Kannada',
    'Khmer',
    'Lao',
    'Malayalam',
    'Myanmar',
    'Oriya',
    'Sinhala',
    'Tamil',
    'Telugu',
    'Thaana',
    'Thai',
    'Tibetan',
  ].map((script) => [script]),
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
].map((scripts) => {
  const letters = ['Common', 'Inherited', ...scripts].map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${letters.join('')}]*$`, 'u');
});

/** Why a name that a stranger chose is not shown to others. */
export type NameObjection = 'unshowable' | 'blank' | 'mixed';

/** Null for a name that can be shown, and cannot be mistaken for another by a letter of another script. */
export function nameObjection(name: string): NameObjection | null {
  if (UNSHOWABLE.test(name)) return 'unshowable';
  if (!VISIBLE.test(name)) return 'blank';
  return WRITINGS.some((writing) => writing.test(name)) ? null : 'mixed';
}

/** The name of an account record; null for one that was given before its like was refused. */
export function shownName(name: string | null): string | null {
  return name === null || nameObjection(name) !== null ? null : name;
}

const FILE_NAME_CHARACTERS = 40;

/**
 * The name of a file that concerns one account record, such as `harbour-cafe-transactions.csv`: it begins with the
 * record's name, if it has one, cut and in lower case, with hyphens for what not every file system takes.
 */
export function fileNameOf(record: string | null, file: string): string {
  const words = (shownName(record) ?? '').toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const name = [...words.join('-')].slice(0, FILE_NAME_CHARACTERS).join('').replace(/-$/, '');
  return name === '' ? file : `${name}-${file}`;
}

/** A name as it is stored: trimmed, with plain spaces and composed accents, without what only asks for another look of a sign. */
export function tidyName(name: string): string {
  return name
    .replaceAll(LOOKS, '')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .normalize('NFC')
    .trim();
}

/** What can be shown of a name that is not the service's to refuse: without invisible characters; null if that is nothing. */
export function showableName(name: string): string | null {
  const characters = [...tidyName(name)].filter((character) => !UNSHOWABLE.test(character));
  const shown = characters.join('').trim();
  return nameObjection(shown) === null ? shown : null;
}

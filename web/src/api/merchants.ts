import type { Transaction } from '#client';

/** Who was paid or paid, as far as a row tells. */
export interface Merchant {
  /** The same for all rows of a merchant: letters, digits and hyphens, or code points after `_`. Safe in an address. */
  readonly key: string;
  /** As the row has it. */
  readonly name: string;
}

/** The merchant's name decides if the bank gives one, else the description without what differs between payments. */
export function merchantOf({
  merchant_name: merchant,
  description,
}: Pick<Transaction, 'merchant_name' | 'description'>): Merchant {
  const own = merchant === null ? '' : keyOf(merchant, true);
  return merchant === null || own === ''
    ? { key: keyOf(description, false), name: description }
    : { key: own, name: merchant };
}

/** Keys of the texts met lately: most rows are of a merchant that was met before. */
const known = new Map<string, string>();
const MOST_KNOWN = 5_000;
const MOST_CHARACTERS = 120;
const MOST_SIGNS = 12;

function keyOf(text: string, isName: boolean): string {
  const asked = `${isName} ${text}`;
  const found = known.get(asked);
  if (found !== undefined) return found;
  const words = wordsOf(text);
  const joined = (isName ? words : lasting(words)).join('-');
  const key = joined === '' ? codePointsOf(text) : shortened(joined);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(asked, key);
  return key;
}

function shortened(key: string): string {
  if (key.length <= MOST_CHARACTERS) return key;
  return Array.from(key).slice(0, MOST_CHARACTERS).join('').replace(/-+$/, '');
}

/** The key of a name that has neither letters nor digits, such as an emoji. Empty for an empty name. */
function codePointsOf(text: string): string {
  const points = Array.from(text.trim()).slice(0, MOST_SIGNS);
  return points.length === 0 ? '' : `_${points.map((sign) => sign.codePointAt(0)?.toString(16)).join('-')}`;
}

function wordsOf(text: string): readonly string[] {
  // An apostrophe separates nothing: banks write the same name with and without it.
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/['’]/g, '');
  return plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const DIGIT = /\p{N}/u;
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;

/**
 * The words that are the same next time: none with a digit, which are dates, card numbers and references, and no month
 * beside one. All of them where nothing would be left.
 */
function lasting(words: readonly string[]): readonly string[] {
  const varies = words.map((word) => DIGIT.test(word));
  const kept = words.filter(
    (word, at) =>
      varies[at] !== true && !(MONTH.test(word) && (varies[at - 1] === true || varies[at + 1] === true)),
  );
  return kept.length === 0 ? words : kept;
}

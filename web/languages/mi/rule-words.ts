import type * as english from '../../src/text/rule-words.ts';

/**
 * Parts of sentences that begin with "Ina kitea" (when this is found): a field has its article, and an operator with its
 * value follows it, as in "Ina kitea te whakaahuatanga e mau ana i “coffee”".
 */
export const FIELD_WORDS: typeof english.FIELD_WORDS = {
  description: 'te whakaahuatanga',
  extended_description: 'te whakaahuatanga roa',
  merchant_name: 'te kaihoko',
  reference: 'te tohutoro',
  amount: 'te rahinga',
  currency: 'te momo moni',
  direction: 'te ahunga',
  status: 'te tūnga',
  class: 'te momo',
  date: 'te rā',
  provider_category: 'te waehere a te kaiwhakarato',
  merchant_category_code: 'te waehere kāwai kaihoko',
  category: 'te kāwai',
  account: 'te pūkete',
};

const COMMON = {
  equals: 'e ōrite ana ki',
  not_equals: 'kāore e ōrite ki',
  contains: 'e mau ana i',
  not_contains: 'kāore e mau i',
  starts_with: 'e tīmata ana ki',
  ends_with: 'e mutu ana ki',
  matches: 'e hāngai ana ki te tauira',
  in: 'kei roto i ēnei:',
  not_in: 'kāore i roto i ēnei:',
  gt: 'e nui ake ana i te',
  gte: 'kāore e iti iho i te',
  lt: 'e iti iho ana i te',
  lte: 'kāore e nui ake i te',
  between: 'kei waenganui i te',
  is_empty: 'e noho kau ana',
  is_not_empty: 'kāore e noho kau ana',
} as const;

const WORD = { ...COMMON, equals: 'ko te', not_equals: 'ehara i te' } as const;

/** Operators by the kind of field they are beside. */
export const OPERATOR_WORDS: typeof english.OPERATOR_WORDS = {
  text: COMMON,
  code: COMMON,
  amount: { ...COMMON, equals: 'e ōrite ana ki te', not_equals: 'kāore e ōrite ki te' },
  day: {
    ...COMMON,
    equals: 'ko te',
    not_equals: 'ehara i te',
    gt: 'i muri i te',
    gte: 'kāore i mua i te',
    lt: 'i mua i te',
    lte: 'kāore i muri i te',
  },
  word: WORD,
  currency: COMMON,
  category: COMMON,
  account: COMMON,
};

/** The values of fields that take one of a fixed set. */
export const VALUE_WORDS: typeof english.VALUE_WORDS = {
  credit: 'moni kuhu',
  debit: 'moni puta',
  posted: 'kua tuhia',
  pending: 'tārewa',
  payment: 'utunga',
  transfer: 'whakawhitinga',
  fee: 'utu',
  interest: 'huamoni',
  other: 'mea kē',
};

/** Actions are nouns ("te tango…"), so that "me" can join them, as it joins conditions. */
export const READING: typeof english.READING = {
  when: (conditions) => `Ina kitea ${conditions}`,
  /** In place of the field where its values describe the transaction: "te tauwhitinga ko te moni kuhu". */
  it: 'te tauwhitinga',
  every: 'Mō ia tauwhitinga',
  rule: (when, actions) => `${when}, ka mahia tēnei: ${actions}.`,
  stop: 'te mutu ki reira',
  quoted: (text) => `“${text}”`,
  sameCase: ' (me te ōrite o ngā pūmatua)',
  between: (low, high) => `${low} me te ${high}`,
  or: 'rānei',
  and: 'me',
  not: (conditions) => `he mea kē i tēnei: (${conditions})`,
  group: (conditions) => `(${conditions})`,
  nothing: '…',
  gone: 'he kāwai kua mukua',
  setDescription: (value) => `te whakarite i te whakaahuatanga hei ${value}`,
  replace: (find, value, field) => `te whakakapi i ${find} ki ${value} i ${field}`,
  remove: (find, field) => `te tango i ${find} i ${field}`,
  setMerchant: (value) => `te whakarite i te kaihoko hei ${value}`,
  setCategory: (name) => `te whakarite i te kāwai hei ${name}`,
  clearCategory: 'te tango i te kāwai',
  setMemo: (value) => `te whakarite i te tuhipoka hei ${value}`,
  flipSign: 'te huri i te tohu o te rahinga',
  addTag: (value) => `te tāpiri i te tapanga ${value}`,
  skip: 'te peke i te tauwhitinga',
};

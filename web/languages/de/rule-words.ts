import type * as english from '../../src/text/rule-words.ts';

/** Parts of: „Wenn gilt: Beschreibung enthält „Kaffee“ – Umsatz überspringen.“ */
export const FIELD_WORDS: typeof english.FIELD_WORDS = {
  description: 'Beschreibung',
  extended_description: 'Lange Beschreibung',
  merchant_name: 'Händler',
  reference: 'Referenz',
  amount: 'Betrag',
  currency: 'Währung',
  direction: 'Richtung',
  status: 'Status',
  class: 'Art',
  date: 'Datum',
  provider_category: 'Code des Anbieters',
  merchant_category_code: 'Branchencode des Händlers (MCC)',
  category: 'Kategorie',
  account: 'Konto',
};

const COMMON = {
  equals: 'ist',
  not_equals: 'ist nicht',
  contains: 'enthält',
  not_contains: 'enthält nicht',
  starts_with: 'beginnt mit',
  ends_with: 'endet mit',
  matches: 'passt zum Muster',
  in: 'ist einer der Werte',
  not_in: 'ist keiner der Werte',
  gt: 'ist größer als',
  gte: 'ist mindestens',
  lt: 'ist kleiner als',
  lte: 'ist höchstens',
  between: 'liegt zwischen',
  is_empty: 'ist leer',
  is_not_empty: 'ist nicht leer',
} as const;

export const OPERATOR_WORDS: typeof english.OPERATOR_WORDS = {
  text: COMMON,
  code: COMMON,
  amount: COMMON,
  day: {
    ...COMMON,
    gt: 'liegt nach',
    gte: 'ist frühestens',
    lt: 'liegt vor',
    lte: 'ist spätestens',
  },
  word: COMMON,
  currency: COMMON,
  category: COMMON,
  account: COMMON,
};

export const VALUE_WORDS: typeof english.VALUE_WORDS = {
  credit: 'Eingang',
  debit: 'Ausgang',
  posted: 'gebucht',
  pending: 'vorgemerkt',
  payment: 'Zahlung',
  transfer: 'Umbuchung',
  fee: 'Gebühr',
  interest: 'Zinsen',
  other: 'Sonstiges',
};

export const READING: typeof english.READING = {
  when: (conditions) => `Wenn gilt: ${conditions}`,
  it: 'Umsatz',
  every: 'Für jeden Umsatz',
  rule: (when, actions) => `${when} – ${actions}.`,
  stop: 'danach keine weiteren Regeln anwenden',
  quoted: (text) => `„${text}“`,
  sameCase: ' (gleiche Groß- und Kleinschreibung)',
  between: (low, high) => `${low} und ${high}`,
  or: 'oder',
  and: 'und',
  not: (conditions) => `nicht (${conditions})`,
  group: (conditions) => `(${conditions})`,
  nothing: '…',
  gone: 'eine gelöschte Kategorie',
  setDescription: (value) => `Beschreibung auf ${value} setzen`,
  replace: (find, value, field) => `im Feld „${field}“ ${find} durch ${value} ersetzen`,
  remove: (find, field) => `im Feld „${field}“ ${find} entfernen`,
  setMerchant: (value) => `Händler auf ${value} setzen`,
  setCategory: (name) => `Kategorie auf ${name} setzen`,
  clearCategory: 'Kategorie entfernen',
  setMemo: (value) => `Notiz auf ${value} setzen`,
  flipSign: 'Vorzeichen des Betrags umkehren',
  addTag: (value) => `Schlagwort ${value} hinzufügen`,
  skip: 'Umsatz überspringen',
};

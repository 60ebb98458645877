import { translated } from './translated.ts';
/** Parts of the sentences in which rules are read out: "When description contains “coffee”, skip it." */
export const FIELD_WORDS = translated('FIELD_WORDS', {
  description: 'description',
  extended_description: 'longer description',
  merchant_name: 'merchant',
  reference: 'reference',
  amount: 'amount',
  currency: 'currency',
  direction: 'direction',
  status: 'status',
  class: 'type',
  date: 'date',
  provider_category: 'provider code',
  merchant_category_code: 'merchant category code',
  category: 'category',
  account: 'account',
});

const COMMON = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  matches: 'matches the pattern',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  between: 'is between',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
} as const;

/** Operators by the kind of field they are beside. */
export const OPERATOR_WORDS = translated('OPERATOR_WORDS', {
  text: COMMON,
  code: COMMON,
  amount: COMMON,
  day: { ...COMMON, gt: 'is after', gte: 'is on or after', lt: 'is before', lte: 'is on or before' },
  word: COMMON,
  currency: COMMON,
  category: COMMON,
  account: COMMON,
});

/** The values of fields that take one of a fixed set. */
export const VALUE_WORDS = translated<Readonly<Record<string, string>>>('VALUE_WORDS', {
  credit: 'money in',
  debit: 'money out',
  posted: 'posted',
  pending: 'pending',
  payment: 'payment',
  transfer: 'transfer',
  fee: 'fee',
  interest: 'interest',
  other: 'other',
});

export const READING = translated('READING', {
  when: (conditions: string) => `When ${conditions}`,
  /** In place of the field where its values describe the transaction: "it is money in". */
  it: 'it',
  every: 'For every transaction',
  rule: (when: string, actions: string) => `${when}, ${actions}.`,
  stop: 'stop there',
  quoted: (text: string) => `“${text}”`,
  sameCase: ' (with the same capitals)',
  between: (low: string, high: string) => `${low} and ${high}`,
  or: 'or',
  and: 'and',
  not: (conditions: string) => `not (${conditions})`,
  group: (conditions: string) => `(${conditions})`,
  nothing: '…',
  gone: 'a deleted category',
  setDescription: (value: string) => `set the description to ${value}`,
  replace: (find: string, value: string, field: string) => `replace ${find} with ${value} in the ${field}`,
  remove: (find: string, field: string) => `remove ${find} from the ${field}`,
  setMerchant: (value: string) => `set the merchant to ${value}`,
  setCategory: (name: string) => `set the category to ${name}`,
  clearCategory: 'clear the category',
  setMemo: (value: string) => `set the memo to ${value}`,
  flipSign: 'turn the sign of the amount',
  addTag: (value: string) => `add the tag ${value}`,
  skip: 'skip the transaction',
});

import { type BankWire, encodePlace, placeOf, requery } from '../shared/bank-wire.ts';
import type { Json } from '../shared/json.ts';
import { isObject } from '../shared/members.ts';

const ROWS = /\/api\/v1(?:\/accounts\/[^/]+)?\/transactions$/;
const ACCOUNTS = /\/api\/v1\/accounts(?:\/[^/]+)?$/;
const AMOUNT = ['attributes', 'amount'] as const;

/** How Up writes rows and accounts. */
export const UP_BANK_WIRE: BankWire = {
  rows: {
    id: [['id']],
    account: [['relationships', 'account', 'data', 'id']],
    amount: [[...AMOUNT, 'value']],
    amountAs: 'text',
    cents: [[...AMOUNT, 'valueInBaseUnits']],
    currency: [[...AMOUNT, 'currencyCode']],
    description: [['attributes', 'description']],
    moments: [
      ['attributes', 'createdAt'],
      ['attributes', 'settledAt'],
    ],
    optionalMoment: [['attributes', 'settledAt']],
    category: [['relationships', 'category', 'data', 'id']],
    type: [['attributes', 'transactionType']],
    status: { path: ['attributes', 'status'], pending: 'HELD', posted: 'SETTLED' },
  },
  offsetHours: 10,
  accounts: {
    id: [['id']],
    currency: [['attributes', 'balance', 'currencyCode']],
    balance: [
      ['attributes', 'balance', 'value'],
      ['attributes', 'balance', 'valueInBaseUnits'],
    ],
  },
  asked: ({ method, path, params }) => {
    if (method !== 'GET') return null;
    if (ACCOUNTS.test(path)) return { list: 'accounts' };
    return ROWS.test(path) ? { list: 'rows', account: params.id ?? null, pending: 'with' } : null;
  },
  everything: (query) =>
    requery(
      query,
      ['page[after]', 'filter[status]', 'filter[since]', 'filter[until]', 'filter[category]', 'filter[tag]'],
      { 'page[size]': '100' },
    ),
  items: ({ data }) => (isObject(data) ? [data] : listOf(data)),
  next: ({ links }, query) => {
    const next = isObject(links) ? links.next : undefined;
    const cursor = typeof next === 'string' ? new URL(next).searchParams.get('page[after]') : null;
    return cursor === null ? null : requery(query, [], { 'page[after]': cursor });
  },
  wants: (query, { moment, pending }) => {
    const status = query.get('filter[status]');
    if (status !== null && (status === 'HELD') !== pending) return false;
    const [since, until] = [query.get('filter[since]'), query.get('filter[until]')];
    return (since === null || moment >= Date.parse(since)) && (until === null || moment <= Date.parse(until));
  },
  pageSize: (query) => Math.min(100, Number(query.get('page[size]') ?? 30)),
  begin: (query) => placeOf(query.get('page[after]')),
  answer: (whole, items, { next, address }, query) => {
    if (isObject(whole.data)) return { ...whole, data: items[0] ?? null };
    const after = next === null ? null : requery(query, [], { 'page[after]': encodePlace(next) });
    return { data: items, links: { prev: null, next: after === null ? null : `${address}?${after}` } };
  },
  row: ({ id, day, amount, description, status, currency = 'AUD', type }, account) => {
    const moment = `${day}T12:00:00+10:00`;
    const held = status === 'pending';
    return {
      type: 'transactions',
      id,
      attributes: {
        status: held ? 'HELD' : 'SETTLED',
        rawText: null,
        description,
        message: null,
        isCategorizable: true,
        holdInfo: null,
        roundUp: null,
        cashback: null,
        amount: { currencyCode: currency, value: amount, valueInBaseUnits: Math.round(Number(amount) * 100) },
        foreignAmount: null,
        cardPurchaseMethod: null,
        settledAt: held ? null : moment,
        createdAt: moment,
        transactionType: type ?? null,
        note: null,
      },
      relationships: {
        account: { data: { type: 'accounts', id: account } },
        transferAccount: { data: null },
        category: { data: null },
        parentCategory: { data: null },
        tags: { data: [] },
        attachment: { data: null },
      },
    };
  },
  staleCursor: { status: 400, code: 'page[after]', message: 'The cursor is not one of this list.' },
};

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

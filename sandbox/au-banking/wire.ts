import { type BankWire, encodePlace, placeOf, requery } from '../shared/bank-wire.ts';
import type { Json } from '../shared/json.ts';
import { isObject } from '../shared/members.ts';

const ROWS = '/v1/banking/transactions';
const ACCOUNTS: ReadonlySet<string> = new Set(['/v1/banking/accounts', '/v1/banking/balances']);

/** How the vendor writes rows, accounts and balances. */
export const AU_BANKING_WIRE: BankWire = {
  rows: {
    id: [['fiskil_id'], ['transaction_id']],
    account: [['account_id']],
    amount: [['amount']],
    amountAs: 'text',
    cents: [],
    currency: [['currency']],
    description: [['description']],
    moments: [['posting_date_time'], ['execution_date_time'], ['value_date_time']],
    optionalMoment: [['value_date_time']],
    category: [
      ['category', 'primary_category'],
      ['category', 'secondary_category'],
    ],
    type: [['type']],
    status: { path: ['status'], pending: 'PENDING', posted: 'POSTED' },
  },
  offsetHours: 10,
  accounts: {
    id: [['account_id']],
    currency: [['currency']],
    balance: [['current_balance'], ['available_balance']],
  },
  asked: ({ method, path, query }) => {
    if (method !== 'GET') return null;
    if (ACCOUNTS.has(path)) return { list: 'accounts' };
    return path === ROWS ? { list: 'rows', account: query.get('account_id'), pending: 'with' } : null;
  },
  everything: (query) =>
    requery(query, ['from', 'to', 'status', 'secondary_category', 'page[after]'], { 'page[size]': '1000' }),
  items: ({ transactions, accounts, balances }) => listOf(transactions ?? accounts ?? balances),
  next: ({ links }, query) => {
    const next = isObject(links) ? links.next : undefined;
    const cursor = typeof next === 'string' ? new URL(next).searchParams.get('page[after]') : null;
    return cursor === null ? null : requery(query, [], { 'page[after]': cursor });
  },
  wants: (query, { moment, pending }) => {
    const status = query.get('status');
    if (status !== null && (status === 'PENDING') !== pending) return false;
    const [from, to] = [query.get('from'), query.get('to')];
    return (from === null || moment >= Date.parse(from)) && (to === null || moment <= Date.parse(to));
  },
  pageSize: (query) => Math.min(1000, Number(query.get('page[size]') ?? 100)),
  begin: (query) => placeOf(query.get('page[after]')),
  answer: (whole, items, { next, address }, query) => {
    const [plural = ''] = ['transactions', 'accounts', 'balances'].filter((name) => name in whole);
    const after = next === null ? null : requery(query, [], { 'page[after]': encodePlace(next) });
    return { [plural]: items, links: after === null ? {} : { next: `${address}?${after}` } };
  },
  row: ({ id, day, amount, description, status, currency = 'AUD', type = 'OTHER' }, account) => {
    const moment = `${day}T12:00:00+10:00`;
    const pending = status === 'pending';
    return {
      fiskil_id: id,
      transaction_id: id,
      account_id: account,
      amount,
      currency,
      status: pending ? 'PENDING' : 'POSTED',
      type,
      description,
      reference: '',
      posting_date_time: pending ? null : moment,
      execution_date_time: moment,
      value_date_time: null,
      is_detail_available: false,
      category: null,
    };
  },
  staleCursor: { status: 503, code: 'service_unavailable', message: 'the request could not be completed' },
};

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

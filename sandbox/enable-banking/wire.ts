import { type BankWire, encodePlace, placeOf, requery } from '../shared/bank-wire.ts';
import type { Json } from '../shared/json.ts';
import { isObject } from '../shared/members.ts';

const ROWS = /^\/accounts\/[^/]+\/transactions$/;
const ACCOUNTS = /^\/(?:sessions\/[^/]+|accounts\/[^/]+\/balances)$/;
const DAY_MS = 86_400_000;

/** How the vendor writes rows and accounts. */
export const ENABLE_BANKING_WIRE: BankWire = {
  rows: {
    id: [['entry_reference']],
    account: [],
    amount: [['transaction_amount', 'amount']],
    amountAs: 'text',
    cents: [],
    currency: [['transaction_amount', 'currency']],
    description: [
      ['creditor', 'name'],
      ['debtor', 'name'],
    ],
    moments: [['booking_date'], ['value_date'], ['transaction_date']],
    optionalMoment: [['value_date']],
    category: [['merchant_category_code']],
    type: [['bank_transaction_code', 'code']],
    status: { path: ['status'], pending: 'PDNG', posted: 'BOOK' },
  },
  offsetHours: 0,
  accounts: {
    id: [['uid']],
    currency: [['balance_amount', 'currency']],
    balance: [['balance_amount', 'amount']],
  },
  asked: ({ method, path, params }) => {
    if (method !== 'GET') return null;
    if (ACCOUNTS.test(path)) return { list: 'accounts' };
    return ROWS.test(path) ? { list: 'rows', account: params.id ?? null, pending: 'with' } : null;
  },
  everything: (query) => requery(query, ['date_from', 'date_to', 'continuation_key']),
  items: ({ transactions, balances, accounts_data }) => listOf(transactions ?? balances ?? accounts_data),
  next: ({ continuation_key: key }, query) =>
    typeof key === 'string' ? requery(query, [], { continuation_key: key }) : null,
  wants: (query, { moment, pending }) => {
    if (pending) return true;
    const [from, to] = [query.get('date_from'), query.get('date_to')];
    return (from === null || moment >= Date.parse(from)) && (to === null || moment < Date.parse(to) + DAY_MS);
  },
  pageSize: () => 100,
  begin: (query) => placeOf(query.get('continuation_key')),
  answer: (whole, items, { next }) => {
    if (whole.balances !== undefined) return { ...whole, balances: items };
    if (whole.transactions !== undefined)
      return { transactions: items, continuation_key: next === null ? null : encodePlace(next) };
    const uids = items.flatMap((item) => (isObject(item) ? (item.uid ?? []) : []));
    return { ...whole, accounts: uids, accounts_data: items };
  },
  // Without an indicator, as some banks write rows: the amount has the sign.
  row: ({ id, day, amount, description, status, currency = 'EUR', type }) => ({
    entry_reference: id,
    merchant_category_code: null,
    transaction_amount: { currency, amount },
    creditor: { name: description },
    debtor: { name: description },
    bank_transaction_code: { description: null, code: type ?? 'PMNT', sub_code: null },
    status: status === 'pending' ? 'PDNG' : 'BOOK',
    booking_date: status === 'pending' ? null : day,
    value_date: day,
    transaction_date: day,
    remittance_information: [],
  }),
  staleCursor: { status: 422, code: 'WRONG_CONTINUATION_KEY', message: 'Wrong continuation key provided' },
};

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

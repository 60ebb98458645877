import { type BankWire, encodePlace, placeOf, requery } from '../shared/bank-wire.ts';
import type { Json } from '../shared/json.ts';

const DAY_MS = 86_400_000;
const ROWS = /^\/v1(?:\/accounts\/[^/]+)?\/transactions(\/pending)?$/;
const ACCOUNTS = /^\/v1\/accounts(?:\/[^/]+)?$/;

/** How the vendor writes rows and accounts. */
export const NZ_BANKING_WIRE: BankWire = {
  rows: {
    id: [['_id'], ['hash']],
    account: [['_account']],
    amount: [['amount']],
    amountAs: 'number',
    cents: [],
    currency: [],
    description: [['description']],
    moments: [['date']],
    optionalMoment: [['created_at'], ['updated_at']],
    category: [['category', 'name']],
    type: [['type']],
    status: null,
  },
  offsetHours: 12,
  accounts: {
    id: [['_id']],
    currency: [['balance', 'currency']],
    balance: [['balance', 'current']],
  },
  asked: ({ method, path, params }) => {
    if (method !== 'GET') return null;
    if (ACCOUNTS.test(path)) return { list: 'accounts' };
    const found = ROWS.exec(path);
    const pending = found?.[1] === undefined ? 'without' : 'only';
    return found === null ? null : { list: 'rows', account: params.id ?? null, pending };
  },
  everything: (query) => requery(query, ['start', 'end', 'cursor']),
  items: ({ items, item }) => (item === undefined ? listOf(items) : [item]),
  next: ({ cursor }, query) => {
    const next = typeof cursor === 'object' && cursor !== null && 'next' in cursor ? cursor.next : null;
    return typeof next === 'string' ? requery(query, [], { cursor: next }) : null;
  },
  wants: (query, { moment, pending }) => {
    if (pending) return true;
    const [start, end] = [query.get('start'), query.get('end')];
    return (start === null || moment > Date.parse(start)) && (end === null || moment <= Date.parse(end));
  },
  pageSize: () => 100,
  begin: (query) => placeOf(query.get('cursor')),
  answer: (whole, items, { next }) => {
    if (whole.item !== undefined) return { ...whole, item: items[0] ?? null };
    if (whole.cursor === undefined) return { ...whole, items };
    return { ...whole, items, cursor: { next: next === null ? null : encodePlace(next) } };
  },
  row: (
    { id, day, amount, description, status, type = Number(amount) < 0 ? 'DEBIT' : 'CREDIT' },
    account,
  ) => {
    // Midnight of a New Zealand winter, an hour later in summer.
    const date = new Date(Date.parse(day) - DAY_MS / 2).toISOString();
    const said = { _account: account, date, description, amount: Number(amount), type };
    if (status === 'pending') return { ...said, updated_at: date };
    return { _id: id, ...said, created_at: date, updated_at: date, hash: id };
  },
  staleCursor: { status: 400, code: 'bad_request', message: 'cursor is not valid' },
};

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

import { type BankWire, requery } from '../shared/bank-wire.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import { isObject } from '../shared/members.ts';

/** Added to rows while they are changed, since the protocol nests them in accounts. */
const ACCOUNT = '_account';
const TIMES = ['posted', 'transacted_at'] as const;
const ACCOUNTS = /\/simplefin\/accounts$/;

/** How the protocol writes rows and accounts: all in one answer, times in seconds. */
export const SIMPLEFIN_WIRE: BankWire = {
  rows: {
    id: [['id']],
    account: [[ACCOUNT]],
    amount: [['amount']],
    amountAs: 'text',
    cents: [],
    currency: [],
    description: [['description']],
    moments: TIMES.map((name) => [name]),
    optionalMoment: [['transacted_at']],
    category: [],
    type: [],
    status: { path: ['pending'], pending: true, posted: false },
  },
  offsetHours: 0,
  accounts: { id: [['id']], currency: [['currency']], balance: [['balance']] },
  asked: ({ method, path }) =>
    method === 'GET' && ACCOUNTS.test(path) ? { list: 'rows', account: null, pending: 'with' } : null,
  everything: (query) => requery(query, ['start-date', 'end-date', 'balances-only'], { pending: '1' }),
  items: ({ accounts }) =>
    listOf(accounts).flatMap((account) =>
      isObject(account)
        ? listOf(account.transactions).flatMap((row) => (isObject(row) ? [unfolded(row, account)] : []))
        : [],
    ),
  next: () => null,
  wants: (query, { moment, pending }) => {
    if (pending) return query.get('pending') === '1';
    const [start, end] = [query.get('start-date'), query.get('end-date')];
    return (
      (start === null || moment >= Number(start) * 1000) && (end === null || moment < Number(end) * 1000)
    );
  },
  pageSize: () => Number.MAX_SAFE_INTEGER,
  begin: () => 0,
  answer: (whole, items) => {
    const rows = new Map<Json, Json[]>();
    let last: Json = null;
    for (const item of items) {
      if (isObject(item)) last = item[ACCOUNT] ?? last;
      rows.set(last, [...(rows.get(last) ?? []), isObject(item) ? folded(item) : item]);
    }
    return {
      ...whole,
      accounts: listOf(whole.accounts).map((account, at) =>
        isObject(account)
          ? {
              ...account,
              // What names no account is shown in the first.
              transactions: [
                ...(rows.get(account.id ?? null) ?? []),
                ...(at === 0 ? (rows.get(null) ?? []) : []),
              ],
            }
          : account,
      ),
    };
  },
  row: ({ id, day, amount, description, status }, account) => ({
    [ACCOUNT]: account,
    id,
    posted: `${day}T12:00:00.000Z`,
    amount,
    description,
    payee: description,
    memo: '',
    transacted_at: `${day}T12:00:00.000Z`,
    pending: status === 'pending',
  }),
  staleCursor: { status: 400, code: 'gen.api', message: 'There are no pages.' },
};

/** A row with its account, and with times that can be moved. */
function unfolded(row: JsonObject, account: JsonObject): JsonObject {
  const times = TIMES.flatMap((name) => {
    const at = row[name];
    return typeof at === 'number' && at > 0 ? [[name, new Date(at * 1000).toISOString()] as const] : [];
  });
  return {
    ...row,
    ...Object.fromEntries(times),
    pending: row.pending === true,
    [ACCOUNT]: account.id ?? null,
  };
}

/** The row as the protocol has it. A time that is none stays a text. */
function folded({ [ACCOUNT]: _account, ...row }: JsonObject): JsonObject {
  const times = TIMES.flatMap((name) => {
    const at = Date.parse(String(row[name] ?? ''));
    return Number.isNaN(at) ? [] : [[name, Math.floor(at / 1000)] as const];
  });
  return { ...row, ...Object.fromEntries(times), ...(row.pending === true ? { posted: 0 } : {}) };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

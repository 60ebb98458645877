import { type BankWire, requery } from '../shared/bank-wire.ts';
import type { Json } from '../shared/json.ts';

const ROWS = /\/accounts\/[^/]+\/activities$/;
const ACCOUNTS = /\/accounts(?:\/[^/]+\/balances)?$/;
const PAGE = 1000;

/** How the vendor writes activities, accounts and cash. */
export const BROKERAGE_WIRE: BankWire = {
  rows: {
    id: [['id']],
    account: [],
    amount: [['amount']],
    amountAs: 'number',
    cents: [],
    currency: [['currency', 'code']],
    description: [['description']],
    moments: [['trade_date'], ['settlement_date']],
    optionalMoment: [['settlement_date']],
    category: [],
    type: [['type']],
    status: null,
  },
  offsetHours: 0,
  accounts: {
    id: [['id']],
    currency: [
      ['currency', 'code'],
      ['balance', 'total', 'currency'],
    ],
    balance: [['cash'], ['balance', 'total', 'amount']],
  },
  asked: ({ method, path, params }) => {
    if (method !== 'GET') return null;
    if (ROWS.test(path)) return { list: 'rows', account: params.id ?? null, pending: 'without' };
    return ACCOUNTS.test(path) ? { list: 'accounts' } : null;
  },
  everything: (query) =>
    requery(query, ['startDate', 'endDate', 'type'], { offset: '0', limit: String(PAGE) }),
  items: ({ data }) => listOf(data),
  next: (_, query, items) =>
    items < PAGE ? null : requery(query, [], { offset: String(Number(query.get('offset')) + PAGE) }),
  wants: (query, { moment }) => {
    const [from, to] = [query.get('startDate'), query.get('endDate')];
    const day = Number.isFinite(moment) ? new Date(moment).toISOString().slice(0, 10) : '';
    return (from === null || day >= from) && (to === null || day <= to);
  },
  pageSize: (query) => Math.min(PAGE, Number(query.get('limit') ?? PAGE)),
  begin: (query) => Number(query.get('offset') ?? 0),
  answer: (whole, items, { begin, total }, query) => {
    if (whole.data === undefined) return items;
    const limit = Math.min(PAGE, Number(query.get('limit') ?? PAGE));
    return { data: items, pagination: { offset: begin, limit, total } };
  },
  row: ({
    id,
    day,
    amount,
    description,
    currency = 'USD',
    type = 'CONTRIBUTION',
    units = '0',
    price = '0',
    symbol,
  }) => ({
    id,
    symbol:
      symbol === undefined
        ? null
        : { id: symbol, symbol, raw_symbol: symbol, description: symbol, currency: { code: currency } },
    option_symbol: null,
    currency_universal_symbol: null,
    price: Number(price),
    units: Number(units),
    amount: Number(amount),
    currency: { id: currency, code: currency, name: currency },
    type,
    option_type: '',
    description,
    trade_date: `${day}T00:00:00Z`,
    fee: 0,
    fx_rate: null,
    institution: '',
    external_reference_id: null,
  }),
  staleCursor: { status: 400, code: '1012', message: 'offset must be a whole number.' },
};

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

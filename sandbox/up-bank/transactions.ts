import type { RowFault } from '../shared/faults.ts';
import { isRecord, type Json, type JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, enumQuery, type SimulatedRequest } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { isCategory, parentOf } from './categories.ts';
import type { Customer, UpAccount } from './customer.ts';
import type { Movement } from './movement.ts';
import { pageAfter, pageReply, pageSize, unreadableCursor } from './paging.ts';
import { transactionJson } from './resource-json.ts';
import { merged, type Place, placeOf } from './rows.ts';

const FILTERS = ['filter[status]', 'filter[since]', 'filter[until]', 'filter[category]', 'filter[tag]'];
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

interface Found {
  readonly account: UpAccount;
  readonly row: Movement;
}

/** `GET /transactions` and `GET /accounts/{id}/transactions`. */
export class Transactions {
  readonly #now: () => number;
  readonly #base: () => string;

  constructor(now: () => number, base: () => string) {
    this.#now = now;
    this.#base = base;
  }

  list(request: SimulatedRequest, customer: Customer, accounts: readonly UpAccount[]): Reply {
    const { query, rowFaults: faults, path } = request;
    checkQuery(query, ['page[size]', 'page[after]', ...FILTERS]);
    const filter = filterOf(query);
    const after = pageAfter(query);
    if (faults.includes('stale-cursor') && after !== null) throw unreadableCursor();
    const address = new URL(path, this.#base()).href;
    if (faults.includes('empty-page')) return pageReply([], address, query, after ?? 'start');
    const now = this.#now();
    const page: Found[] = [];
    const size = pageSize(query);
    for (const found of newestFirst(accounts, now, after)) {
      if (found.row.createdAt < filter.since) break;
      if (page.length > size) break;
      if (filter.takes(found.row, now)) page.push(found);
    }
    const more = page.length > size;
    const shown = page.slice(0, size);
    const rows = shown.map(({ account, row }) =>
      transactionJson(row, account.id, customer, now, this.#base()),
    );
    return pageReply(spoilt(rows, faults), address, query, nextOf(shown, more, after, faults));
  }

  read(request: SimulatedRequest, customer: Customer): Reply {
    checkQuery(request.query, []);
    const now = this.#now();
    for (const account of customer.accounts) {
      const row = account.book.find(request.params.id ?? '', now);
      if (row !== null)
        return json(200, { data: transactionJson(row, account.id, customer, now, this.#base()) });
    }
    throw notFound('id', 'No transaction has this identifier.');
  }
}

function newestFirst(accounts: readonly UpAccount[], now: number, after: Place | null): Generator<Found> {
  return accounts.reduce<Generator<Found>>(
    (all, account) => together(all, account.newestFirst(now, after), account),
    none(),
  );
}

function* none(): Generator<Found> {}

function* together(all: Generator<Found>, rows: Generator<Movement>, account: UpAccount): Generator<Found> {
  const owners = new Map<Movement, UpAccount>();
  const known = function* (): Generator<Movement> {
    for (const { account: owner, row } of all) {
      owners.set(row, owner);
      yield row;
    }
  };
  for (const row of merged(known(), rows)) {
    yield { account: owners.get(row) ?? account, row };
    owners.delete(row);
  }
}

interface Filter {
  readonly since: number;
  takes(row: Movement, now: number): boolean;
}

function filterOf(query: URLSearchParams): Filter {
  const since = momentQuery(query, 'filter[since]') ?? Number.NEGATIVE_INFINITY;
  const until = momentQuery(query, 'filter[until]') ?? Number.POSITIVE_INFINITY;
  const status = enumQuery(query, 'filter[status]', ['HELD', 'SETTLED']);
  const category = query.get('filter[category]');
  if (category !== null && !isCategory(category))
    throw notFound('filter[category]', 'There is no such category.');
  return {
    since,
    takes: (row, now) => {
      if (row.createdAt > until || query.has('filter[tag]')) return false;
      if (status !== null && row.settlesAt <= now !== (status === 'SETTLED')) return false;
      if (category === null) return true;
      return row.category !== null && (row.category === category || parentOf(row.category) === category);
    },
  };
}

function momentQuery(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  const at = MOMENT.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(at)) throw badRequest(name, 'The value is not a date-time of RFC 3339.');
  return at;
}

/** Where the next page begins, after applying a fault. */
function nextOf(
  shown: readonly Found[],
  more: boolean,
  after: Place | null,
  faults: readonly RowFault[],
): Place | null | 'start' {
  if (faults.includes('endless-pages')) return after ?? 'start';
  if (!more) return null;
  const last = shown.at(faults.includes('duplicate-row') && shown.length > 1 ? -2 : -1);
  return last === undefined ? null : placeOf(last.row);
}

function spoilt(rows: readonly JsonObject[], faults: readonly RowFault[]): readonly Json[] {
  const [first, ...rest] = rows;
  if (first === undefined) return rows;
  if (faults.includes('row-without-id')) {
    const { id: _left, ...without } = first;
    return [without, ...rest];
  }
  if (!faults.includes('foreign-row')) return rows;
  const { relationships } = first;
  const others = { data: { type: 'accounts', id: 'of-someone-else' } };
  return [
    { ...first, relationships: { ...(isObject(relationships) ? relationships : {}), account: others } },
    ...rest,
  ];
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

import type { RowFault } from '../shared/faults.ts';
import { isRecord, type Json, type JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import type { Reply } from '../shared/reply.ts';
import { checkQuery, type SimulatedRequest } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { connectionId } from './banks.ts';
import { item, items, succeeded } from './errors.ts';
import { categoryJson } from './rows/categories.ts';
import { firstIndex, type Row } from './rows/row.ts';
import type { SharedAccount, SharedAccounts } from './shared-accounts.ts';
import { floorOf, type User } from './users.ts';

const PAGE_ROWS = 100;
const MOST_IDS = 100;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/** The position in a list of accounts and their rows at which a page ends. */
type Place = { readonly account: number; readonly row: number };

/** Settled and pending rows. */
export class Transactions {
  readonly #accounts: SharedAccounts;

  constructor(accounts: SharedAccounts) {
    this.#accounts = accounts;
  }

  /** `GET /accounts/{id}/transactions` */
  ofAccount(request: SimulatedRequest, user: User): Reply {
    return this.#page(request, [this.#own(user, request.params.id ?? '')]);
  }

  /** `GET /transactions` */
  ofUser(request: SimulatedRequest, user: User): Reply {
    return this.#page(request, this.#accounts.of(user));
  }

  /** `GET /accounts/{id}/transactions/pending` */
  pendingOfAccount(request: SimulatedRequest, user: User): Reply {
    checkQuery(request.query, []);
    return this.#pending(request.rowFaults, [this.#own(user, request.params.id ?? '')]);
  }

  /** `GET /transactions/pending` */
  pendingOfUser(request: SimulatedRequest, user: User): Reply {
    checkQuery(request.query, []);
    return this.#pending(request.rowFaults, this.#accounts.of(user));
  }

  /** `GET /transactions/{id}` */
  one(request: SimulatedRequest, user: User): Reply {
    checkQuery(request.query, []);
    const found = this.#byId(user, request.params.id ?? '');
    if (found === null) throw notFound('not_found', 'Transaction not found');
    return item(found);
  }

  /** `POST /transactions/ids` */
  byIds(request: SimulatedRequest, user: User): Reply {
    let ids: unknown;
    try {
      ids = JSON.parse(request.body);
    } catch {
      ids = null;
    }
    if (!Array.isArray(ids) || ids.length > MOST_IDS)
      throw badRequest('bad_request', `The body must be an array of at most ${MOST_IDS} ids`);
    return items(ids.flatMap((id) => this.#byId(user, String(id)) ?? []));
  }

  #own(user: User, id: string): SharedAccount {
    const found = this.#accounts.of(user).find((one) => one.id === id);
    if (found === undefined) throw notFound('not_found', 'Account not found');
    return found;
  }

  #page({ query, rowFaults }: SimulatedRequest, accounts: readonly SharedAccount[]): Reply {
    checkQuery(query, ['start', 'end', 'cursor']);
    const start = instantOf(query, 'start') ?? Number.NEGATIVE_INFINITY;
    const end = instantOf(query, 'end') ?? Number.POSITIVE_INFINITY;
    for (const { authorisation } of accounts) {
      const floor = floorOf(authorisation);
      // The first requested time is one millisecond later.
      if (floor !== null && start + 1 < floor)
        throw badRequest('bad_request', `start must not be before ${new Date(floor).toISOString()}`);
    }
    const at = cursorOf(query.get('cursor'));
    if (rowFaults.includes('empty-page')) return succeeded({ items: [], cursor: { next: cursorText(at) } });
    const rows: JsonObject[] = [];
    let next: Place | null = null;
    for (const [index, shared] of accounts.entries()) {
      if (index < at.account || !this.#hasRows(shared)) continue;
      const settled = shared.account.settledAt(shared.seenAt);
      const first = firstIndex(settled.length, (row) => settled.dateAt(row) <= end);
      const beyond = firstIndex(settled.length, (row) => settled.dateAt(row) <= start);
      const from = first + (index === at.account ? at.row : 0);
      const to = Math.min(beyond, from + PAGE_ROWS - rows.length);
      for (let row = from; row < to; row++) rows.push(settledJson(shared, settled.row(row)));
      if (to < beyond) {
        next = { account: index, row: to - first };
        break;
      }
    }
    if (rowFaults.includes('endless-pages')) next = at;
    return succeeded({
      items: spoiled(rows, rowFaults),
      cursor: { next: next === null ? null : cursorText(next) },
    });
  }

  #pending(faults: readonly RowFault[], accounts: readonly SharedAccount[]): Reply {
    const rows = accounts
      .filter((shared) => this.#hasRows(shared))
      .flatMap((shared) =>
        shared.account.book.pendingAt(shared.seenAt).map((row) => pendingJson(shared, row)),
      );
    return items(spoiled(rows, faults));
  }

  #byId(user: User, id: string): Json | null {
    for (const shared of this.#accounts.of(user)) {
      const { account, authorisation, seenAt } = shared;
      const settled = account.settledAt(seenAt);
      for (let index = 0; index < settled.length; index++) {
        const row = settled.row(index);
        if (account.rowIdAt(authorisation.generation, row.key) === id) return settledJson(shared, row);
      }
    }
    return null;
  }

  #hasRows(shared: SharedAccount): boolean {
    return shared.account.plan.silent !== true && this.#accounts.isCopied(shared);
  }
}

function instantOf(query: URLSearchParams, name: string): number | null {
  const sent = query.get(name);
  if (sent === null) return null;
  const at = INSTANT.test(sent) ? Date.parse(sent) : Number.NaN;
  if (Number.isNaN(at)) throw badRequest('bad_request', `${name} must be an ISO 8601 moment in UTC`);
  return at;
}

function cursorText(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function cursorOf(sent: string | null): Place {
  if (sent === null) return { account: 0, row: 0 };
  try {
    const place: unknown = JSON.parse(Buffer.from(sent, 'base64url').toString());
    if (isRecord(place) && Number.isInteger(place.account) && Number.isInteger(place.row))
      return { account: Number(place.account), row: Number(place.row) };
  } catch {
    // Refused below, like anything that parses but is not a valid position.
  }
  throw badRequest('bad_request', 'cursor is not valid');
}

/** The rows of a page with the armed faults applied. */
function spoiled(rows: readonly JsonObject[], faults: readonly RowFault[]): readonly JsonObject[] {
  const [first, ...others] = rows;
  if (first === undefined) return rows;
  if (faults.includes('duplicate-row')) return [first, ...rows];
  if (faults.includes('foreign-row')) return [{ ...first, _account: 'acc_somebody_else' }, ...others];
  if (faults.includes('row-without-id')) {
    const { _id: _, ...rest } = first;
    return [rest, ...others];
  }
  return rows;
}

/** One settled transaction as the vendor writes it. */
function settledJson(shared: SharedAccount, row: Row): JsonObject {
  const { account, authorisation, user } = shared;
  const { generation } = authorisation;
  const recorded = new Date(Math.max(row.date, row.settles)).toISOString();
  return {
    _id: account.rowIdAt(generation, row.key),
    _user: user.id,
    _account: shared.id,
    _connection: connectionId(authorisation.bank, authorisation.official),
    ...(generation > 0
      ? {
          _migrated: account.rowIdAt(generation - 1, row.key),
          _migrated_account: account.idAt(generation - 1),
        }
      : {}),
    created_at: recorded,
    updated_at: recorded,
    hash: digest('hash', account.scope, row.key).slice(0, 32),
    ...common(row),
    ...(row.merchant === null
      ? {}
      : {
          merchant: { _id: `_merchant${digest('merchant', row.merchant).slice(0, 20)}`, name: row.merchant },
        }),
    ...(row.category === null ? {} : { category: categoryJson(row.category) }),
  };
}

/** One pending transaction as the vendor writes it: without an id, and as of the last fetch. */
function pendingJson(shared: SharedAccount, row: Row): JsonObject {
  const { authorisation, user, seenAt } = shared;
  return {
    _user: user.id,
    _account: shared.id,
    _connection: connectionId(authorisation.bank, authorisation.official),
    updated_at: new Date(seenAt).toISOString(),
    ...common(row),
  };
}

function common(row: Row): JsonObject {
  return {
    date: new Date(row.date).toISOString(),
    description: row.description,
    amount: Number(row.amount),
    type: row.type,
    ...(row.meta === null ? {} : { meta: row.meta }),
  };
}

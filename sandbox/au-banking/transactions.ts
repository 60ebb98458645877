import type { RowFault } from '../shared/faults.ts';
import { isRecord } from '../shared/json.ts';
import { json, type Reply, reply } from '../shared/reply.ts';
import { checkQuery, enumQuery, jsonBody, requiredQuery, requiredString } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import type { Bank } from './bank.ts';
import { primaryOf } from './categories.ts';
import { nextLink, PAGE_PARAMETERS, pageAfter, pageSize, unreadableCursor } from './paging.ts';
import type { VendorRequest } from './request.ts';
import { bookSource } from './rows/book-source.ts';
import { parseMoment } from './rows/moment.ts';
import { pageRows } from './rows/page.ts';
import type { RowFilter, RowSource } from './rows/source.ts';
import type { SharedAccount, SharedAccounts } from './shared-accounts.ts';

/** `GET /v1/banking/transactions` and the category correction. */
export class Transactions {
  readonly #shared: SharedAccounts;
  readonly #bank: Bank;
  readonly #now: () => number;

  constructor(shared: SharedAccounts, bank: Bank, now: () => number) {
    this.#shared = shared;
    this.#bank = bank;
    this.#now = now;
  }

  list(request: VendorRequest, baseUrl: string): Reply {
    const { query } = request;
    checkQuery(
      query,
      ['end_user_id', 'account_id', 'from', 'to', 'status', ...PAGE_PARAMETERS],
      ['secondary_category'],
    );
    const faults = request.rowFaults;
    if (faults.includes('stale-cursor') && query.has('page[after]')) throw unreadableCursor();
    const accountId = query.get('account_id');
    const filter: RowFilter = {
      from: instant(query, 'from'),
      to: instant(query, 'to'),
      status: enumQuery(query, 'status', ['PENDING', 'POSTED']),
      categories: query.has('secondary_category') ? new Set(query.getAll('secondary_category')) : null,
    };
    const after = pageAfter(query);
    const size = pageSize(query);
    const found = this.#shared.of(requiredQuery(query, 'end_user_id'), 'transactions');
    const sources = found
      .filter(({ account }) => accountId === null || account.accountId === accountId)
      .flatMap((entry) => this.#sources(entry, request));
    if (faults.includes('empty-page')) {
      return page([], nextLink(baseUrl, request.path, query, after));
    }
    const result = pageRows(sources, after, size, filter);
    const repeat = faults.includes('duplicate-row') && result.lastButOne !== null;
    const last = repeat ? result.lastButOne : result.last;
    const endless = faults.includes('endless-pages');
    const next =
      result.more || endless ? nextLink(baseUrl, request.path, query, endless ? after : last) : null;
    return page(spoil(result.rows, faults), next);
  }

  /** `POST /v1/banking/transactions/category` */
  correct(request: VendorRequest): Reply {
    checkQuery(request.query, []);
    const body = jsonBody(request, ['fiskil_transaction_id', 'secondary_category']);
    const id = requiredString(body, 'fiskil_transaction_id');
    const secondary = requiredString(body, 'secondary_category');
    if (primaryOf(secondary) === null)
      throw badRequest('invalid_enum_value', 'body.secondary_category is not a known category');
    const now = this.#now();
    const corrected = this.#bank
      .accounts()
      .some(
        (account) =>
          account.computed?.correctCategory(id, secondary) ||
          account.book.correctCategory(id, secondary, now),
      );
    if (!corrected) throw notFound('transaction_not_found', 'transaction not found');
    return json(200, { fiskil_transaction_id: id, secondary_category: secondary });
  }

  #sources({ consent, account }: SharedAccount, request: VendorRequest): readonly RowSource[] {
    const key = `${account.accountId}/${consent.arrangementId}`;
    const frame = {
      arrangementId: consent.arrangementId,
      institutionId: account.institutionId,
      version: request.version,
    };
    const book = bookSource(`${key}/0`, account.accountId, account.book.at(this.#now()), frame);
    const computed = account.computed?.source(`${key}/1`, account.accountId, account.currency, frame);
    const floor = this.#shared.historyFrom(consent);
    return [book, ...(computed ? [computed] : [])].map((source) =>
      floor === null ? source : since(source, floor),
    );
  }
}

/** The part of a source that the first sync has reached; undated rows count as recent. */
function since(source: RowSource, floor: number): RowSource {
  return {
    key: source.key,
    open(after, filter) {
      const stream = source.open(after, filter);
      return {
        get time() {
          return stream.time !== null && stream.time >= floor ? stream.time : null;
        },
        get position() {
          return stream.position;
        },
        json: () => stream.json(),
        advance: () => stream.advance(),
      };
    },
  };
}

function instant(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  const moment = parseMoment(given);
  if (!moment) throw badRequest('invalid_format', `${name} must be in RFC3339 format`);
  return moment.at;
}

/** Assembled as text: parsing and serialising a thousand rows again would cost more than creating them. */
function page(rows: readonly string[], next: string | null): Reply {
  const links = next === null ? '{}' : `{"next":${JSON.stringify(next)}}`;
  return reply(200, `{"transactions":[${rows.join(',')}],"links":${links}}`);
}

function spoil(rows: readonly string[], faults: readonly RowFault[]): readonly string[] {
  const first = rows[0];
  if (first === undefined) return rows;
  if (faults.includes('foreign-row'))
    return [
      ...rows,
      altered(first, { account_id: 'account-of-someone-else', fiskil_id: `bank_tx_${'f'.repeat(64)}` }),
    ];
  if (faults.includes('row-without-id')) return [altered(first, { fiskil_id: undefined }), ...rows.slice(1)];
  return rows;
}

function altered(row: string, change: Record<string, unknown>): string {
  const parsed: unknown = JSON.parse(row);
  return JSON.stringify(isRecord(parsed) ? { ...parsed, ...change } : parsed);
}

import { type KeyObject, verify } from 'node:crypto';
import { CallQuota } from '../shared/call-quota.ts';
import type { RowFault } from '../shared/faults.ts';
import { isRecord, type JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { jsonBody, requiredString, type SimulatedRequest } from '../shared/request.ts';
import { balancesJson, rowJson } from './accounts.ts';
import type { Banks } from './banks.ts';
import { coded } from './errors.ts';
import { checkPeriod, quirkyRow, unrealRows } from './quirks.ts';
import type { Session, Sessions, SharedAccount } from './sessions.ts';

const PAGE_ROWS = 100;
const DAY_MS = 86_400_000;
/** Reads a day that banks have to answer while the person is away (Delegated Regulation (EU) 2018/389, article 36). */
const FOUR = 4;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CURSOR = /^page-(\d{1,9})$/;
/** Clocks may differ by so much. */
const LEEWAY_S = 60;
const LONGEST_TOKEN_S = 86_400;

/** The only application that the simulator knows. */
export type Application = { readonly id: string; readonly publicKey: KeyObject };

/** The vendor's API. */
export class Api {
  readonly #application: Application;
  readonly #banks: Banks;
  readonly #sessions: Sessions;
  readonly #pagesUrl: () => string;
  readonly #now: () => number;
  #quota: CallQuota | null = null;
  readonly #four: CallQuota;
  #reads = 0;

  constructor(
    application: Application,
    parts: { readonly banks: Banks; readonly sessions: Sessions },
    pagesUrl: () => string,
    now: () => number,
  ) {
    this.#application = application;
    this.#banks = parts.banks;
    this.#sessions = parts.sessions;
    this.#pagesUrl = pagesUrl;
    this.#now = now;
    this.#four = new CallQuota(now, FOUR, DAY_MS);
  }

  /** How often banks answer in a day about one account while the person is away; null for any number of times. */
  set unattended(amount: number | null) {
    this.#quota = amount === null ? null : new CallQuota(this.#now, amount, DAY_MS);
  }

  /** Refuses calls without a token of the application (RFC 7519). */
  authorize({ headers }: SimulatedRequest): void {
    const [, head = '', body = '', signature = ''] =
      /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    const header = decoded(head);
    const claims = decoded(body);
    const now = this.#now() / 1000;
    const [issued, ends] = [Number(claims.iat), Number(claims.exp)];
    const good =
      header.alg === 'RS256' &&
      header.kid === this.#application.id &&
      claims.iss === 'enablebanking.com' &&
      claims.aud === 'api.enablebanking.com' &&
      issued <= now + LEEWAY_S &&
      ends > now - LEEWAY_S &&
      ends - issued <= LONGEST_TOKEN_S &&
      verify(
        'sha256',
        Buffer.from(`${head}.${body}`),
        this.#application.publicKey,
        Buffer.from(signature, 'base64url'),
      );
    if (!good) throw coded(401, 'UNAUTHORIZED_ACCESS', 'Unauthorized access');
  }

  /** `GET /application` */
  application(): Reply {
    return json(200, {
      name: 'Sandbox',
      kid: this.#application.id,
      environment: 'PRODUCTION',
      redirect_urls: [],
      active: true,
      countries: this.#banks.countries,
      services: ['AIS'],
    });
  }

  /** `GET /aspsps` */
  aspsps({ query }: SimulatedRequest): Reply {
    return json(200, { aspsps: this.#banks.list(query.get('country'), query.get('psu_type')) });
  }

  /** `POST /auth` */
  auth(request: SimulatedRequest): Reply {
    const body = jsonBody(request, ['access', 'aspsp', 'state', 'redirect_url', 'psu_type', 'auth_method']);
    const { access, aspsp } = body;
    const bankId = isRecord(aspsp) ? `${String(aspsp.country)}:${String(aspsp.name)}` : '';
    const bank = this.#banks.get(bankId);
    if (bank === null) throw coded(422, 'WRONG_ASPSP_PROVIDED', 'Wrong ASPSP name provided');
    const validUntil = Date.parse(isRecord(access) ? String(access.valid_until) : '');
    if (!(validUntil <= this.#now() + bank.days * DAY_MS))
      throw coded(
        422,
        'WRONG_REQUEST_PARAMETERS',
        `ASPSP does not support consent validity more than ${bank.days * 86_400} seconds in the future`,
      );
    const psuType = requiredString(body, 'psu_type');
    if (!bank.types.includes(psuType))
      throw coded(422, 'WRONG_REQUEST_PARAMETERS', 'Wrong request parameters provided');
    const named = body.auth_method ?? null;
    const own = bank.methods.filter((method) => method.psuType === psuType);
    const method = own.find(({ name, hidden }) => (named === null ? !hidden : name === named));
    if (method === undefined)
      throw coded(422, 'WRONG_REQUEST_PARAMETERS', 'Wrong request parameters provided', 'auth_method');
    const redirectUrl = requiredString(body, 'redirect_url');
    if (!URL.canParse(redirectUrl)) throw coded(422, 'REDIRECT_URI_NOT_ALLOWED', 'Redirect URI not allowed');
    const state = requiredString(body, 'state');
    const visit = this.#sessions.begin({
      bank,
      redirectUrl,
      state,
      psuType,
      method: method.name,
      validUntil,
    });
    return json(200, {
      url: `${this.#pagesUrl()}/welcome?sessionid=${visit.id}`,
      authorization_id: visit.id,
      psu_id_hash: visit.id,
    });
  }

  /** `POST /sessions` */
  open(request: SimulatedRequest): Reply {
    const body = jsonBody(request, ['code']);
    return json(200, this.#sessions.json(this.#sessions.redeem(requiredString(body, 'code'))));
  }

  /** `GET /sessions/{id}` */
  session({ params }: SimulatedRequest): Reply {
    return json(200, this.#sessions.statusJson(this.#session(params.id)));
  }

  /** `DELETE /sessions/{id}` */
  close({ params }: SimulatedRequest): Reply {
    const session = this.#session(params.id);
    const status = this.#sessions.statusOf(session);
    if (status !== 'AUTHORIZED') throw coded(401, `${status}_SESSION`, `Session is ${status.toLowerCase()}`);
    session.status = 'CLOSED';
    return json(200, { message: 'OK' });
  }

  /** `GET /accounts/{uid}/balances` */
  balances(request: SimulatedRequest): Reply {
    const { account } = this.#read(request, 'balances');
    if (account.bank.quirks.has('no_balances'))
      throw coded(400, 'ASPSP_ERROR', 'Error interacting with ASPSP');
    return json(200, { balances: balancesJson(account, this.#now()) });
  }

  /** `GET /accounts/{uid}/transactions` */
  transactions(request: SimulatedRequest): Reply {
    const { query, rowFaults } = request;
    const place = placeIn(query.get('continuation_key'), rowFaults);
    const shared = place === null ? this.#read(request, 'transactions') : this.#of(request);
    const from = dayIn(query, 'date_from');
    const to = dayIn(query, 'date_to');
    if (from === null && to !== null)
      throw coded(422, 'DATE_TO_WITHOUT_DATE_FROM', 'date_from must be provided if date_to provided');
    if (from !== null && Date.parse(from) > this.#now())
      throw coded(422, 'DATE_FROM_IN_FUTURE', 'date_from can not be in the future');
    const { quirks } = shared.account.bank;
    checkPeriod(from, quirks, { now: this.#now(), signedInAt: shared.session.created });
    if (rowFaults.includes('empty-page')) return pageOf([], place ?? 0);
    if (place === null) this.#reads += 1;
    // A bank with an empty page in front counts it as its first.
    const lead = quirks.has('empty_pages') ? 1 : 0;
    if (place === null && lead === 1) return pageOf([], 1);
    const first = ((place ?? 0) - lead) * PAGE_ROWS;
    const { rows, hasMore } = this.#rows(shared, { from, to, first });
    const next = rowFaults.includes('endless-pages') ? (place ?? 0) : hasMore ? (place ?? 0) + 1 : null;
    return pageOf(spoiled(rows, rowFaults), next);
  }

  /** Pending rows come first, on the first page. */
  #rows(
    { account }: SharedAccount,
    { from, to, first }: { readonly from: string | null; readonly to: string | null; readonly first: number },
  ): { readonly rows: readonly JsonObject[]; readonly hasMore: boolean } {
    const now = this.#now();
    const { quirks } = account.bank;
    const booked = account.bookedAt(now);
    const begin = firstIndex(booked.length, (index) => to === null || booked.row(index).day <= to);
    const end = firstIndex(booked.length, (index) => from !== null && booked.row(index).day < from);
    const overlap = quirks.has('repeated_rows') && first > 0 ? 1 : 0;
    const start = begin + first - overlap;
    const stop = Math.min(end, begin + first + PAGE_ROWS);
    const rows: JsonObject[] = [];
    if (first === 0) for (const row of account.pendingAt(now)) rows.push(rowJson(account, row, 'PDNG'));
    for (let index = start; index < stop; index++) rows.push(rowJson(account, booked.row(index), 'BOOK'));
    const of = { reads: this.#reads, today: new Date(now).toISOString().slice(0, 10) };
    const listed = unrealRows(rows, quirks).map((row) => quirkyRow(row, quirks, of));
    return { rows: listed, hasMore: stop < end };
  }

  #session(id = ''): Session {
    const session = this.#sessions.find(id);
    if (session === null) throw coded(404, 'SESSION_DOES_NOT_EXIST', 'No session found matching provided id');
    return session;
  }

  #of({ params }: SimulatedRequest): SharedAccount {
    const shared = this.#sessions.readable(params.id ?? '');
    if (shared.account.bank.outage) throw coded(400, 'ASPSP_ERROR', 'Error interacting with ASPSP');
    return shared;
  }

  /** A read of the bank; later pages are part of the first. */
  #read(request: SimulatedRequest, what: string): SharedAccount {
    const shared = this.#of(request);
    const present = request.headers['psu-ip-address'] !== undefined;
    if (present && shared.account.bank.quirks.has('no_person'))
      throw coded(422, 'PSU_HEADER_INVALID', 'Provided PSU header contains invalid value');
    const quota = this.#quota ?? (shared.account.bank.quirks.has('four_reads') ? this.#four : null);
    const wait = present ? null : (quota?.take(`${shared.account.scope} ${what}`) ?? null);
    if (wait !== null)
      throw coded(
        429,
        'ASPSP_RATE_LIMIT_EXCEEDED',
        'ASPSP Rate limit exceeded',
        'Daily PSU not present consultation limit has been exceeded',
      );
    return shared;
  }
}

function decoded(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function dayIn(query: URLSearchParams, name: string): string | null {
  const sent = query.get(name);
  if (sent === null || DAY.test(sent)) return sent;
  throw coded(422, 'WRONG_REQUEST_PARAMETERS', 'Wrong request parameters provided', `${name} must be a day`);
}

/** The page of a key; null for the first. */
function placeIn(key: string | null, faults: readonly RowFault[]): number | null {
  if (key === null) return null;
  const page = CURSOR.exec(key)?.[1];
  if (page === undefined || faults.includes('stale-cursor'))
    throw coded(422, 'WRONG_CONTINUATION_KEY', 'Wrong continuation key provided');
  return Number(page);
}

function pageOf(transactions: readonly JsonObject[], next: number | null): Reply {
  return json(200, { transactions, continuation_key: next === null ? null : `page-${next}` });
}

/** The rows of a page with the armed faults applied. */
function spoiled(rows: readonly JsonObject[], faults: readonly RowFault[]): readonly JsonObject[] {
  const [first, ...others] = rows;
  if (first === undefined) return rows;
  if (faults.includes('duplicate-row')) return [first, ...rows];
  if (faults.includes('row-without-id')) return [{ ...first, entry_reference: null }, ...others];
  return rows;
}

/** First index in [0, length) for which `test` holds, given that it holds from some index on. */
function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

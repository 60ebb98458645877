import type { BankWire } from './bank-wire.ts';
import type { Json, JsonObject } from './json.ts';
import { isObject, memberAt, textAt, withMembers } from './members.ts';
import { type ArmedMisbehaviour, MISBEHAVIOURS } from './misbehaviour-kinds.ts';
import type { Misbehaviours } from './misbehaviours.ts';
import { json, NO_CONTENT, type Reply } from './reply.ts';
import type { SimulatedRequest } from './request.ts';
import { misbehavedRows, momentOf, type RowContext, type WireRow } from './row-misbehaviours.ts';
import type { ShownRow, StatementRow } from './statement.ts';
import { VendorError } from './vendor-error.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Suffix of the id of an account that was given a new one. */
const RENUMBERED = '-renumbered';
const MOST_PAGES = 10_000;

type Handle = (request: SimulatedRequest) => Reply;

/**
 * Answers a request of a bank whose data misbehaves, or whose statements were dictated. The bank is asked for the whole
 * list, which is changed and only then filtered and paginated, so that pages are consistent.
 */
export function answerMisbehaving(
  wire: BankWire,
  state: Misbehaviours,
  now: number,
  request: SimulatedRequest,
  handle: Handle,
): Reply {
  if (state.idle) return handle(request);
  const oldId = (given: string): string => given.replace(RENUMBERED, '');
  const renumbered = state.list().some(({ name }) => name === 'account_renumbered');
  const asked = renumbered
    ? { ...request, params: mapValues(request.params, oldId), query: mapQuery(request.query, oldId) }
    : request;
  const list = wire.asked(asked);
  if (list === null) return handle(asked);
  const spoilt = answerFault(state, now, handle, asked);
  if (spoilt !== null) return spoilt;
  if (list.list === 'accounts') return accountsAnswer(wire, state, asked, handle);
  return rowsAnswer(wire, state, now, { ...list, request: asked }, handle);
}

/** What a bank shows of the accounts whose statements were dictated, with what is wrong with it now. */
export function shownRows(
  wire: BankWire,
  state: Misbehaviours,
  now: number,
): Record<string, readonly ShownRow[]> {
  const context = { members: wire.rows, seed: state.seed, now, reads: state.reads };
  return Object.fromEntries(
    [...state.statements()].map(([account, rows]) => {
      const wireRows = dictated(wire, account, rows);
      const shown = misbehavedRows(wireRows, state.of(account), context);
      return [account, shown.filter(({ broken }) => broken === undefined).map((row) => shownRow(row, wire))];
    }),
  );
}

function shownRow(row: WireRow, { rows, offsetHours }: BankWire): ShownRow {
  const at = momentOf(row, rows);
  const { json: written, pending } = row;
  return {
    id: textAt(written, rows.id) || null,
    day: Number.isFinite(at) ? new Date(at + offsetHours * HOUR_MS).toISOString().slice(0, 10) : null,
    amount: textAt(written, rows.amount) || null,
    description: textAt(written, rows.description) || null,
    status: pending ? 'pending' : 'posted',
  };
}

function answerFault(
  state: Misbehaviours,
  now: number,
  handle: Handle,
  request: SimulatedRequest,
): Reply | null {
  for (const { name, days = 1 } of state.list()) {
    if (name === 'no_content') return handle(request).status < 300 ? NO_CONTENT : null;
    if (name === 'empty_object') return json(200, {});
    if (name === 'retry_after_date')
      throw new VendorError(429, 'too_many_requests', 'too many requests', {
        'retry-after': new Date(now + days * DAY_MS).toUTCString(),
      });
  }
  return null;
}

function accountsAnswer(
  wire: BankWire,
  state: Misbehaviours,
  request: SimulatedRequest,
  handle: Handle,
): Reply {
  const answer = handle(request);
  const body: unknown = answer.status === 200 ? JSON.parse(answer.body) : null;
  if (!isJson(body)) return answer;
  const items = isList(body) ? body : isObject(body) ? wire.items(body) : [];
  const changed = items.flatMap((item) => (isObject(item) ? changedAccount(wire, state, item) : item));
  const page = { begin: 0, next: null, total: changed.length, address: request.path };
  const whole = isObject(body) ? body : {};
  return { ...answer, body: JSON.stringify(wire.answer(whole, changed, page, request.query)) };
}

function changedAccount(wire: BankWire, state: Misbehaviours, account: JsonObject): readonly Json[] {
  const { id, currency, balance } = wire.accounts;
  const own = textAt(account, id);
  const text = ({ value }: ArmedMisbehaviour, standard: string): string =>
    typeof value === 'string' ? value : standard;
  return state.of(own).reduce<readonly JsonObject[]>(
    (all, fault) =>
      all.flatMap((one) => {
        if (fault.name === 'account_missing' || fault.name === 'accounts_empty') return [];
        if (fault.name === 'account_twice') return [one, one];
        if (fault.name === 'account_renumbered')
          return [withMembers(one, id, (old) => `${old}${RENUMBERED}`)];
        if (fault.name === 'account_currency_changed')
          return [withMembers(one, currency, () => text(fault, 'USD'))];
        if (fault.name === 'balance_in_token') return [withMembers(one, currency, () => text(fault, 'USDT'))];
        if (fault.name === 'positive_debt') return [withMembers(one, balance, negated)];
        return [one];
      }),
    [account],
  );
}

function negated(value: Json): Json {
  if (typeof value === 'number') return -value;
  if (typeof value !== 'string') return value;
  return value.startsWith('-') ? value.slice(1) : `-${value}`;
}

type RowsAsked = {
  readonly account: string | null;
  readonly pending: 'with' | 'only' | 'without';
  readonly request: SimulatedRequest;
};

function rowsAnswer(
  wire: BankWire,
  state: Misbehaviours,
  now: number,
  asked: RowsAsked,
  handle: Handle,
): Reply {
  const { request } = asked;
  const begin = wire.begin(request.query);
  const { reply, whole, rows: real } = everything(wire, request, handle);
  if (whole === null) return reply;
  const reads = begin === 0 ? state.read() : state.reads;
  const context = { members: wire.rows, seed: state.seed, now, reads };
  const rows = changedRows(wire, state, asked, real, context);
  const paging = state.list().filter(({ name }) => MISBEHAVIOURS[name].of === 'pages');
  const names = new Set(paging.map(({ name }) => name));
  if (names.has('cursor_expires') && begin > 0) {
    const { status, code, message } = wire.staleCursor;
    throw new VendorError(status, code, message);
  }
  const size = wire.pageSize(request.query);
  const wanted = rows
    .filter((row) => wire.wants(request.query, { moment: momentOf(row, wire.rows), pending: row.pending }))
    .map(({ json: written, broken }) => broken ?? written);
  const [first] = wanted;
  const list = names.has('rows_shift') && begin > 0 && first !== undefined ? [first, ...wanted] : wanted;
  const place = names.has('repeated_page') ? 0 : names.has('duplicated_pages') ? begin >> 1 : begin;
  const items = list.slice(place, place + size);
  const page = {
    begin,
    next: nextOf(names, { begin, place, size, total: list.length }),
    total: list.length,
    address: `http://${request.headers.host ?? 'localhost'}${request.path}`,
  };
  return { ...reply, body: JSON.stringify(wire.answer(whole, items, page, request.query)) };
}

function nextOf(
  names: ReadonlySet<string>,
  { begin, place, size, total }: Record<'begin' | 'place' | 'size' | 'total', number>,
): number | null {
  if (names.has('repeated_page')) return begin + size;
  // Positions are doubled if pages come twice: the lowest bit says whether it is the second time.
  if (names.has('duplicated_pages')) {
    if ((begin & 1) === 0) return begin + 1;
    return place + size < total ? (place + size) << 1 : null;
  }
  const end = place + size;
  if (end >= total) return null;
  return names.has('overlapping_pages') && size > 1 ? end - 1 : end;
}

/** Every row that the bank has, read by its own pages. */
function everything(
  wire: BankWire,
  request: SimulatedRequest,
  handle: Handle,
): { readonly reply: Reply; readonly whole: JsonObject | null; readonly rows: readonly JsonObject[] } {
  const rows: JsonObject[] = [];
  let query: URLSearchParams | null = wire.everything(request.query);
  let reply = handle({ ...request, query, rowFaults: [] });
  let whole: JsonObject | null = null;
  for (let pages = 1; reply.status === 200; pages++) {
    const body: unknown = JSON.parse(reply.body);
    if (!isObject(body)) break;
    whole ??= body;
    const items = wire.items(body);
    for (const item of items) if (isObject(item)) rows.push(item);
    query = query === null ? null : wire.next(body, query, items.length);
    if (query === null || pages === MOST_PAGES) break;
    reply = handle({ ...request, query, rowFaults: [] });
  }
  return { reply, whole, rows };
}

function changedRows(
  wire: BankWire,
  state: Misbehaviours,
  { account, pending }: RowsAsked,
  real: readonly JsonObject[],
  context: RowContext,
): readonly WireRow[] {
  const byAccount = new Map<string, WireRow[]>();
  const { rows: members } = wire;
  for (const row of real) {
    const of = account ?? textAt(row, members.account);
    const isPending =
      members.status === null
        ? pending === 'only'
        : memberAt(row, members.status.path) === members.status.pending;
    byAccount.set(of, [...(byAccount.get(of) ?? []), { json: row, pending: isPending }]);
  }
  for (const [of, rows] of state.statements())
    if (account === null ? byAccount.has(of) : account === of)
      byAccount.set(
        of,
        dictated(wire, of, rows).filter(
          (row) => members.status !== null || row.pending === (pending === 'only'),
        ),
      );
  const changed = [...byAccount].flatMap(([of, rows]) => {
    const faults = state.of(of);
    const misbehaved = misbehavedRows(rows, faults, context);
    if (!faults.some(({ name }) => name === 'account_renumbered')) return misbehaved;
    return misbehaved.map((row) => ({
      ...row,
      json: withMembers(row.json, members.account, (old) => `${old}${RENUMBERED}`),
    }));
  });
  return changed.toSorted((a, b) => momentOf(b, members) - momentOf(a, members) || 0);
}

function dictated(wire: BankWire, account: string, rows: readonly StatementRow[]): WireRow[] {
  return rows
    .map((row) => ({ json: wire.row(row, account), pending: row.status === 'pending' }))
    .toSorted((a, b) => momentOf(b, wire.rows) - momentOf(a, wire.rows));
}

function mapValues(
  values: Readonly<Record<string, string>>,
  map: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

function mapQuery(query: URLSearchParams, map: (value: string) => string): URLSearchParams {
  const mapped = new URLSearchParams();
  for (const [name, value] of query) mapped.append(name, map(value));
  return mapped;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

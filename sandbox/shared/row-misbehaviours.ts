import { sumDecimals } from './decimal.ts';
import type { Json, JsonObject } from './json.ts';
import { memberAt, type RowMembers, textAt, withMember, withMembers } from './members.ts';
import { type ArmedMisbehaviour, MISBEHAVIOURS, type MisbehaviourName } from './misbehaviour-kinds.ts';
import { digest, seedOf } from './random.ts';

const DAY_MS = 86_400_000;

/** A row as the vendor writes it; one that is no longer an object has passed `row_not_an_object`. */
export type WireRow = { readonly json: JsonObject; readonly pending: boolean; readonly broken?: Json };

/** What a change depends on in addition to the rows. */
export type RowContext = {
  readonly members: RowMembers;
  readonly seed: number;
  /** Sandbox time, epoch ms. */
  readonly now: number;
  /** How often the first page was read. */
  readonly reads: number;
};

type Change = (row: WireRow, fault: ArmedMisbehaviour, context: RowContext) => WireRow | readonly WireRow[];
type ListChange = (
  rows: readonly WireRow[],
  chosen: ReadonlySet<WireRow>,
  fault: ArmedMisbehaviour,
  context: RowContext,
) => readonly WireRow[];

/**
 * The rows of one account with what is wrong with them, in the order in which the misbehaviours were set. The same
 * rows, seed and time give the same answer.
 */
export function misbehavedRows(
  rows: readonly WireRow[],
  faults: readonly ArmedMisbehaviour[],
  context: RowContext,
): readonly WireRow[] {
  return faults.reduce<readonly WireRow[]>((all, fault) => {
    const chosen = new Set(choose(all, fault, context));
    const list = LIST_CHANGES[fault.name];
    if (list !== undefined) return list(all, chosen, fault, context);
    const change = ROW_CHANGES[fault.name];
    if (change === undefined) return all;
    return all.flatMap((row) => (chosen.has(row) ? change(row, fault, context) : row));
  }, rows);
}

/** Epoch ms of the time that orders a row; `-Infinity` if it has none. */
export function momentOf({ json }: WireRow, members: RowMembers): number {
  for (const path of members.moments) {
    const at = Date.parse(String(memberAt(json, path) ?? ''));
    if (!Number.isNaN(at)) return at;
  }
  return Number.NEGATIVE_INFINITY;
}

function choose(
  rows: readonly WireRow[],
  { name, count, every = 1, since }: ArmedMisbehaviour,
  { members, seed }: RowContext,
): readonly WireRow[] {
  const wanted = rows.filter(({ pending, json, broken }) => {
    if (broken !== undefined) return false;
    const ofPending = MISBEHAVIOURS[name].of === 'pending' && name !== 'pending_never_settles';
    if (ofPending ? !pending : pending && count !== undefined) return false;
    return every === 1 || seedOf(seed, name, textAt(json, members.id)) % every === 0;
  });
  if (count === undefined || name === 'back_dated_history') return wanted;
  // Later rows do not change the choice.
  return wanted
    .filter((row) => momentOf(row, members) <= since)
    .toSorted((a, b) => momentOf(b, members) - momentOf(a, members))
    .slice(0, count);
}

/** An id that looks like the one it replaces. */
function idLike(old: string, ...parts: readonly (string | number)[]): string {
  const hex = digest(...parts);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(old);
  if (uuid)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const prefix = /^[a-z_]+_/.exec(old)?.[0] ?? '';
  return `${prefix}${hex.slice(0, Math.max(20, old.length - prefix.length))}`;
}

function withId(row: WireRow, members: RowMembers, id: (old: string) => string): WireRow {
  return { ...row, json: withMembers(row.json, members.id, (old) => id(String(old))) };
}

const renamed = (row: WireRow, { members }: RowContext, ...parts: readonly (string | number)[]): WireRow =>
  withId(row, members, (old) => idLike(old, old, ...parts));

/** The amount as the vendor writes decimals. */
function withAmount(row: WireRow, members: RowMembers, amount: string): WireRow {
  const written: Json = members.amountAs === 'text' ? amount : Number(amount);
  const json = withMembers(row.json, members.amount, () => written);
  const cents = Math.round(Number(amount) * 100);
  return { ...row, json: withMembers(json, members.cents, () => cents) };
}

const amountOf = ({ json }: WireRow, members: RowMembers): string => textAt(json, members.amount);
const scaled = (amount: string, factor: number): string =>
  (Math.round(Number(amount) * 100 * factor) / 100).toFixed(2);

/** The same time some days later, in the same format. */
function later(value: Json, days: number): Json {
  const text = String(value);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return value;
  const moved = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + days * DAY_MS).toISOString();
  return `${moved.slice(0, 10)}${text.slice(10)}`;
}

function dated(row: WireRow, { members }: RowContext, days: number): WireRow {
  return { ...row, json: withMembers(row.json, members.moments, (old) => later(old, days)) };
}

const set =
  (
    which: Exclude<keyof RowMembers, 'amountAs' | 'status'>,
    value: (old: Json, fault: ArmedMisbehaviour) => Json | undefined,
  ): Change =>
  (row, fault, { members }) => ({
    ...row,
    json: withMembers(row.json, members[which], (old) => value(old, fault)),
  });

/** What a fault writes: its own value, if it has one. */
const given = ({ value }: ArmedMisbehaviour, standard: Json): Json =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : standard;

const halves = (amount: string): readonly [string, string] => {
  const cents = Math.round(Number(amount) * 100);
  const first = Math.trunc(cents / 2);
  return [(first / 100).toFixed(2), ((cents - first) / 100).toFixed(2)];
};

function trade(row: WireRow, members: RowMembers, type: string, amount: Json): WireRow {
  const typed = withMembers(row.json, members.type, () => type);
  const json = { ...typed, units: 2, price: 10.5 };
  return { ...row, json: withMembers(json, members.amount, () => amount) };
}

const ROW_CHANGES: Partial<Record<MisbehaviourName, Change>> = {
  reissued_ids: (row, { since }, context) => renamed(row, context, 'reissued', since),
  ids_per_session: (row, _, context) => renamed(row, context, 'session', context.reads),
  row_without_id: set('id', () => undefined),
  row_not_an_object: (row) => ({ ...row, broken: 'ROW' }),
  repeated_row: (row) => [row, row],
  equal_rows: (row, _, context) => [row, renamed(row, context, 'equal')],
  amount_with_separator: set('amount', (_, fault) => given(fault, '1,234.56')),
  amount_missing: set('amount', () => undefined),
  amount_as_float: set('amount', (old) => Number(old)),
  amount_exponent: (row, _, { members }) => ({
    ...withAmount(row, members, '100'),
    json: withMembers(withAmount(row, members, '100').json, members.amount, () => '1e2'),
  }),
  amount_more_decimals: set('amount', (old) =>
    typeof old === 'number' ? Number(`${old.toFixed(2)}01`) : `${old}01`,
  ),
  amount_zero: (row, _, { members }) => withAmount(row, members, '0.00'),
  amount_changed: (row, _, { members }) => withAmount(row, members, scaled(amountOf(row, members), 1.2)),
  sign_flipped: (row, _, { members }) => withAmount(row, members, scaled(amountOf(row, members), -1)),
  currency_changed: set('currency', (_, fault) => given(fault, 'USD')),
  currency_missing: set('currency', () => undefined),
  currency_lower_case: set('currency', (old) => String(old).toLowerCase()),
  unknown_status: (row, fault, { members: { status } }) =>
    status === null ? row : { ...row, json: withMember(row.json, status.path, given(fault, 'REVERSED')) },
  unknown_type: set('type', () => 'SOMETHING_NEW'),
  description_changed: set('description', (old) => `VISA PURCHASE ${old}`),
  description_long: set('description', (old) => `${old} `.repeat(10_000).slice(0, 10_000)),
  description_control_characters: set('description', (old) => `\t${old}\r\n\u001b[31m\u0007`),
  description_nul: set('description', (old) => `${old}\u0000END`),
  description_lone_surrogate: set('description', (old) => `${old} \ud83d`),
  category_changed: set('category', (_, fault) => given(fault, 'ENTERTAINMENT')),
  day_corrected: (row, { days = 1 }, context) => dated(row, context, days),
  moment_unreadable: (row, fault, { members: { optionalMoment } }) => ({
    ...row,
    json: optionalMoment.reduce(
      (json, path) => withMember(json, path, given(fault, '9999-12-31T23:59:59Z')),
      row.json,
    ),
  }),
  moment_without_zone: set('moments', (old) =>
    typeof old === 'string' ? old.replace(/(?:Z|[+-]\d{2}:\d{2})$/, '') : old,
  ),
  dated_in_future: (row, { days = 30 }, { members, now }) => {
    const future = new Date(now + days * DAY_MS).toISOString();
    return { ...row, json: withMembers(row.json, members.moments, (old) => (old === null ? null : future)) };
  },
  dated_before_opening: set('moments', (old) => (old === null ? null : '1970-01-01T00:00:00Z')),
  rows_vanish: (row, { days, since }, { now }) =>
    days !== undefined && now >= since + days * DAY_MS ? row : [],
  late_history: (row, { days = 30 }, { members, now }) =>
    momentOf(row, members) < now - days * DAY_MS ? [] : row,
  reversed_rows: (row, _, context) => {
    const back = renamed(row, context, 'reversal');
    return [row, withAmount(back, context.members, scaled(amountOf(row, context.members), -1))];
  },
  split_rows: (row, _, context) => {
    const { members } = context;
    const [first, second] = halves(amountOf(row, members));
    return [
      withAmount(renamed(row, context, 'half', 1), members, first),
      withAmount(renamed(row, context, 'half', 2), members, second),
    ];
  },
  no_rows: () => [],
  sell_without_amount: (row, _, { members }) => trade(row, members, 'SELL', null),
  buy_with_zero_amount: (row, _, { members }) => trade(row, members, 'BUY', 0),
  pending_other_id: (row, _, context) => renamed(row, context, 'pending'),
  pending_other_amount: (row, _, { members }) =>
    withAmount(row, members, scaled(amountOf(row, members), 0.8)),
  pending_other_day: (row, { days = 2 }, context) => dated(row, context, -days),
  pending_vanishes: () => [],
  pending_never_settles: (row, _, { members: { status } }) => ({
    pending: true,
    json: status === null ? row.json : withMember(row.json, status.path, status.pending),
  }),
  hold_expires: (row, { days = 7 }, { members, now }) =>
    momentOf(row, members) < now - days * DAY_MS ? [] : row,
};

const LIST_CHANGES: Partial<Record<MisbehaviourName, ListChange>> = {
  shared_row_id: (rows, chosen, _, { members }) => {
    let place = 0;
    return rows.map((row) => {
      if (!chosen.has(row)) return row;
      const shared = place++;
      return withId(row, members, (old) => idLike(old, 'shared', shared));
    });
  },
  two_rows_one_id: (rows, chosen, _, { members }) => {
    let lent = false;
    return rows.map((row, index) => {
      const next = rows[index + 1];
      lent = !lent && next !== undefined && chosen.has(row);
      if (!lent || next === undefined) return row;
      const json = members.id.reduce(
        (all, path) => withMember(all, path, memberAt(next.json, path)),
        row.json,
      );
      return { ...row, json };
    });
  },
  back_dated_history: (rows, _chosen, { count = 1, days = 20, since }, context) => {
    const [first] = rows.filter(({ pending }) => !pending);
    if (first === undefined) return rows;
    const back = Math.round((momentOf(first, context.members) - since) / DAY_MS) + days;
    const more = Array.from({ length: count }, (_, index) => {
      const old = dated(renamed(first, context, 'back-dated', index, since), context, -back);
      return withAmount(old, context.members, (-(index + 1) * 1.11).toFixed(2));
    });
    return [...rows, ...more];
  },
  merged_rows: (rows, chosen, _, context) => {
    const { members } = context;
    const merged: WireRow[] = [];
    for (let index = 0; index < rows.length; index++) {
      const [row, next] = [rows[index], rows[index + 1]];
      if (row === undefined) continue;
      if (next === undefined || !chosen.has(row) || row.pending || next.pending) merged.push(row);
      else {
        const sum = sumDecimals([amountOf(row, members), amountOf(next, members)]);
        merged.push(withAmount(renamed(row, context, 'merged'), members, sum));
        index++;
      }
    }
    return merged;
  },
};

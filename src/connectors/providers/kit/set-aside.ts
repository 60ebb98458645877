import { hash } from 'node:crypto';
import { signByLimit } from '../../../vocabulary/balance-signs.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import { currencyCode, isDecimal, type Money, moneyFromDecimal } from '../../../vocabulary/money.ts';
import {
  BALANCE_FIELDS,
  type BalanceField,
  SET_ASIDE_FIELDS,
  type SetAside,
  type SetAsideField,
  type SetAsideReason,
  type UnreadableBalance,
} from '../../../vocabulary/set-aside-rows.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { PositiveBalance, ProviderBalance } from '../provider-contract.ts';
import { malformed, text, type WireObject } from './json.ts';

type Field = SetAsideField | BalanceField;

const WORDS: Readonly<Record<SetAsideReason, string>> = {
  missing: 'is missing',
  unreadable: 'cannot be read exactly',
  out_of_range: 'is out of range',
  too_long: 'is too long',
  contradictory: 'is stated twice, differently',
  other_account: 'is not the one that was asked for',
};

/** The only error that mappers raise: a member without which a row or a balance is not usable. */
export class UnusableMember extends UpstreamFailure {
  readonly field: Field;
  readonly reason: SetAsideReason;

  constructor(field: Field, reason: SetAsideReason, options: { cause?: unknown } = {}) {
    super('malformed', `The answer could not be used: the ${field} of a row ${WORDS[reason]}.`, options);
    this.field = field;
    this.reason = reason;
  }
}

/** What is known about a row apart from its map. Both are null if they cannot be read. */
export interface RowFace {
  readonly id: string | null;
  readonly day: LocalDate | null;
}

/**
 * The mapped row, or null for one that was set aside: an error of its map affects no other row. Without `setAside` the
 * read fails (UpstreamFailure).
 */
export function mapped<T>(
  row: WireObject,
  map: () => T,
  face: () => RowFace,
  setAside: SetAside | undefined,
): T | null {
  try {
    return map();
  } catch (error) {
    const failure =
      error instanceof UnusableMember ? error : new UnusableMember('row', 'unreadable', { cause: error });
    if (setAside === undefined) throw failure;
    const { field, reason } = failure;
    const { id, day } = faceOf(face);
    setAside({ id, day, key: id ?? digestOf(row), field: isRowField(field) ? field : 'row', reason });
    return null;
  }
}

function faceOf(face: () => RowFace): RowFace {
  try {
    return face();
  } catch {
    return { id: null, day: null };
  }
}

function digestOf(row: WireObject): string {
  return hash('sha256', JSON.stringify(row), 'hex');
}

const ROW_FIELDS: ReadonlySet<string> = new Set(SET_ASIDE_FIELDS);

function isRowField(field: Field): field is SetAsideField {
  return ROW_FIELDS.has(field);
}

/** A row's id with at most that many characters. Raises UnusableMember. */
export function requiredId(row: WireObject, most: number, name: string, other: string = name): string {
  const id = text(row, name, other);
  if (id === null)
    throw new UnusableMember('id', (row[name] ?? row[other]) == null ? 'missing' : 'unreadable');
  if (id.length > most) throw new UnusableMember('id', 'too_long');
  return id;
}

/** Raises UnusableMember for a row of another account. `named`: the account that it names. */
export function requireAccount(named: string | null, account: string): void {
  if (named === null) throw new UnusableMember('account', 'missing');
  if (named !== account) throw new UnusableMember('account', 'other_account');
}

/**
 * Raises UpstreamFailure for a page on which every row names another account: that is not a bad row but an answer to
 * another request.
 */
export function requireOwnRows(named: readonly (string | null)[], account: string): void {
  if (named.length > 0 && named.every((one) => one !== null && one !== account))
    throw malformed('it holds rows of another account');
}

/** An amount in minor units. Raises UnusableMember. */
export function moneyIn(field: Field, decimal: string | null, currency: string): Money {
  if (decimal === null) throw new UnusableMember(field, 'missing');
  if (!isDecimal(decimal)) throw new UnusableMember(field, 'unreadable');
  if (currencyCode(currency) === null) throw new UnusableMember('currency', 'unreadable');
  try {
    return moneyFromDecimal(decimal, currency);
  } catch (cause) {
    throw new UnusableMember(field, 'out_of_range', { cause });
  }
}

/** The id of an account's own row. Raises UnusableMember. */
export function requiredAccountId(id: string | null): string {
  if (id === null) throw new UnusableMember('id', 'missing');
  return id;
}

/** The key of an account that cannot be read: it has no v2 id of a row. */
export const NO_FACE = (): RowFace => ({ id: null, day: null });

/** The members of a balance, each read when called; they may raise UnusableMember. */
export interface SentBalance {
  /** Lower-case code; null if the bank names none. */
  readonly currency: () => string | null;
  readonly current: () => string | null;
  readonly available: () => string | null;
  /** The credit limit, from which the sign of a card's balance follows; left out if the vendor has none. */
  readonly limit?: () => string | null;
  /** What is known about the bank, regardless of the figures. */
  readonly positive?: PositiveBalance | null;
}

/**
 * A balance with everything that can be read. Without its own currency it has only the decimals, for a reader who knows
 * the account's currency; with an unreadable one it has nothing, as the decimals could be of any currency.
 */
export function balanceOf(sent: SentBalance): ProviderBalance {
  const faults: UnreadableBalance[] = [];
  const attempt = <T>(field: BalanceField, read: () => T | null): T | null => {
    try {
      return read();
    } catch (error) {
      const known = error instanceof UnusableMember ? error : null;
      faults.push({ field: balanceField(known?.field, field), reason: known?.reason ?? 'unreadable' });
      return null;
    }
  };
  const currency = attempt('currency', sent.currency);
  const amount = (field: 'current' | 'available'): { decimal: string | null; money: Money | null } => {
    const decimal = faults.some((one) => one.field === 'currency') ? null : attempt(field, sent[field]);
    if (decimal === null || currency === null) return { decimal, money: null };
    const money = attempt(field, () => moneyIn(field, decimal, currency));
    return { decimal: money === null ? null : decimal, money };
  };
  const current = amount('current');
  const available = amount('available');
  const [fault] = faults;
  const positive = sent.positive ?? positiveByLimit(sent, current.money, available.money);
  return {
    current: current.money,
    available: available.money,
    currentDecimal: current.decimal,
    availableDecimal: available.decimal,
    currency,
    ...(fault === undefined ? {} : { unreadable: fault }),
    ...(positive === null ? {} : { positive }),
  };
}

function positiveByLimit(
  { limit: read }: SentBalance,
  current: Money | null,
  available: Money | null,
): PositiveBalance | null {
  if (read === undefined || current === null || available === null) return null;
  let limit: number;
  try {
    limit = moneyIn('available', read(), current.currency).amount;
  } catch {
    // The balance does not depend on it.
    return null;
  }
  const means = signByLimit({ current: current.amount, available: available.amount, limit });
  return means === null ? null : { means, by: 'limit' };
}

const OF_BALANCE: ReadonlySet<string> = new Set(BALANCE_FIELDS);

function balanceField(named: Field | undefined, read: BalanceField): BalanceField {
  return named !== undefined && isBalanceField(named) ? named : read;
}

function isBalanceField(field: Field): field is BalanceField {
  return OF_BALANCE.has(field);
}

/** The code of a balance's currency; null if none is named. Raises UnusableMember if it is invalid. */
export function balanceCurrency(sent: string | null): string | null {
  if (sent === null) return null;
  const code = currencyCode(sent);
  if (code === null) throw new UnusableMember('currency', 'unreadable');
  return code;
}

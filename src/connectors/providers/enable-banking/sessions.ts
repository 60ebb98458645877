import { maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { parseInstant } from '../../../vocabulary/moments.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import {
  idText,
  inner,
  isWireObject,
  list,
  malformed,
  nameText,
  rowsOf,
  text,
  texts,
  type WireObject,
} from '../kit/json.ts';
import type { ProviderAccess, ProviderConsent } from '../provider-contract.ts';

/** The version of the secret that is stored of a session. */
const VERSION = 1;
/** Accounts of one sign-in. */
const MOST_ACCOUNTS = 500;
/** Former ids of an account. */
const MOST_HASHES = 20;
const NO_CURRENCY = 'xxx';
const ENDED: ReadonlySet<string> = new Set(['EXPIRED', 'CLOSED', 'REVOKED', 'CANCELLED', 'INVALID']);
const DATA_CATEGORIES = ['accounts', 'balances', 'transactions'];

/** An account of a session, as the vendor described it at the sign-in: it says all of this only then. */
export interface SessionAccount {
  /** The same in every session: the hash of its number, with its currency. */
  readonly id: string;
  readonly formerIds: readonly string[];
  /** What calls name it by, valid in this session only; null if it cannot be read. */
  readonly uid: string | null;
  readonly name: string;
  /** ISO 20022 cash account type. */
  readonly kind: string | null;
  readonly maskedNumber: string | null;
  /** Lower-case code; null if the bank named none. */
  readonly currency: string | null;
  /** Decimal; null if there is none. */
  readonly creditLimit: string | null;
}

/** A session at a bank: the vendor's name of a consent, and everything that calls need to know of it. */
export interface Session {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly grantedAt: number;
  readonly validUntil: number | null;
  /** How the person signed in, to renew it likewise (LinkWay.id); null for the bank's usual way. */
  readonly way: string | null;
  readonly accounts: readonly SessionAccount[];
}

/** The session that a code was redeemed for. Raises UpstreamFailure. */
export function sessionOf(answer: WireObject, grantedAt: number, way: string | null = null): Session {
  const id = idText(answer, 'session_id');
  if (id === null) throw malformed('it opens no session');
  const rows = rowsOf(answer, 'accounts');
  if (rows.length > MOST_ACCOUNTS) throw malformed('its session has too many accounts');
  return { id, grantedAt, validUntil: validUntil(answer), way, accounts: accountsOf(rows) };
}

/** When a session ends; null if it does not say. Epoch milliseconds. */
function validUntil(answer: WireObject): number | null {
  const until = text(inner(answer, 'access') ?? {}, 'valid_until');
  return until === null ? null : parseInstant(until);
}

function accountsOf(rows: readonly WireObject[]): SessionAccount[] {
  const counts = new Map<string, number>();
  for (const row of rows) for (const hash of hashesOf(row)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  const accounts = rows.flatMap((row) => accountOf(row, (hash) => counts.get(hash) === 1) ?? []);
  // One that a bank lists twice counts once.
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}

/** Null for an account without a hash, which could not be found again in the next session. */
function accountOf(row: WireObject, isOwn: (hash: string) => boolean): SessionAccount | null {
  const hash = idText(row, 'identification_hash');
  if (hash === null) return null;
  const currency = currencyCode(text(row, 'currency') ?? '');
  const limit = inner(row, 'credit_limit');
  const number = numberOf(row);
  const id = accountId(hash, currency);
  const others = hashesOf(row).filter((one) => one !== hash && isOwn(one));
  return {
    id,
    // Some hashes stand for several accounts: only those that no other account of the session has.
    formerIds: others.map((one) => accountId(one, currency)),
    uid: idText(row, 'uid'),
    name: nameText(row, 'details') ?? nameText(row, 'product') ?? nameText(row, 'name') ?? 'Account',
    kind: idText(row, 'cash_account_type'),
    maskedNumber: maskAccountNumber(number),
    currency: currency === NO_CURRENCY ? null : currency,
    creditLimit: limit === null ? null : text(limit, 'amount'),
  };
}

/** Accounts in several currencies may share one number, and with it the hash. */
function accountId(hash: string, currency: string | null): string {
  return `${hash}:${currency ?? NO_CURRENCY}`;
}

function hashesOf(row: WireObject): readonly string[] {
  const hashes = [idText(row, 'identification_hash') ?? '', ...texts(row, 'identification_hashes')];
  return [...new Set(hashes)].filter((hash) => hash !== '' && hash.length <= 255).slice(0, MOST_HASHES);
}

function numberOf(row: WireObject): string | null {
  const named = inner(row, 'account_id') ?? {};
  const iban = text(named, 'iban');
  if (iban !== null) return iban;
  const other = inner(named, 'other') ?? list(row, 'all_account_ids')[0] ?? {};
  return text(other, 'identification');
}

/** What is stored of a session, as the secret of its customer: each session is a customer of its own. */
export function secretOf(session: Session): string {
  return JSON.stringify({ v: VERSION, ...session });
}

/** The session of a secret; null if it is none of ours. */
export function sessionIn(secret: string | null): Session | null {
  let kept: unknown;
  try {
    kept = JSON.parse(secret ?? '');
  } catch {
    return null;
  }
  if (!isWireObject(kept) || kept.v !== VERSION) return null;
  const { id, grantedAt, validUntil: until } = kept;
  if (typeof id !== 'string' || typeof grantedAt !== 'number') return null;
  const accounts = list(kept, 'accounts').flatMap((row) => storedAccount(row) ?? []);
  return {
    id,
    grantedAt,
    validUntil: typeof until === 'number' ? until : null,
    way: text(kept, 'way'),
    accounts,
  };
}

function storedAccount(row: WireObject): SessionAccount | null {
  const id = text(row, 'id');
  return id === null
    ? null
    : {
        id,
        formerIds: texts(row, 'formerIds'),
        uid: text(row, 'uid'),
        name: text(row, 'name') ?? 'Account',
        kind: text(row, 'kind'),
        maskedNumber: text(row, 'maskedNumber'),
        currency: text(row, 'currency'),
        creditLimit: text(row, 'creditLimit'),
      };
}

/** The session of a grant. Raises UpstreamFailure for a grant that is not of this customer. */
export function requireSession({ consent, secret }: Pick<ProviderAccess, 'consent' | 'secret'>): Session {
  const session = sessionIn(secret.value);
  if (session !== null && session.id === consent) return session;
  throw new UpstreamFailure('grant_rejected', 'The session is not one of this customer.');
}

/** The account of a session, and the name that calls have for it. Raises UpstreamFailure. */
export function requireAccount({ accounts }: Session, id: string): SessionAccount & { readonly uid: string } {
  const account = accounts.find((one) => one.id === id);
  if (account?.uid == null)
    throw new UpstreamFailure('account_gone', 'The account cannot be read in this session.');
  return { ...account, uid: account.uid };
}

/** What the vendor now says about a session; `answer` is null if it does not know it any more. */
export function consentOf(session: Session, answer: WireObject | null): ProviderConsent {
  const status = answer === null ? 'CLOSED' : (text(answer, 'status') ?? '');
  const ended = ENDED.has(status);
  return {
    id: session.id,
    state: ended ? 'ended' : 'active',
    grantedAt: session.grantedAt,
    expiresAt: (answer === null ? null : validUntil(answer)) ?? session.validUntil,
    purpose: null,
    dataCategories: DATA_CATEGORIES,
    terminationReason: ended ? status.toLowerCase() : null,
  };
}

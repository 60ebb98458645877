import type { ProviderAccount } from '../../connectors/providers/provider-contract.ts';
import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Account, ReleasedAccount } from '../../storage/accounts.ts';
import type { BalanceSign } from '../../vocabulary/balance-signs.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';

const PURPOSE = 'account-number';

/** A bank's full account number, which an adapter passes on only to identify the account. */
export interface FullNumber {
  readonly provider: ProviderIdentifier;
  readonly institution: string;
  readonly number: string;
}

/**
 * Keyed MACs of account numbers, which show that two numbers are the same and nothing else (docs/linking.md#accounts).
 * The text names its key, so accounts are still recognised after a rotation of the encryption key.
 */
export class NumberMacs {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** `<key id>:<base64url>`; spaces and punctuation in the number are ignored. null if nothing else is left. */
  of(number: FullNumber): string | null {
    const mac = this.#mac(number, this.#keyring.primary.id);
    return mac === null ? null : `${this.#keyring.primary.id}:${mac.toString('base64url')}`;
  }

  /** Whether the stored MAC is that of this number. A MAC under a key that no longer exists matches nothing. */
  matches(stored: string, number: FullNumber): boolean {
    const colon = stored.indexOf(':');
    const keyId = stored.slice(0, colon);
    const mac = this.#mac(number, keyId);
    return mac !== null && sameBytes(mac, Buffer.from(stored.slice(colon + 1), 'base64url'));
  }

  #mac(number: FullNumber, keyId: string): Buffer | null {
    const plain = number.number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
    if (plain === '') return null;
    const key = this.#keyring.macKey(PURPOSE, keyId);
    return key === null ? null : keyedMac(key, number.provider, number.institution, plain);
  }
}

/** Everything a listed account might be. */
export interface Candidates {
  readonly provider: ProviderIdentifier;
  readonly institution: string;
  /** The connection's own accounts. */
  readonly own: readonly Account[];
  /** Accounts of other connections, at any bank, whose vendor's id a listed account had before. */
  readonly former: readonly Account[];
  /** Accounts at the same bank whose connection has ended. */
  readonly ended: readonly Account[];
  /** Ids left by deleted connections to the same bank. */
  readonly released: readonly ReleasedAccount[];
}

export interface Match {
  readonly listed: ProviderAccount;
  /** Its row; null if there is none. */
  readonly account: Account | null;
  /** The id to reuse, for one that was released; null otherwise. */
  readonly released: RowId<'account'> | null;
}

export interface Matching {
  readonly matches: readonly Match[];
  /** Accounts of the connection that are not in the list. */
  readonly gone: readonly Account[];
}

/**
 * Which account each listed one is: the connection's own by the vendor's id, then one that had the listed account's id
 * before, of this connection or another; then the connection's own by full number, then by masked number and type; failing those, one at the same bank whose connection ended, or whose connection was
 * deleted, by full number. A number that two listed accounts share identifies neither, and nothing is matched twice.
 * An account of another live connection is taken only where the vendor says that it moved: two holders of one joint
 * account have two accounts.
 */
export function matchAccounts(
  listed: readonly ProviderAccount[],
  candidates: Candidates,
  macs: NumberMacs,
): Matching {
  const open = new Map(deduplicated(listed).map((item) => [item.id, item]));
  const free = new Map(candidates.own.map((account) => [account.id, account]));
  const matches: Match[] = [];
  const settle = (
    item: ProviderAccount,
    account: Account | null,
    released: RowId<'account'> | null,
  ): void => {
    open.delete(item.id);
    if (account !== null) free.delete(account.id);
    matches.push({ listed: item, account, released });
  };
  const sameNumber = (item: ProviderAccount, stored: string | null): boolean =>
    stored !== null &&
    item.fullNumber !== null &&
    macs.matches(stored, { ...candidates, number: item.fullNumber });

  for (const account of candidates.own) {
    const item = open.get(account.upstream_id);
    if (item !== undefined) settle(item, account, null);
  }
  const moved = new Set<RowId<'account'>>();
  for (const item of [...open.values()]) {
    const had = ({ id, upstream_id }: Account): boolean =>
      !moved.has(id) && item.formerIds.includes(upstream_id);
    const account = [...free.values()].find(had) ?? candidates.former.find(had);
    if (account === undefined) continue;
    moved.add(account.id);
    settle(item, account, null);
  }
  for (const item of numbered([...open.values()])) {
    const account = [...free.values()].find(({ number_mac }) => sameNumber(item, number_mac));
    if (account !== undefined) settle(item, account, null);
  }
  for (const [item, account] of uniqueByMask([...open.values()], [...free.values()], sameNumber)) {
    settle(item, account, null);
  }
  const taken = new Set<RowId<'account'>>(moved);
  for (const item of numbered([...open.values()])) {
    const fits = (row: { id: RowId<'account'>; number_mac: string | null }): boolean =>
      !taken.has(row.id) && sameNumber(item, row.number_mac);
    const account = candidates.ended.find(fits) ?? null;
    const released = account === null ? (candidates.released.find(fits)?.id ?? null) : null;
    const id = account?.id ?? released;
    if (id !== null) {
      taken.add(id);
      settle(item, account, released);
    }
  }
  for (const item of [...open.values()]) settle(item, null, null);
  return { matches, gone: [...free.values()] };
}

/**
 * The sign that was decided for an account that is linked again. A card usually has no full number by which to find its
 * id, so one of the same type and masked number whose connection ended is used: the bank signs both alike.
 */
export function signBefore(
  { listed, released }: Pick<Match, 'listed' | 'released'>,
  { ended, released: left }: Pick<Candidates, 'ended' | 'released'>,
): BalanceSign | null {
  if (released !== null) return left.find(({ id }) => id === released)?.balance_sign ?? null;
  const alike = ended.filter(
    (account) =>
      listed.maskedNumber !== null &&
      account.masked_number === listed.maskedNumber &&
      account.type === listed.type,
  );
  const signs = new Set(alike.flatMap(({ balance_sign: sign }) => sign ?? []));
  const [sign] = signs;
  return signs.size === 1 && sign !== undefined ? sign : null;
}

function deduplicated(listed: readonly ProviderAccount[]): ProviderAccount[] {
  return [...new Map(listed.map((item) => [item.id, item])).values()];
}

/** Those whose full number no other one in the list has. */
function numbered(listed: readonly ProviderAccount[]): ProviderAccount[] {
  return listed.filter(
    (item) =>
      item.fullNumber !== null &&
      listed.every((other) => other === item || other.fullNumber !== item.fullNumber),
  );
}

/** Pairs whose masked number and type are unique on both sides and whose full numbers do not differ. */
function uniqueByMask(
  listed: readonly ProviderAccount[],
  accounts: readonly Account[],
  sameNumber: (item: ProviderAccount, stored: string | null) => boolean,
): [ProviderAccount, Account][] {
  return listed.flatMap((item): [ProviderAccount, Account][] => {
    if (item.maskedNumber === null) return [];
    const rivals = listed.filter(
      (other) => other.maskedNumber === item.maskedNumber && other.type === item.type,
    );
    const fitting = accounts.filter(
      (account) => account.masked_number === item.maskedNumber && account.type === item.type,
    );
    const [account] = fitting;
    if (account === undefined || fitting.length > 1 || rivals.length > 1) return [];
    const differ =
      item.fullNumber !== null && account.number_mac !== null && !sameNumber(item, account.number_mac);
    return differ ? [] : [[item, account]];
  });
}

import type { Clock } from '../../platform/clock.ts';
import type { Account } from '../../storage/accounts.ts';
import { findConnections } from '../../storage/connections.ts';
import { currentConsents } from '../../storage/consents.ts';
import type { Db } from '../../storage/database.ts';
import { accountsLinkedAtInstitutions, type Identified } from '../../storage/same-accounts.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { ConnectionStatus } from '../../vocabulary/states.ts';
import { connectionStatus } from './connection-status.ts';

/** Account by account, the one that counts instead of it. */
export type Duplicates = ReadonlyMap<RowId<'account'>, RowId<'account'>>;

const READABLE: ReadonlySet<ConnectionStatus> = new Set(['pending', 'active', 'expiring']);

/**
 * Of these accounts of one owner, those that the owner has linked by another connection as well. Of the same account,
 * the one linked first counts, among those that can be read now; a connection that is being deleted is left out.
 */
export async function duplicatesAmong(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  owner: OwnerId,
  accounts: readonly Account[],
): Promise<Duplicates> {
  const institutions = [...new Set(accounts.map(({ institution_id: id }) => id))];
  const linked = await accountsLinkedAtInstitutions(db, owner, institutions);
  const banks = [
    ...Map.groupBy(linked, (one) => JSON.stringify([one.provider, one.institution_id])).values(),
  ];
  const several = banks.filter((members) => members.some((one) => one.connection !== members[0]?.connection));
  if (several.length === 0) return new Map();
  const ids = [...new Set(several.flat().map(({ connection }) => connection))];
  const consents = await currentConsents(db, owner, ids);
  const readable = new Set(
    (await findConnections(db, owner, ids))
      .filter((row) => READABLE.has(connectionStatus(row, consents.get(row.id) ?? null, clock.now())))
      .map(({ id }) => id),
  );
  const canBeRead = (one: Identified): boolean =>
    one.unavailable_since === null && readable.has(one.connection);
  return new Map(several.flatMap((members) => [...duplicatesAtBank(members, canBeRead)]));
}

/**
 * Duplicates among the accounts of one owner at one bank, in the order they were linked. Two accounts of one connection
 * are never the same, and what two of them have in common identifies neither.
 */
export function duplicatesAtBank(
  members: readonly Identified[],
  canBeRead: (account: Identified) => boolean,
): Duplicates {
  const ambiguous = new Set<string>();
  const seen = new Set<string>();
  for (const one of members) {
    for (const mark of marksOf(one)) {
      const place = `${one.connection} ${mark}`;
      if (seen.has(place)) ambiguous.add(mark);
      seen.add(place);
    }
  }
  const ordered = [...members.filter(canBeRead), ...members.filter((one) => !canBeRead(one))];
  const counting = new Map<string, Identified>();
  const found = new Map<RowId<'account'>, RowId<'account'>>();
  for (const one of ordered) {
    const marks = marksOf(one).filter((mark) => !ambiguous.has(mark));
    const same = marks
      .flatMap((mark) => counting.get(mark) ?? [])
      .find((other) => other.connection !== one.connection && !haveDifferentNumbers(one, other));
    if (same !== undefined) found.set(one.id, same.id);
    for (const mark of marks) if (!counting.has(mark)) counting.set(mark, same ?? one);
  }
  return found;
}

/**
 * What identifies an account within its bank: the full number, the bank's id, or name and masked number, since a card
 * has no full number. The latter two only together with the type and the masked number.
 */
function marksOf(account: Identified): readonly string[] {
  const { number_mac: mac, upstream_id: id, type, masked_number: masked, name, currency } = account;
  return [
    ...(mac === null ? [] : [JSON.stringify(['number', mac])]),
    JSON.stringify(['id', id, type, masked]),
    ...(masked === null ? [] : [JSON.stringify(['name', name, type, masked, currency])]),
  ];
}

/** Whether two MACs under one key differ. MACs under different keys say nothing about each other. */
function haveDifferentNumbers({ number_mac: one }: Identified, { number_mac: other }: Identified): boolean {
  if (one === null || other === null || one === other) return false;
  return one.slice(0, one.indexOf(':')) === other.slice(0, other.indexOf(':'));
}

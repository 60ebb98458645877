import { ID_PREFIXES, publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { Session } from './session.ts';
import type { Table } from './table.ts';

/** A row's account, as keys and the table name it. */
type Owned = { readonly id: string; readonly account: string };

/** Whether ids of a sync's rows are those of one account alone (provider-contract.ts). */
const OF_ONE_ACCOUNT: Readonly<Record<SyncType, boolean>> = {
  transactions: false,
  trades: true,
  holdings: true,
};

/** What a row has in the column of keys: no other row of any account has it. */
export function keyOf(type: SyncType, { id, account }: Owned): string {
  return OF_ONE_ACCOUNT[type] ? `${account}/${id}` : id;
}

/** What a verification finds a row by, the surest first. */
export function keysOf(type: SyncType, id: string, account: RowId<'account'>): readonly string[] {
  return [...new Set([keyOf(type, { id, account: publicId('account', account) }), id])];
}

/** The key that a row read back would have now. */
export function keyNow(type: SyncType, key: string, account: string | null): string {
  if (!OF_ONE_ACCOUNT[type] || account === null || key.startsWith(`${ID_PREFIXES.account}_`)) return key;
  return keyOf(type, { id: key, account });
}

/**
 * The keys of rows. Where ids are those of one account, a row may stand under its id alone, as earlier versions wrote it:
 * it keeps that key, since something of a person's own may refer to it. Raises what `ask` raises.
 */
export async function keysIn(
  session: Session,
  { name, key, owner }: Table,
  type: SyncType,
  rows: readonly Owned[],
  signal: AbortSignal,
): Promise<(row: Owned) => string> {
  if (!OF_ONE_ACCOUNT[type] || rows.length === 0) return (row) => keyOf(type, row);
  const statement = `select ${key.name}::text as id, ${owner.name}::text as account from ${name}
    where ${key.name}::text = any($1::text[])`;
  const found = await session.ask(statement, [[...new Set(rows.map(({ id }) => id))]], signal);
  const owners = new Map(found.map(({ id, account }) => [String(id), account]));
  for (const { id, account } of rows) if (owners.get(id) === null) owners.set(id, account);
  return (row) => (owners.get(row.id) === row.account ? row.id : keyOf(type, row));
}

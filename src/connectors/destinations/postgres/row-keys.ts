import { ID_PREFIXES, parsePublicId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { ShownRow } from '../destination-contract.ts';
import type { RowIds } from '../kit/shared-ids.ts';
import type { Session } from './session.ts';
import type { Table } from './table.ts';

/** A row's account, and what keys and the table call it. */
export interface Owned {
  readonly id: string;
  readonly of: RowId<'account'>;
  readonly account: string;
}

export function owned(of: RowId<'account'>, id: string): Owned {
  return { id, of, account: publicId('account', of) };
}

/** Whether rows of a sync always have their account in the key: equal trades of two accounts have the same id. */
const ALWAYS_QUALIFIED: Readonly<Record<SyncType, boolean>> = {
  transactions: false,
  trades: true,
  holdings: true,
};

/** The key of a row whose id alone is, or may be, that of another account's row. */
export function qualifiedKey({ id, account }: Pick<Owned, 'id' | 'account'>): string {
  return `${account}/${id}`;
}

/** What a verification finds a row by, the surest first. */
export function keysOf(type: SyncType, id: string, account: RowId<'account'>): readonly string[] {
  return ALWAYS_QUALIFIED[type] ? [qualifiedKey(owned(account, id)), id] : [id];
}

/** What a row read back is found by. */
export function foundBy(type: SyncType, key: string, owner: string | null): Pick<ShownRow, 'row' | 'keys'> {
  const account = owner === null ? null : parsePublicId('account', owner);
  if (owner === null || account === null) return { keys: [key] };
  const isQualified = key.startsWith(`${owner}/`);
  const id = isQualified ? key.slice(`${owner}/`.length) : key;
  const now = ALWAYS_QUALIFIED[type] && !key.startsWith(`${ID_PREFIXES.account}_`);
  return { keys: [now ? qualifiedKey({ id, account: owner }) : key], row: { account, id } };
}

/**
 * The keys of rows. A transaction has its id as its key, unless a row of another account of the sync has it: rows of
 * accounts that the sync does not have are the same rows, linked by another account record. Other rows have such a key
 * only where an earlier version wrote it: they keep it, since something of a person's own may refer to it. Raises what
 * `ask` raises.
 */
export async function keysIn(
  session: Session,
  { name, key, owner }: Table,
  type: SyncType,
  rows: readonly Owned[],
  ids: RowIds,
  signal: AbortSignal,
): Promise<(row: Owned) => string> {
  if (!ALWAYS_QUALIFIED[type] && !ids.isShared) return ({ id }) => id;
  if (rows.length === 0) return qualifiedKey;
  const statement = `select ${key.name}::text as id, ${owner.name}::text as account from ${name}
    where ${key.name}::text = any($1::text[])`;
  const keys = new Set(rows.flatMap((row) => [row.id, qualifiedKey(row)]));
  const found = await session.ask(statement, [[...keys]], signal);
  const owners = new Map(found.map(({ id, account }) => [String(id), account]));
  for (const { id, account } of rows) if (owners.get(id) === null) owners.set(id, account);
  return (row) => {
    const { id, account } = row;
    if (owners.has(qualifiedKey(row))) return qualifiedKey(row);
    if (owners.get(id) === account) return id;
    const isAnothers = owners.has(id) && ids.others({ id, account: row.of }).length > 0;
    return ALWAYS_QUALIFIED[type] || isAnothers ? qualifiedKey(row) : id;
  };
}

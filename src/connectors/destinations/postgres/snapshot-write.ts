import { publicId } from '../../../vocabulary/ids.ts';
import type { Snapshot } from '../delivery-rows.ts';
import { BALANCE_VALUES, holdingValues } from '../row-values.ts';
import { WRITER } from './fields.ts';
import { putStatement, renameStatement, requireExact } from './row-statements.ts';
import { encoded, type GivenRow, listsOf, qualifiedKey, valuesOf } from './rows.ts';
import type { Session } from './session.ts';
import type { Table } from './table.ts';

/** Rows of a snapshot. Their keys have the account in them (virtual-list.tsx). */
function rowsOf(snapshot: Snapshot, writer: string): readonly GivenRow[] {
  const account = publicId('account', snapshot.account.id);
  const row = (id: string, text: string): GivenRow => ({
    id,
    key: qualifiedKey({ id, account }),
    account,
    replaces: null,
    values: { ...valuesOf(text), [WRITER.name]: writer },
  });
  if (snapshot.kind === 'balance') {
    return [row('1', encoded(Object.entries(BALANCE_VALUES).map(([name, of]) => [name, of(snapshot)])))];
  }
  return snapshot.holdings.map((holding) =>
    row(holding.id, encoded(Object.entries(holdingValues(holding, snapshot)))),
  );
}

/**
 * Puts the snapshot in the place of what is there of the account, in the open transaction: twice is as once. Raises what `ask`
 * raises, and InexactColumn.
 *
 * @param writer id of the sync
 */
export async function replaceSnapshot(
  session: Session,
  table: Table,
  snapshot: Snapshot,
  writer: string,
  signal: AbortSignal,
): Promise<void> {
  const { key, owner, name } = table;
  const rows = rowsOf(snapshot, writer);
  if (snapshot.kind === 'holdings' && rows.length > 0) {
    // An earlier version counted the positions of an account, and wrote each under its number.
    const numbered = rows.map((row, at) => `${row.account}/${at + 1}`);
    await session.ask(renameStatement(table), [numbered, rows.map((row) => row.key)], signal);
  }
  await session.ask(
    `delete from ${name} where ${owner.name}::text = $1 and not (${key.name}::text = any($2::text[]))`,
    [publicId('account', snapshot.account.id), rows.map((row) => row.key)],
    signal,
  );
  if (rows.length > 0) {
    await requireExact(session, table, rows, signal);
    await session.ask(putStatement(table), listsOf(table, rows), signal);
  }
}

import { ID_PREFIXES, parsePublicId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import type { ShownRow, TargetReading } from '../destination-contract.ts';
import { filesIn, readTable } from './account-files.ts';
import type { FolderClient } from './client.ts';
import { asDestinationFailure } from './failures.ts';
import { decodeRow, type RowLayout } from './rows.ts';

const ROWS_OF_A_PAGE = 1000;
/** Fields about the account. */
const ACCOUNT_FIELDS = ['account', 'account_number', 'institution'];
const ACCOUNT_ID = new RegExp(`-(${ID_PREFIXES.account}_[0-9A-Za-z]+)$`);

/** @param find the folder of the target; raises DestinationFailure */
export function readingOf(
  client: FolderClient,
  layout: RowLayout,
  find: (signal: AbortSignal) => Promise<string>,
): TargetReading {
  const { fields } = layout;
  return {
    shown: (text) => {
      const { cells } = decodeRow(text);
      return Object.fromEntries([...fields].map(([field, header]) => [header, cells[field] ?? null]));
    },
    keysOf: (id, _ref, account) => [keyOf(account, id)],
    accountFields: ACCOUNT_FIELDS.flatMap((field) => fields.get(field) ?? []),
    rows: async function* (signal) {
      try {
        yield* rowsIn(client, layout, await find(signal), signal);
      } catch (error) {
        throw asDestinationFailure(error, 'refused', signal);
      }
    },
  };
}

async function* rowsIn(
  client: FolderClient,
  layout: RowLayout,
  target: string,
  signal: AbortSignal,
): AsyncGenerator<readonly ShownRow[]> {
  const shown = [...layout.fields.values()];
  for (const name of await client.names(target)) {
    const account = parsePublicId('account', ACCOUNT_ID.exec(name)?.[1] ?? '');
    const folder = account === null ? null : await client.inside(target, name);
    if (account === null || folder === null) continue;
    for (const file of await filesIn(client, folder, layout)) {
      signal.throwIfAborted();
      const table = await readTable(client, folder, file, layout);
      if (table === null) continue;
      const columns = shown.flatMap((header) => {
        const at = table.columns.indexOf(header);
        return at === -1 ? [] : [[header, at] as const];
      });
      const ids = table.columns.indexOf(layout.idColumn);
      for (let first = 0; first < table.rows.length; first += ROWS_OF_A_PAGE) {
        const page = table.rows.slice(first, first + ROWS_OF_A_PAGE).flatMap((cells, at): ShownRow[] => {
          const id = cells[ids] ?? '';
          if (id === '') return [];
          const values = columns.map(([header, column]) => [header, cells[column] ?? '']);
          return [
            {
              row: { account, id },
              keys: [keyOf(account, id)],
              // The first line is the header, and people count from 1.
              where: `${name}/${file}.csv, row ${first + at + 2}`,
              values: Object.fromEntries(values),
            },
          ];
        });
        if (page.length > 0) yield page;
      }
    }
  }
}

function keyOf(account: RowId<'account'>, id: string): string {
  return `${publicId('account', account)}/${id}`;
}

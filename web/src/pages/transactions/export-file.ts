import type { Account, Category, Transaction } from '#client';
import { api } from '../../api/client.ts';
import { exportFile } from '../../api/pieces.ts';
import type { TransactionWindow } from '../../api/transactions.ts';
import { saveFile } from '../../parts/save-file.ts';
import { csvOf, jsonLinesOf } from './file-text.ts';

export const FORMATS = ['csv', 'jsonl', 'ofx', 'ofx1', 'qif'] as const;
export type Format = (typeof FORMATS)[number];

/** Formats that the service writes, of whole statements, and by what a row begins in them. */
const STATEMENTS: ReadonlyMap<Format, RegExp> = new Map([
  ['ofx', /<STMTTRN>/g],
  ['ofx1', /<STMTTRN>/g],
  ['qif', /^D/gm],
]);

export function isStatement(format: Format): boolean {
  return STATEMENTS.has(format);
}

interface Contents {
  /** What is shown, in its order. */
  readonly rows: readonly Transaction[];
  readonly window: TransactionWindow;
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
}

interface SavedFile {
  readonly name: string;
  readonly count: number;
}

/** By which spreadsheets recognise UTF-8. */
const BOM = '\uFEFF';

/** Makes the file and gives it to the person. Raises what reading raises; nothing is saved then. */
export async function saveTransactions(format: Format, contents: Contents): Promise<SavedFile> {
  const { rows, window } = contents;
  const ending = format === 'ofx1' ? 'ofx' : format;
  const name = `transactions-${window.from}-to-${window.to}.${ending}`;
  const row = STATEMENTS.get(format);
  if (row !== undefined) {
    const statements = await statementsOf(window, format, name);
    // The service names it after its accounts; the page names each of its files after the period.
    saveFile(new File([statements], name, { type: statements.type }));
    return { name, count: (await statements.text()).match(row)?.length ?? 0 };
  }
  saveFile(
    format === 'csv'
      ? new File([BOM, csvOf(rows, contents)], name, { type: 'text/csv;charset=utf-8' })
      : new File([jsonLinesOf(rows)], name, { type: 'application/x-ndjson' }),
  );
  return { name, count: rows.length };
}

/** The statements as the service writes them. One that is broken off raises UnreachableError. */
async function statementsOf(
  { banks, from, to }: TransactionWindow,
  format: Format,
  name: string,
): Promise<File> {
  const account = banks.flatMap(({ accounts }) => accounts);
  const response = await api.transactions.export({ account, from, to, format });
  return exportFile(response, name);
}

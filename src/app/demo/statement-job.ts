import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { UnusableFile } from '../../statements/statement-contract.ts';
import { parseStatementFile } from '../../statements/statement-file.ts';
import { CommandFailure } from '../../surfaces/cli/failure.ts';
import { type Copied, type CopyJob, copyAccounts } from './bank-job.ts';

const EARLIEST_ROW = '1960-01-01';

interface StatementJob extends Omit<CopyJob, 'shared'> {
  /** Path of the file. */
  readonly statement: string;
}

/**
 * The main job for a statement file: takes it, reads its accounts over v2, and copies every row to the destination. The
 * rows that there must be are counted in the file and not asked of the service.
 */
export async function statementJob(job: StatementJob): Promise<Copied> {
  const { v2, progress, signal, statement: path } = job;
  const content = await readFile(path);
  const { rows, unreadable } = await countedRows(content, path, signal);
  progress.step(`Taking ${basename(path)}`);
  const { id } = await v2.documents.create({ name: basename(path), content: content.toString('base64') });
  const { parts } = await v2.documents.take({ id });
  const accounts = parts.map(({ account }) => account);
  progress.step(`Reading the transactions of ${accounts.length} accounts`);
  const read = new Set<string>();
  for (const account of accounts) {
    const list = v2.transactions.list({ account, from: EARLIEST_ROW, limit: 100 });
    for await (const row of list) read.add(`${account} ${row.id}`);
  }
  const shared = () => ({ accounts: accounts.length, rows });
  const copied = await copyAccounts({ ...job, shared }, accounts);
  const problems = [
    ...copied.problems,
    ...(read.size === rows ? [] : [`The file has ${rows} rows and ${read.size} were read over v2.`]),
    ...(unreadable === 0 ? [] : [`${unreadable} rows of the file could not be read.`]),
  ];
  return { ...copied, problems };
}

/** Posted rows of the file, and those that cannot be read. */
async function countedRows(
  content: Uint8Array,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly rows: number; readonly unreadable: number }> {
  try {
    const { statements } = await parseStatementFile(content, { signal });
    return {
      rows: statements.flatMap(({ rows }) => rows.filter(({ pending }) => !pending)).length,
      unreadable: statements.reduce((sum, { unreadable }) => sum + unreadable.length, 0),
    };
  } catch (error) {
    if (error instanceof UnusableFile)
      throw new CommandFailure(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

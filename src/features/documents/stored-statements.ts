import { createHash } from 'node:crypto';
import type { ProviderAccount } from '../../connectors/providers/provider-contract.ts';
import { EventLoopBudget, inSlices } from '../../platform/event-loop-budget.ts';
import { accountsOfConnections } from '../../storage/accounts.ts';
import type { Db } from '../../storage/database.ts';
import {
  type AccountPiece,
  documentsOfAccount,
  filesOfAccount,
  piecesOfAccount,
} from '../../storage/documents.ts';
import { isRowId, type OwnerId, type RowId } from '../../vocabulary/ids.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { exactMoney } from '../../vocabulary/money.ts';
import { providerRowId } from '../../vocabulary/provider-kinds.ts';
import { directionOf, type Transaction } from '../../vocabulary/transactions.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { DocumentSecrets, StoredRow } from './document-secrets.ts';
import type { KnownRow } from './row-identity.ts';

/** A row that is shown, with when the newest file that has it was taken, epoch milliseconds. */
export interface ShownRow {
  readonly takenAt: number;
  readonly row: Transaction & { readonly date: StoredRow['date'] };
}

/** Days whose rows are shown, both included. */
export interface ShownDays {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** Some rows of a file, those of one of its pieces. */
interface OpenedRows {
  readonly file: string;
  readonly takenAt: number;
  readonly rows: readonly StoredRow[];
}

/** Bytes of sealed rows that are in memory at a time; more only if one file has more. */
const READ_BYTES = 8_388_608;

/**
 * What was taken from statement files, as the adapter of the provider `statement_files` reads it
 * (connectors/providers/statement-files): the wiring passes one to the other.
 */
export class StoredStatements {
  readonly #deps: { readonly db: Db; readonly secrets: DocumentSecrets };

  constructor(deps: { readonly db: Db; readonly secrets: DocumentSecrets }) {
    this.#deps = deps;
  }

  async accounts(owner: string, connection: string): Promise<ProviderAccount[]> {
    const [ownerId, id] = [ownerOf(owner), connectionOf(connection)];
    return (await accountsOfConnections(this.#deps.db, ownerId, [id])).map((account) => ({
      id: account.upstream_id,
      formerIds: [],
      available: true,
      name: account.name,
      type: account.type,
      maskedNumber: account.masked_number,
      fullNumber: null,
      currency: account.currency,
      timezone: account.timezone,
    }));
  }

  /**
   * Each row once. Files may describe one row differently; the one that says most is shown, and among equals always the
   * same, whatever the order of the files. Yields to the event loop every few milliseconds.
   */
  async rows(
    owner: string,
    connection: string,
    account: string,
    days: ShownDays,
    signal: AbortSignal,
  ): Promise<readonly ShownRow[]> {
    const { id, currency } = await this.#account(owner, connection, account);
    const found = new Map<string, FoundRow>();
    const budget = new EventLoopBudget();
    for await (const { takenAt, rows } of this.#opened(this.#deps.db, ownerOf(owner), id)) {
      signal.throwIfAborted();
      // Under one id, a row has one day in all files.
      const within = rows.filter(({ date }) => date >= days.from && date <= days.to);
      await inSlices(within, (row) => found.set(row.id, merged(row, takenAt, found.get(row.id))), budget);
    }
    const shown: ShownRow[] = [];
    await inSlices(
      found.values(),
      ({ row, takenAt, live }) => {
        if (!live) shown.push({ takenAt, row: transactionOf(row, currency) });
      },
      budget,
    );
    return shown;
  }

  /** Null once a file of the account was deleted because its time was over, or all because the account record is. */
  async version(owner: string, connection: string, account: string): Promise<string | null> {
    const { id } = await this.#account(owner, connection, account);
    const files = await filesOfAccount(this.#deps.db, ownerOf(owner), id);
    return files === null ? null : createHash('sha256').update(files).digest('base64url');
  }

  /** Every row that was taken into the account, those that the live feed has included, once for each file. */
  async known(db: Db, owner: OwnerId, account: RowId<'account'>): Promise<readonly KnownRow[]> {
    const found: KnownRow[] = [];
    const budget = new EventLoopBudget();
    for await (const { file, rows } of this.#opened(db, owner, account))
      await inSlices(
        rows,
        ({ id, date, amount, currency, description, reference }) =>
          found.push({ id, date, amount, currency, description, reference, file }),
        budget,
      );
    return found;
  }

  /** The rows of each file of the account, piece by piece; a file that is undone meanwhile is there whole or not at all. */
  async *#opened(db: Db, owner: OwnerId, account: RowId<'account'>): AsyncGenerator<OpenedRows> {
    const budget = new EventLoopBudget();
    const documents = await documentsOfAccount(db, owner, account);
    for (const some of groupsOf(documents)) {
      const pieces = await piecesOfAccount(db, owner, account, some);
      for (const [file, ofFile] of Map.groupBy(pieces, ({ document }) => document)) {
        for (const rows of this.#deps.secrets.openRows(ofFile)) {
          yield { file, takenAt: takenAtOf(ofFile), rows };
          if (budget.spent) await budget.yieldToEventLoop();
        }
      }
    }
  }

  async #account(
    owner: string,
    connection: string,
    upstreamId: string,
  ): Promise<{ readonly id: RowId<'account'>; readonly currency: string }> {
    const [ownerId, id] = [ownerOf(owner), connectionOf(connection)];
    const accounts = await accountsOfConnections(this.#deps.db, ownerId, [id]);
    const account = accounts.find((one) => one.upstream_id === upstreamId);
    if (account === undefined)
      throw new UpstreamFailure('account_gone', 'There is no such account of files.');
    return account;
  }
}

interface FoundRow {
  readonly row: StoredRow;
  readonly takenAt: number;
  readonly live: boolean;
}

function merged(row: StoredRow, takenAt: number, other: FoundRow | undefined): FoundRow {
  if (other === undefined) return { row, takenAt, live: row.live };
  return {
    row: saysMore(row, other.row) ? row : other.row,
    takenAt: Math.max(takenAt, other.takenAt),
    live: row.live || other.live,
  };
}

/** Documents whose rows are read together. */
function groupsOf(
  documents: Awaited<ReturnType<typeof documentsOfAccount>>,
): readonly (readonly RowId<'document'>[])[] {
  const groups: RowId<'document'>[][] = [];
  let room = 0;
  for (const { document, bytes } of documents) {
    const group = groups.at(-1);
    if (group === undefined || bytes > room) {
      groups.push([document]);
      room = READ_BYTES - bytes;
      continue;
    }
    group.push(document);
    room -= bytes;
  }
  return groups;
}

function saysMore(row: StoredRow, other: StoredRow): boolean {
  const [one, two] = [membersOf(row), membersOf(other)];
  const [filled, otherFilled] = [one, two].map(
    (members) => members.filter((member) => member !== null).length,
  );
  if (filled !== otherFilled) return (filled ?? 0) > (otherFilled ?? 0);
  return JSON.stringify(one) < JSON.stringify(two);
}

function membersOf({ reference, datetime, valueDate, counterparty, memo, description, date }: StoredRow) {
  return [reference, datetime, valueDate, counterparty, memo, description, date];
}

/** Raises a RangeError for an amount that was checked before it was stored. */
export function transactionOf(row: StoredRow, accountCurrency: string): ShownRow['row'] {
  const { money, decimal } = exactMoney(row.amount, row.currency ?? accountCurrency);
  return {
    id: providerRowId('transaction', 'statement_files', row.id),
    status: 'posted',
    date: row.date,
    datetime: row.datetime,
    post_date: row.date,
    post_datetime: null,
    value_date: row.valueDate,
    value_datetime: null,
    description: row.description,
    reference: row.reference,
    extended_description: row.memo,
    amount: money,
    amount_decimal: decimal,
    direction: directionOf(money.amount),
    class: row.class,
    provider_category: null,
    primary_category: null,
    merchant_name: row.counterparty,
    merchant_category_code: null,
  };
}

function takenAtOf(pieces: readonly AccountPiece[]): number {
  return pieces[0]?.taken_at.getTime() ?? 0;
}

function ownerOf(text: string): OwnerId {
  if (isRowId('account_record', text)) return text;
  throw new UpstreamFailure('grant_rejected', 'The grant of the statement files cannot be used.');
}

function connectionOf(text: string): RowId<'connection'> {
  if (isRowId('connection', text)) return text;
  throw new UpstreamFailure('grant_rejected', 'The grant of the statement files cannot be used.');
}

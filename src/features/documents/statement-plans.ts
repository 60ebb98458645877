import { inSlices } from '../../platform/event-loop-budget.ts';
import type {
  ParsedFile,
  Statement,
  StatementRow,
  UnreadableRow,
} from '../../statements/statement-contract.ts';
import type { Account } from '../../storage/accounts.ts';
import type { Db } from '../../storage/database.ts';
import { type Document, documentAccounts } from '../../storage/documents.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { exactMoney } from '../../vocabulary/money.ts';
import { PROVIDERS } from '../../vocabulary/provider-kinds.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';
import type { FileAccount, StatementConnections } from '../linking/statement-connections.ts';
import type { StoredRow } from './document-secrets.ts';

const MOST_NAME = 200;

/** A row that can be stored once it has its id. */
export type DraftRow = Omit<StoredRow, 'id' | 'live'>;

/** One account of a file: which of the owner's it is, and its rows. */
export interface StatementPlan {
  readonly seen: FileAccount;
  /** The account of files; null if it is made when the file is taken. */
  readonly ofFiles: Account | null;
  /** The same account, linked live. */
  readonly live: Account | null;
  readonly rows: readonly DraftRow[];
  /** Rows that had not been posted yet, which are left out: the next file has them posted. */
  readonly pending: number;
  readonly unreadable: readonly UnreadableRow[];
  readonly from: Statement['from'];
  readonly to: Statement['to'];
}

/**
 * Which account each statement of a file belongs to: the one its owner named; else the one with its number. Raises
 * `parameter_invalid` if its owner named one for a file with several.
 */
export async function planStatements(
  deps: { readonly db: Db; readonly connections: StatementConnections },
  owner: OwnerId,
  document: Pick<Document, 'account'>,
  file: ParsedFile,
): Promise<readonly StatementPlan[]> {
  if (document.account !== null && file.statements.length > 1) {
    throw invalidParameter(
      'account',
      `The file has statements of ${file.statements.length} accounts, so no one account can be named for it.`,
    );
  }
  const plans: StatementPlan[] = [];
  for (const statement of file.statements) {
    const { ofFiles, live } = await targetOf(deps, owner, document, statement.account.number);
    const known = seenOf(statement, live);
    const seen = {
      ...known,
      currency: known.currency ?? (await deps.connections.usualCurrency(deps.db, owner)),
    };
    const currency = ofFiles?.currency ?? seen.currency;
    const { rows, unreadable } = await draftsOf(statement.rows, currency);
    plans.push({
      seen,
      ofFiles,
      live,
      rows,
      pending: statement.rows.filter(({ pending }) => pending).length,
      unreadable: [...statement.unreadable, ...unreadable],
      ...daysOf(statement, rows),
    });
  }
  return joined(plans);
}

type Target = Pick<StatementPlan, 'ofFiles' | 'live'>;

/** Which of the owner's accounts rows under this number belong to. `db`: a transaction, to see what it has made. */
export async function targetOf(
  { db, connections }: { readonly db: Db; readonly connections: StatementConnections },
  owner: OwnerId,
  { account: named }: Pick<Document, 'account'>,
  number: string | null,
): Promise<Target> {
  const remembered = await documentAccounts(db, owner);
  const numbered =
    number === null ? { ofFiles: null, live: null } : await connections.withNumber(db, owner, number);
  const chosen = named === null ? null : await connections.account(db, owner, named);
  const isOfFiles = chosen !== null && PROVIDERS[chosen.provider].category === 'documents';
  const live = chosen === null || isOfFiles ? numbered.live : chosen;
  const ofFiles = isOfFiles ? chosen : numbered.ofFiles;
  if (ofFiles !== null) {
    const beside = remembered.find(({ id }) => id === ofFiles.id)?.live_account ?? null;
    return { ofFiles, live: live ?? (beside === null ? null : await connections.find(db, owner, beside)) };
  }
  const before = live === null ? undefined : remembered.find((row) => row.live_account === live.id);
  return { ofFiles: before === undefined ? null : await connections.find(db, owner, before.id), live };
}

/** What a file says of its account; the currency is null if nothing in it, and no live account, has one. */
function seenOf(
  { account, rows }: Statement,
  live: Account | null,
): Omit<FileAccount, 'currency'> & { readonly currency: string | null } {
  return {
    number: account.number,
    name: (account.name ?? live?.name ?? 'Statement').slice(0, MOST_NAME),
    type: account.type ?? live?.type ?? 'other',
    currency:
      account.currency ?? live?.currency ?? rows.find((row) => row.currency !== null)?.currency ?? null,
  };
}

async function draftsOf(
  rows: readonly StatementRow[],
  accountCurrency: string,
): Promise<{ readonly rows: readonly DraftRow[]; readonly unreadable: readonly UnreadableRow[] }> {
  const unreadable: UnreadableRow[] = [];
  const drafts: DraftRow[] = [];
  await inSlices(rows, (row) => {
    if (row.pending) return;
    if (!isExact(row.amount, row.currency ?? accountCurrency)) {
      unreadable.push({ position: row.position, field: 'amount' });
      return;
    }
    const { date, datetime, valueDate, amount, currency, description, reference, counterparty, memo } = row;
    drafts.push({
      date,
      datetime,
      valueDate,
      amount,
      currency: currency === accountCurrency ? null : currency,
      description,
      reference,
      counterparty,
      memo,
      class: row.class,
    });
  });
  return { rows: drafts, unreadable };
}

function isExact(amount: string, currency: string): boolean {
  try {
    exactMoney(amount, currency);
    return true;
  } catch {
    return false;
  }
}

/** The days that the file names; of one that names none, those of its rows. */
function daysOf({ from, to }: Statement, rows: readonly DraftRow[]): Pick<StatementPlan, 'from' | 'to'> {
  const days = rows.map(({ date }) => date).sort();
  return { from: from ?? days[0] ?? null, to: to ?? days.at(-1) ?? null };
}

/** One plan for each account: some formats have a statement for each day of an account. */
function joined(plans: readonly StatementPlan[]): readonly StatementPlan[] {
  const keyOf = ([at, { ofFiles, seen, live }]: readonly [number, StatementPlan]): string =>
    ofFiles?.id ?? live?.id ?? seen.number ?? `${at}`;
  return [...Map.groupBy(plans.entries(), keyOf).values()].flatMap((same) => {
    const all = same.map(([, plan]) => plan);
    const [first] = all;
    if (first === undefined) return [];
    const days = (end: 'from' | 'to') => all.map((plan) => plan[end]).sort();
    return [
      {
        ...first,
        rows: all.flatMap(({ rows }) => rows),
        pending: all.reduce((sum, { pending }) => sum + pending, 0),
        unreadable: all.flatMap(({ unreadable }) => unreadable),
        from: days('from').includes(null) ? null : (days('from')[0] ?? null),
        to: days('to').includes(null) ? null : (days('to').at(-1) ?? null),
      },
    ];
  });
}

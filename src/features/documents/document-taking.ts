import { EventLoopBudget, inSlices } from '../../platform/event-loop-budget.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { CsvGuess, CsvLayout, CsvPreviewRow } from '../../statements/statement-contract.ts';
import type { Account } from '../../storage/accounts.ts';
import type { Trx } from '../../storage/database.ts';
import type { DocumentPart } from '../../storage/document-tables.ts';
import {
  type Document,
  deletePiecesOfRows,
  documentAccounts,
  findDocument,
  insertPiece,
  rememberDocumentAccount,
  updateDocument,
} from '../../storage/documents.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import type { Actor } from '../../vocabulary/actors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { addDays, type LocalDate, localDateAt, monthsBefore } from '../../vocabulary/moments.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { AccountReads } from '../reads/account-reads.ts';
import type { StoredRow } from './document-secrets.ts';
import { type Documents, type DocumentsDependencies, type OpenedDocument, parsed } from './documents.ts';
import { foundLive, LIVE_DAYS } from './live-rows.ts';
import { contentOf, identifyRows, type KnownRow } from './row-identity.ts';
import { planStatements, type StatementPlan, targetOf } from './statement-plans.ts';
import { type StoredStatements, transactionOf } from './stored-statements.ts';

type Id = RowId<'document'>;

export interface TakingDependencies extends DocumentsDependencies {
  readonly documents: Documents;
  readonly statements: StoredStatements;
  readonly accountReads: Pick<AccountReads, 'transactions'>;
}

/** `known`: an earlier file has it. `live`: the feed of the same account has it, so it is left out. */
export type RowOutcome = 'new' | 'known' | 'live';

export interface PreviewedStatement {
  readonly plan: StatementPlan;
  /** The account of files that has most of these rows, where nothing says to which account they belong. */
  readonly alike: RowId<'account'> | null;
  readonly counts: Readonly<Record<RowOutcome, number>>;
  /** The first rows, as they would be shown. */
  readonly rows: readonly { readonly row: Transaction; readonly outcome: RowOutcome }[];
}

/** Who decided how a CSV is read: its owner for this file, or for an earlier one of the account, or the guess. */
export const LAYOUT_SOURCES = ['document', 'account', 'guess'] as const;
export type LayoutSource = (typeof LAYOUT_SOURCES)[number];

export interface DocumentPreview {
  readonly opened: OpenedDocument;
  readonly csv: {
    readonly guess: CsvGuess;
    /** Null if the columns have to be named first. */
    readonly layout: CsvLayout | null;
    readonly layoutFrom: LayoutSource | null;
    readonly header: readonly string[];
    /** `unreadable` is null while there is no layout. */
    readonly rows: readonly CsvPreviewRow[];
  } | null;
  readonly statements: readonly PreviewedStatement[];
}

/** A plan with which of its rows the live feed has. */
interface ComparedPlan {
  readonly plan: StatementPlan;
  readonly live: readonly boolean[];
}

/** Shows what is in a document, takes its rows, and takes them out again. */
export class DocumentTaking {
  readonly #deps: TakingDependencies;

  constructor(deps: TakingDependencies) {
    this.#deps = deps;
  }

  /** Stores nothing. Raises `resource_missing`, `document_unusable`, and what reading the live feed raises. */
  async preview(owner: OwnerId, id: Id, most: number, signal: AbortSignal): Promise<DocumentPreview> {
    const { documents, reading, statements, db, secrets } = this.#deps;
    const document = await documents.row(owner, id);
    const { content } = await documents.file(owner, id);
    const own = await documents.layoutOf(document);
    const sourceOfOwn = document.layout === null ? ('account' as const) : ('document' as const);
    const csv =
      document.format !== 'csv'
        ? null
        : await reading.inTurn(owner, signal, async (parsers) => {
            const guess = await parsers.guessCsv(content, signal);
            const layout = own ?? guess.layout;
            const shown = await parsers.previewCsv(content, layout ?? splitOnly(guess), most, signal);
            const rows = layout === null ? shown.rows.map(undecided) : shown.rows;
            const layoutFrom = own === null ? ('guess' as const) : sourceOfOwn;
            return {
              guess,
              layout,
              layoutFrom: layout === null ? null : layoutFrom,
              header: shown.header,
              rows,
            };
          });
    const opened = documents.opened(document);
    if (csv !== null && csv.layout === null) return { opened, csv, statements: [] };
    const compared = await this.#compared(owner, document, content, signal);
    const previewed: PreviewedStatement[] = [];
    // Read once for all statements of the file, of which there may be many.
    const rowsOf = new Map<RowId<'account'>, Promise<readonly KnownRow[]>>();
    const knownOf = (account: RowId<'account'>): Promise<readonly KnownRow[]> => {
      const rows = rowsOf.get(account) ?? statements.known(db, owner, account);
      rowsOf.set(account, rows);
      return rows;
    };
    let known: Promise<AccountsByContent> | null = null;
    const contents = () => {
      known ??= this.#contents(owner, id, knownOf, signal);
      return known;
    };
    for (const { plan, live } of compared) {
      signal.throwIfAborted();
      const others = plan.ofFiles === null ? [] : await knownOf(plan.ofFiles.id);
      const rest = others.filter(({ file }) => file !== id);
      const before = new Set(rest.map((row) => row.id));
      const ids = await identifyRows(plan.rows, rest, document.format, (text, nth) =>
        secrets.rowId(owner, text, nth),
      );
      const outcomes = ids.map((rowId, at) => outcomeOf(live[at] === true, before.has(rowId)));
      const currency = plan.ofFiles?.currency ?? plan.seen.currency;
      const belongs = plan.ofFiles !== null || plan.live !== null || plan.seen.number !== null;
      previewed.push({
        plan,
        alike: belongs || plan.rows.length === 0 ? null : alikeOf(plan.rows, await contents()),
        counts: countsOf(outcomes),
        rows: plan.rows.slice(0, most).map((row, at) => ({
          row: transactionOf({ ...row, id: ids[at] ?? '', live: false }, currency),
          outcome: outcomes[at] ?? 'new',
        })),
      });
    }
    return { opened, csv, statements: previewed };
  }

  /**
   * Makes the rows of the document readable: those that no earlier file of their account and not its live feed has. One
   * that is taken already stays as it is. Raises as `preview`, `connection_limit`, and `parameter_invalid` at the
   * maximum of rows.
   */
  async take(owner: OwnerId, id: Id, actor: Actor, signal: AbortSignal): Promise<OpenedDocument> {
    const { db, documents, connections, notices } = this.#deps;
    const document = await documents.row(owner, id);
    if (document.taken_at !== null) return documents.opened(document);
    const { content } = await documents.file(owner, id);
    const compared = await this.#compared(owner, document, content, signal);
    const layout = document.format === 'csv' ? await documents.layoutOf(document) : null;
    const taken = await db.transaction().execute(async (trx) => {
      // Locks the account record: of two files taken at once, the later one knows the rows of the earlier one.
      const connection = await connections.connect(trx, owner, actor);
      const meanwhile = await findDocument(trx, owner, id);
      if (meanwhile === null) throw missing('document');
      if (meanwhile.taken_at !== null) return meanwhile;
      const parts: DocumentPart[] = [];
      const count = compared.reduce((sum, { plan }) => sum + plan.rows.length, 0);
      await documents.requireRoomForRows(trx, owner, count);
      await deletePiecesOfRows(trx, owner, id);
      for (const { plan, live } of compared) {
        // Another file of the account may have been taken since the plan was made.
        const { ofFiles } = await targetOf({ db: trx, connections }, owner, meanwhile, plan.seen.number);
        const account = ofFiles ?? (await connections.addAccount(trx, connection, plan.seen));
        parts.push(await this.#store(trx, owner, document, account, { plan, live }));
        await rememberDocumentAccount(trx, {
          id: account.id,
          account_record: owner,
          ...(plan.live === null ? {} : { live_account: plan.live.id }),
          ...(layout === null ? {} : { layout: jsonColumn(layout) }),
          updated: this.#now(),
        });
      }
      const now = this.#now();
      const row = await updateDocument(trx, owner, id, {
        connection: connection.id,
        parts: JSON.stringify(parts),
        taken_at: now,
        undone_at: null,
        delivered_at: null,
        updated: now,
      });
      if (row === null) throw missing('document');
      await documents.changed(trx, connections, row);
      return row;
    });
    if (taken.connection !== null) notices.deliver({ kind: 'connection', id: taken.connection });
    return documents.opened(taken);
  }

  /** Takes the rows out again; those that another file has stay. The file is kept. Raises `resource_missing`. */
  async undo(owner: OwnerId, id: Id): Promise<OpenedDocument> {
    const { db, documents, connections, notices } = this.#deps;
    const document = await documents.row(owner, id);
    if (document.taken_at === null) return documents.opened(document);
    const [part, ...more] = document.parts;
    const row = await db.transaction().execute(async (trx) => {
      await deletePiecesOfRows(trx, owner, id);
      const now = this.#now();
      const undone = await updateDocument(trx, owner, id, {
        parts: JSON.stringify([]),
        // Taken again, it goes where it was.
        ...(part === undefined || more.length > 0 || document.account !== null
          ? {}
          : { account: part.account }),
        taken_at: null,
        undone_at: now,
        delivered_at: null,
        updated: now,
      });
      if (undone === null) throw missing('document');
      await documents.changed(trx, connections, document);
      return undone;
    });
    if (row.connection !== null) notices.deliver({ kind: 'connection', id: row.connection });
    return documents.opened(row);
  }

  /** The contents of all rows that were taken from other files, with the accounts of files that have them. */
  async #contents(
    owner: OwnerId,
    id: Id,
    knownOf: (account: RowId<'account'>) => Promise<readonly KnownRow[]>,
    signal: AbortSignal,
  ): Promise<AccountsByContent> {
    const budget = new EventLoopBudget();
    const found = new Map<string, Set<RowId<'account'>>>();
    for (const account of await documentAccounts(this.#deps.db, owner)) {
      signal.throwIfAborted();
      await inSlices(
        await knownOf(account.id),
        (row) => {
          if (row.file === id) return;
          const content = contentOf(row);
          const accounts = found.get(content);
          if (accounts === undefined) found.set(content, new Set([account.id]));
          else accounts.add(account.id);
        },
        budget,
      );
    }
    return found;
  }

  async #compared(
    owner: OwnerId,
    document: Document,
    content: Uint8Array,
    signal: AbortSignal,
  ): Promise<readonly ComparedPlan[]> {
    const { db, documents, reading, connections } = this.#deps;
    const layout = document.format === 'csv' ? await documents.layoutOf(document) : null;
    const file = await reading.inTurn(owner, signal, (parsers) => parsed(parsers, content, layout, signal));
    const plans = await planStatements({ db, connections }, owner, document, file);
    const compared: ComparedPlan[] = [];
    for (const plan of plans) compared.push({ plan, live: await this.#live(owner, plan, signal) });
    return compared;
  }

  /**
   * Which rows the live feed has, within the days that it reaches back; none of an account that its bank no longer
   * returns.
   */
  async #live(
    owner: OwnerId,
    { live, rows, ofFiles, seen }: StatementPlan,
    signal: AbortSignal,
  ): Promise<readonly boolean[]> {
    if (live === null || rows.length === 0) return rows.map(() => false);
    const { clock, limits, accountReads } = this.#deps;
    const today = localDateAt(clock.now(), live.timezone);
    const floor = monthsBefore(today, limits.history_months);
    const within = (day: LocalDate): LocalDate => (day < floor ? floor : day > today ? today : day);
    const dates = rows.map(({ date }) => date).sort();
    const [first = today] = dates;
    const last = dates.at(-1) ?? today;
    if (last < addDays(floor, -LIVE_DAYS)) return rows.map(() => false);
    const from = within(addDays(within(first), -LIVE_DAYS));
    const to = addDays(within(last), LIVE_DAYS);
    // Its days are not older than the history, also if a day begins meanwhile.
    const query = { account: live.id, from, to, begun: true, includePending: false };
    const list = await accountReads.transactions(owner, query, signal).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'account_unavailable') return { rows: [] };
      throw error;
    });
    const currency = ofFiles?.currency ?? seen.currency;
    return foundLive(
      rows.map((row) => ({ date: row.date, amount: row.amount, currency: row.currency ?? currency })),
      list.rows,
    );
  }

  async #store(
    trx: Trx,
    owner: OwnerId,
    { id: document, format }: Document,
    account: Account,
    { plan, live }: ComparedPlan,
  ): Promise<DocumentPart> {
    const { statements, secrets, clock } = this.#deps;
    const known = await statements.known(trx, owner, account.id);
    const ids = await identifyRows(plan.rows, known, format, (text, nth) => secrets.rowId(owner, text, nth));
    const rows = plan.rows.map(
      (row, at): StoredRow => ({ ...row, id: ids[at] ?? '', live: live[at] === true }),
    );
    let position = 0;
    for (const piece of secrets.sealRows(rows, () => newRowId(clock))) {
      await insertPiece(trx, { ...piece, account_record: owner, document, account: account.id, position });
      position += 1;
    }
    const left = rows.filter((row) => row.live).length;
    return { account: account.id, rows: rows.length - left, live: left };
  }

  #now(): Date {
    return new Date(this.#deps.clock.now());
  }
}

/** For a CSV whose columns have to be named: shows its cells, so that someone can name them. */
function splitOnly({ delimiter, skipLines }: CsvGuess): CsvLayout {
  return {
    delimiter,
    skipLines,
    header: true,
    columns: {
      date: 0,
      valueDate: null,
      amount: null,
      debit: null,
      credit: null,
      direction: null,
      description: [0],
      counterparty: null,
      reference: null,
      currency: null,
      category: null,
      balance: null,
      account: null,
    },
    dateOrder: 'ymd',
    decimalSign: '.',
    positive: 'in',
  };
}

function undecided(row: CsvPreviewRow): CsvPreviewRow {
  return { ...row, unreadable: null };
}

function outcomeOf(live: boolean, known: boolean): RowOutcome {
  return live ? 'live' : known ? 'known' : 'new';
}

function countsOf(outcomes: readonly RowOutcome[]): Readonly<Record<RowOutcome, number>> {
  const counts = { new: 0, known: 0, live: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

type AccountsByContent = ReadonlyMap<string, ReadonlySet<RowId<'account'>>>;

/** The account that has most of these rows already; null if none has half of them. */
function alikeOf(rows: StatementPlan['rows'], known: AccountsByContent): RowId<'account'> | null {
  const counts = new Map<RowId<'account'>, number>();
  const contents = new Set(rows.map(contentOf));
  for (const content of contents)
    for (const account of known.get(content) ?? []) counts.set(account, (counts.get(account) ?? 0) + 1);
  let alike: RowId<'account'> | null = null;
  let most = Math.max(1, contents.size / 2);
  for (const [account, count] of counts) {
    if (count < most) continue;
    alike = account;
    most = count + 1;
  }
  return alike;
}

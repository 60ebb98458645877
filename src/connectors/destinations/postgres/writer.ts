import { publicId } from '../../../vocabulary/ids.ts';
import type { DeliveryRow, OutgoingChunk, Snapshot, WrittenChunk } from '../delivery-rows.ts';
import type {
  DestinationOpening,
  DestinationWriter,
  RunEnding,
  TargetReading,
} from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { SharedIds } from '../kit/shared-ids.ts';
import {
  BALANCE_VALUES,
  holdingValues,
  READ_MOMENT,
  TRADE_VALUES,
  TRANSACTION_VALUES,
} from '../row-values.ts';
import { putStatement, requireExact, writeChunk } from './chunk-write.ts';
import type { Session, Sessions } from './client.ts';
import { asDestinationFailure } from './failures.ts';
import { existingRows, shownOf } from './reading.ts';
import { encoded, type GivenRow, keysOf, listsOf, qualifiedKey, valuesOf } from './rows.ts';
import { credentialsOf } from './secret.ts';
import {
  type Contents,
  ensureChunks,
  type Field,
  fieldsOf,
  makingTables,
  openTable,
  type Place,
  suffixed,
  type Table,
  WRITER,
} from './table.ts';

const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(['account', 'account_number', 'institution']);

/** For as long as a chunk may be unconfirmed; one that is written again later is recognised by its rows. */
const MARK_LIFETIME = '30 days';

/** Writes one run. It connects when there is something to write, so a run with nothing new makes no connection. */
export class PostgresWriter implements DestinationWriter {
  readonly reading: TargetReading;
  readonly #opening: DestinationOpening;
  readonly #sessions: Sessions;
  readonly #sharedIds: SharedIds;
  readonly #place: Place;
  readonly #fields: readonly Field[];
  #session: Session | null = null;
  #rows: { readonly table: Table; readonly chunks: string } | null = null;
  readonly #snapshots = new Map<Contents, Table>();

  constructor(sessions: Sessions, opening: DestinationOpening) {
    const { target, sync } = opening;
    this.#sessions = sessions;
    this.#sharedIds = new SharedIds(opening.accountsWithRows);
    this.#opening = opening;
    this.#place = { schema: target.schema ?? '', table: target.table ?? '' };
    this.#fields = fieldsOf(sync.type, sync.columns);
    this.reading = {
      shown: (text) => shownOf(this.#fields, text),
      shownHolding: (holding, of) => {
        const compared = this.#fields.filter(({ name }) => name !== READ_MOMENT);
        return shownOf(compared, encoded(Object.entries(holdingValues(holding, of))));
      },
      keysOf: (id, _ref, account) => keysOf(sync.type, id, account),
      accountFields: this.#fields.map(({ name }) => name).filter((name) => ACCOUNT_FIELDS.has(name)),
      rows: (signal) => this.#existing(signal),
    };
  }

  encode(row: DeliveryRow): string {
    const values =
      row.kind === 'transaction'
        ? Object.entries(TRANSACTION_VALUES).map(([name, of]) => [name, of(row)] as const)
        : Object.entries(TRADE_VALUES).map(([name, of]) => [name, of(row)] as const);
    return encoded(values.filter(([name]) => this.#fields.some((field) => field.name === name)));
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const ids = await this.#sharedIds.of([...chunk.added, ...chunk.updated, ...chunk.removed]);
    return this.#committing(signal, async (session, committing) => {
      this.#rows ??= await makingTables(session, signal, async () => ({
        chunks: await ensureChunks(session, this.#place.schema, signal),
        table: await openTable(session, this.#place, this.#fields, { makes: false }, signal),
      }));
      const { id, type } = this.#opening.sync;
      const written = await writeChunk(
        { session, ...this.#rows, sync: id, type, ids, signal, committing },
        chunk,
      );
      this.#sharedIds.note(chunk, written.rejected);
      return written;
    });
  }

  async writeSnapshot(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const contents: Contents = snapshot.kind === 'balance' ? 'balances' : 'holdings';
    await this.#committing(signal, async (session, committing) => {
      const table = await this.#snapshotTable(session, contents, signal);
      const replace = () => replaceSnapshot(session, table, snapshot, this.#writerId, signal);
      await session.transaction(signal, replace, { committing });
    });
  }

  get #writerId(): string {
    return publicId('sync', this.#opening.sync.id);
  }

  async #snapshotTable(session: Session, contents: Contents, signal: AbortSignal): Promise<Table> {
    const known = this.#snapshots.get(contents);
    if (known !== undefined) return known;
    const table = await makingTables(session, signal, () => {
      if (contents === 'holdings') {
        return openTable(session, this.#place, [...this.#fields, WRITER], { makes: false }, signal);
      }
      const balances = { ...this.#place, table: suffixed(this.#place.table, '_balances') };
      return openTable(session, balances, [...fieldsOf(contents, null), WRITER], { makes: true }, signal);
    });
    this.#snapshots.set(contents, table);
    return table;
  }

  /** Deletes marks that are no longer needed, and snapshots of accounts that are no longer in the sync. */
  async finish({ accounts, wrote }: RunEnding, signal: AbortSignal): Promise<void> {
    const hasPositions = this.#opening.sync.type === 'holdings';
    if (!wrote || (this.#session === null && !hasPositions)) return;
    const ids = accounts.map((account) => publicId('account', account));
    await this.#committing(signal, async (session) => {
      if (hasPositions) await this.#snapshotTable(session, 'holdings', signal);
      await session.transaction(signal, () => this.#tidy(session, ids, signal));
    });
  }

  async #tidy(session: Session, accounts: readonly string[], signal: AbortSignal): Promise<void> {
    if (this.#rows !== null) {
      const { chunks } = this.#rows;
      const old = `written_at < now() - interval '${MARK_LIFETIME}'`;
      await session.ask(`delete from ${chunks} where ${old}`, [], signal);
    }
    for (const { name, owner, columns } of this.#snapshots.values()) {
      const writer = columns.find(({ field }) => field === WRITER);
      if (writer === undefined) continue;
      const gone = `${writer.name}::text = $2 and not (${owner.name}::text = any($1::text[]))`;
      await session.ask(`delete from ${name} where ${gone}`, [accounts, this.#writerId], signal);
    }
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }

  async *#existing(signal: AbortSignal) {
    const { type } = this.#opening.sync;
    try {
      const session = await this.#connected(signal);
      yield* existingRows(session, { place: this.#place, fields: this.#fields, type }, signal);
    } catch (error) {
      throw asDestinationFailure(error, 'refused', signal);
    }
  }

  /** A failure before `committing` is called means that certainly nothing was written. */
  async #committing<T>(
    signal: AbortSignal,
    work: (session: Session, committing: () => void) => Promise<T>,
  ): Promise<T> {
    let isInDoubt = false;
    try {
      const session = await this.#connected(signal);
      return await work(session, () => {
        isInDoubt = true;
      });
    } catch (error) {
      // Anything open on it is lost: the next attempt uses a new connection.
      await this.close();
      this.#rows = null;
      this.#snapshots.clear();
      throw asDestinationFailure(error, isInDoubt ? 'unknown' : 'refused', signal);
    }
  }

  async #connected(signal: AbortSignal): Promise<Session> {
    if (this.#session !== null && !this.#session.broken) return this.#session;
    await this.close();
    const { access, owner } = this.#opening;
    if (access === null) {
      const known = { outcome: 'refused', retryable: false } as const;
      throw new DestinationFailure('destination_auth_failed', 'The destination has no secret.', known);
    }
    this.#session = await this.#sessions.open(owner, credentialsOf(await access.current()), signal);
    return this.#session;
  }
}

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
 * Replaces the account's rows with the snapshot, in the open transaction; idempotent. Raises what `ask` raises, and
 * InexactColumn.
 *
 * @param writer id of the sync
 */
async function replaceSnapshot(
  session: Session,
  table: Table,
  snapshot: Snapshot,
  writer: string,
  signal: AbortSignal,
): Promise<void> {
  const { key, owner, name } = table;
  const rows = rowsOf(snapshot, writer);
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

import { Type } from 'typebox';
import type {
  ChunkRow,
  DeliveryRow,
  ExistedAs,
  ExistingRow,
  OutgoingChunk,
  Snapshot,
  WrittenChunk,
} from '../../../../src/connectors/destinations/delivery-rows.ts';
import type {
  DestinationAccess,
  DestinationWriter,
  OpenedSync,
  RunEnding,
  ShownRow,
  TargetReading,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import type { PaperclipClient } from './client.ts';

const Stored = Type.Object({ id: Type.String(), ref: Type.String() });
const Written = Type.Object({ rows: Type.Array(Stored), rejected: Type.Array(Type.String()) });
const Found = Type.Object({
  rows: Type.Array(
    Type.Object({ id: Type.String(), ref: Type.String(), text: Type.String(), made: Type.Number() }),
  ),
});
const Listed = Type.Intersect([Found, Type.Object({ more: Type.Boolean() })]);
const Anything = Type.Unknown();

/** Writes the rows of one run into one document, by Paperclip's own times telling its rows from those that was there. */
export class PaperclipWriter implements DestinationWriter {
  readonly #client: PaperclipClient;
  readonly #access: DestinationAccess;
  readonly #sync: OpenedSync;
  readonly #document: string;

  constructor(client: PaperclipClient, access: DestinationAccess, sync: OpenedSync, document: string) {
    this.#client = client;
    this.#access = access;
    this.#sync = sync;
    this.#document = document;
  }

  readonly reading: TargetReading = {
    shown: (text) => ({ Text: text }),
    keysOf: (id) => [id],
    rows: (signal) => this.#rows(signal),
  };

  encode(row: DeliveryRow): string {
    if (row.kind === 'trade') return JSON.stringify([row.trade.symbol, row.trade.quantity]);
    const { transaction } = row;
    const category = this.#sync.category_mappings.find(
      ({ provider_category: code }) => code === transaction.provider_category,
    );
    return JSON.stringify([
      transaction.status,
      transaction.amount.amount,
      category?.destination_category ?? null,
      transaction.description,
      transaction.amount_decimal,
    ]);
  }

  async write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    const existing = new Map((await this.#find(chunk.added, signal)).map((row) => [row.id, row]));
    const existed = new Map<string, ExistedAs>();
    const changed = chunk.updated.map((row) => this.#shown(row, row.remoteRef));
    for (const row of chunk.added) {
      const found = existing.get(row.id);
      if (found === undefined || found.made >= chunk.created) continue;
      existed.set(row.id, found.text === row.text ? 'same' : 'updated');
      if (found.text !== row.text) changed.push(this.#shown(row, found.ref));
    }
    const fresh = chunk.added.filter(({ id }) => !existing.has(id)).map((row) => this.#shown(row, null));
    const gone = chunk.removed.map((row) => this.#shown(row, row.remoteRef));
    const written = [
      await this.#send('PATCH', changed, signal),
      await this.#send('DELETE', gone, signal),
      await this.#send('POST', fresh, signal),
    ];
    const refs = [...existing.values(), ...written.flatMap(({ rows }) => rows)];
    return {
      rejected: written.flatMap(({ rejected }) => rejected),
      remoteRefs: new Map(refs.map(({ id, ref }) => [id, ref])),
      existed,
    };
  }

  async lookUp(
    rows: readonly Pick<ChunkRow, 'id'>[],
    created: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ExistingRow>> {
    const found = await this.#find(rows, signal);
    return new Map(found.map(({ id, ref, made }) => [id, { remoteRef: ref, older: made < created }]));
  }

  async writeSnapshot(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const rows =
      snapshot.kind === 'holdings'
        ? snapshot.holdings.map(({ symbol, quantity }) => [symbol, quantity])
        : [snapshot.current?.amount ?? null];
    const path = `/documents/${this.#document}/snapshots/${snapshot.kind}/${snapshot.account.id}`;
    await this.#client.call(this.#access, 'PUT', path, { body: rows, expect: Anything, signal });
  }

  async finish({ accounts, wrote }: RunEnding, signal: AbortSignal): Promise<void> {
    if (!wrote) return;
    const path = `/documents/${this.#document}/end`;
    await this.#client.call(this.#access, 'POST', path, { body: accounts, expect: Anything, signal });
  }

  async close(): Promise<void> {}

  async *#rows(signal: AbortSignal): AsyncGenerator<readonly ShownRow[]> {
    for (let after = 0; ; ) {
      const path = `/documents/${this.#document}/rows?after=${after}`;
      const { rows, more } = await this.#client.call(this.#access, 'GET', path, { expect: Listed, signal });
      yield rows.map(({ id, ref, text }) => ({ keys: [id], where: ref, values: { Text: text } }));
      if (!more) return;
      after += rows.length;
    }
  }

  async #find(rows: readonly { readonly id: string }[], signal: AbortSignal) {
    if (rows.length === 0) return [];
    const body = rows.map(({ id }) => id);
    const path = `/documents/${this.#document}/find`;
    return (await this.#client.call(this.#access, 'POST', path, { body, expect: Found, signal })).rows;
  }

  async #send(method: 'POST' | 'PATCH' | 'DELETE', rows: readonly unknown[], signal: AbortSignal) {
    if (rows.length === 0) return { rows: [], rejected: [] };
    const path = `/documents/${this.#document}/rows`;
    return this.#client.call(this.#access, method, path, {
      body: { rows },
      expect: Written,
      signal,
    });
  }

  /** In the tab of the row's account where it has one. */
  #shown({ id, account, text }: ChunkRow, ref: string | null) {
    const mapping = this.#sync.account_mappings.find((one) => one.account === account);
    return { id, ref, tab: mapping?.sheet_id ?? 'main', text: text ?? '' };
  }
}

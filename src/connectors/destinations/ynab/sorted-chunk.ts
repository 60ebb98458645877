import type { RowId } from '../../../vocabulary/ids.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { ChunkRow, OutgoingChunk } from '../outgoing-chunk.ts';
import { importIds } from './import-id.ts';
import type { OpenPlan } from './open-plan.ts';
import { decodeRow } from './rows.ts';
import { type SendableRow, sendable, type TakenDays } from './sendable.ts';

/** A row that can be sent, and where it goes. */
export interface PlacedRow {
  readonly source: ChunkRow;
  readonly row: SendableRow;
  /** The account of the plan. */
  readonly account: string;
  /** Under which of these it is imported where it is not there: the first that no other row has. */
  readonly freeIds: readonly string[];
  /** Under what it may have been imported before. */
  readonly importIds: readonly string[];
}

export interface SortedChunk {
  readonly added: readonly PlacedRow[];
  readonly updated: readonly PlacedRow[];
  /** Source ids of rows that are not sent at all, each with what YNAB cannot take of it. */
  readonly unsendable: ReadonlyMap<string, Refusal>;
}

/**
 * The rows of a chunk that YNAB can take, each with its account. Raises DestinationFailure
 * `destination_resource_missing` where that account is closed, and `run_failed` where a bank account has none.
 */
export function sortedChunk(
  { added, updated }: Pick<OutgoingChunk, 'added' | 'updated'>,
  plan: OpenPlan,
  places: ReadonlyMap<RowId<'account'>, string>,
  days: TakenDays,
): SortedChunk {
  const unsendable = new Map<string, Refusal>();
  const placed = (source: ChunkRow): PlacedRow[] => {
    const account = places.get(source.account);
    if (account === undefined) throw unmapped();
    plan.requireOpen(account);
    const row = source.text === null ? 'size' : sendable(decodeRow(source.text), plan.currency, days);
    if (typeof row !== 'string') return [{ source, row, account, ...importedAs(source, row) }];
    unsendable.set(source.id, row);
    return [];
  };
  return { added: added.flatMap(placed), updated: updated.flatMap(placed), unsendable };
}

function importedAs({ account, id }: ChunkRow, { cleared }: SendableRow) {
  const { posted, pending } = importIds(account, id);
  return { freeIds: cleared === 'cleared' ? posted : pending, importIds: [...posted, ...pending] };
}

function unmapped(): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    'A bank account of the sync is mapped to no account of the plan.',
    {
      outcome: 'refused',
      retryable: false,
    },
  );
}

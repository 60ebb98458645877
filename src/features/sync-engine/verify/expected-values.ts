import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { readSnapshot } from '../compare/holdings-diff.ts';
import { changeOf, encodedChange, ruledRow } from '../compare/row-changes.ts';
import { rowPages, wholeWindow } from '../read/reading-plan.ts';
import type { SyncSource } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';
import type { TargetView } from './verification-pass.ts';
import type { ProblemList } from './verification-result.ts';

/**
 * Reads the rows that differ a second time to report what they should show: only hashes of them were kept. For rows
 * that cannot be read now, this is left out.
 */
export async function addExpectedValues(
  context: ReadContext,
  source: SyncSource,
  streams: readonly DeliveryStream[],
  view: TargetView,
  problems: ProblemList,
): Promise<void> {
  const differing = problems.listed.filter(({ fields }) => fields.length > 0);
  for (const [account, rows] of Map.groupBy(differing, (problem) => problem.account)) {
    const stream = streams.find((one) => one.account === account);
    if (stream === undefined) continue;
    try {
      await readAgain(context, source, stream, view, new Set(rows.map(({ id }) => id)), (id, shown) =>
        problems.expect(account, id, shown),
      );
    } catch (error) {
      if (!(error instanceof ServiceError) && !context.reading.aborted) throw error;
    }
  }
}

async function readAgain(
  context: ReadContext,
  source: SyncSource,
  stream: DeliveryStream,
  view: TargetView,
  wanted: Set<string>,
  found: (id: string, shown: Readonly<Record<string, string | null>>) => void,
): Promise<void> {
  const { clock, limits, sync, reading } = context;
  const opened = await source.open(sync.account_record, stream.account);
  if (sync.type === 'holdings') {
    const snapshot = await readSnapshot(context, opened);
    for (const holding of snapshot.holdings) {
      const shown = wanted.has(holding.id) ? view.reading.shownHolding?.(holding, snapshot) : undefined;
      if (shown !== undefined) found(holding.id, shown);
    }
    return;
  }
  const window = wholeWindow({ now: clock.now(), limits, source: opened, options: sync.options });
  for await (const page of rowPages(opened, sync.type, window, reading)) {
    for (const row of page) {
      if (!wanted.delete(row.id)) continue;
      const more = { change: 'updated', countsAs: 'updated' } as const;
      const change = changeOf(context, stream, opened, ruledRow(context, row, stream), more);
      const { text } = encodedChange(view, change);
      if (text !== null) found(row.id, view.reading.shown(text));
    }
    if (wanted.size === 0) return;
  }
}

import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import { type DeliveredChunk, recordProgress } from '../../../storage/delivery-progress.ts';
import { LeaseLost, type RunContext } from './run-context.ts';

/** As `recordProgress`, and counts the rows for the operator. Raises LeaseLost, and what storage raises. */
export async function recordedProgress(
  { db, lease, metrics }: Pick<RunContext, 'db' | 'lease' | 'metrics'>,
  delivered: DeliveredChunk | null,
  intended: DeliveryChunk | null,
): Promise<void> {
  if (!(await recordProgress(db, lease, delivered, intended))) throw new LeaseLost();
  for (const outcome of ['added', 'updated', 'rejected'] as const) {
    const count = delivered?.lines.reduce((sum, line) => sum + line[outcome], 0) ?? 0;
    if (count > 0) metrics.syncRows(outcome, count);
  }
}

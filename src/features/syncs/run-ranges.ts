import type { SyncRunRow } from '../../storage/sync-runs.ts';
import type { SyncRow } from '../../storage/syncs.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { isLocalDate, type LocalDate, localDateAt, monthsBefore } from '../../vocabulary/moments.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { RunRange } from '../../vocabulary/syncs.ts';

/** The days that a caller wants to backfill, as text. */
export interface AskedRange {
  readonly from: string;
  /** null: today. */
  readonly to: string | null;
}

/** The days that a backfill reads; null for a run that reads what is due. */
export function rangeOf({
  range_from: from,
  range_to: to,
}: Pick<SyncRunRow, 'range_from' | 'range_to'>): RunRange | null {
  return from === null || to === null ? null : { from, to };
}

/**
 * The range that a backfill of the sync may read. A last day in the future becomes today, in the account record's zone.
 * Raises `not_supported` for holdings, `parameter_invalid`, `invalid_date_range` and `from_too_old`
 * (docs/resources.md#backfill).
 */
export function requireRange(
  { type, options }: Pick<SyncRow, 'type' | 'options'>,
  asked: AskedRange,
  { now, timezone, limits }: { readonly now: number; readonly timezone: string; readonly limits: Limits },
): RunRange {
  if (type === 'holdings') {
    throw new ServiceError('not_supported', {
      message: 'Holdings have no history to fill in: every run writes what the accounts hold now.',
    });
  }
  const today = localDateAt(now, timezone);
  const from = day('from', asked.from);
  const last = asked.to === null ? today : day('to', asked.to);
  const to = last > today ? today : last;
  if (from > to) {
    throw new ServiceError('invalid_date_range', {
      message: `from (${from}) is after ${last > today || asked.to === null ? `today (${today})` : `to (${to})`}.`,
      param: 'from',
    });
  }
  const floor = monthsBefore(today, limits.history_months);
  if (from < floor) {
    throw new ServiceError('from_too_old', {
      message: `Banking history reaches back to ${floor}.`,
      param: 'from',
    });
  }
  if (from < options.data_from) {
    throw invalidParameter(
      'from',
      `The sync delivers nothing from before ${options.data_from}, its options.data_from. Send that day or a later one; or move options.data_from back, and the next run reads everything since.`,
    );
  }
  return { from, to };
}

function day(param: 'from' | 'to', text: string): LocalDate {
  if (!isLocalDate(text)) throw invalidParameter(param, `${param} must be a day such as 2026-01-31.`);
  return text;
}

import { ApiError } from '#client';
import type { CategoryMapping } from '../../../../src/vocabulary/syncs.ts';
import type { AccountMapping } from './mapping-modes.ts';

/** A mapping that v2 refused, shown beside its field as long as the field has the refused value. */
export interface RefusedEntry {
  /** The account, or the code of the category. */
  readonly of: string;
  /** What it was mapped to. */
  readonly to: string;
  readonly message: string;
}

/** The entries of a request, in the order in which they were sent. */
export interface SentEntries {
  readonly account_mappings?: readonly AccountMapping[];
  readonly mappings?: readonly CategoryMapping[];
}

const PARAM = /^(account_mappings|mappings)\[(\d+)\]/;

/** The entry that the error names; null if it names none. */
export function refusedEntry(error: unknown, sent: SentEntries): RefusedEntry | null {
  if (!(error instanceof ApiError)) return null;
  const [, list, index = ''] = PARAM.exec(error.param ?? '') ?? [];
  const { message } = error;
  if (list === 'account_mappings') {
    const entry = sent.account_mappings?.[Number(index)];
    return entry === undefined ? null : { of: entry.account, to: placeIn(entry), message };
  }
  const entry = list === undefined ? undefined : sent.mappings?.[Number(index)];
  return entry === undefined
    ? null
    : { of: entry.provider_category, to: entry.destination_category, message };
}

/** The error for the field with this mapping, or undefined. */
export function errorOf(refused: RefusedEntry | null, of: string, to: string): string | undefined {
  return refused?.of === of && refused.to === to ? refused.message : undefined;
}

/** Where an entry sends the rows of its account; empty for nowhere. */
export function placeIn(mapping: AccountMapping | undefined): string {
  return mapping?.sheet_id ?? mapping?.destination_account ?? '';
}

/** Settles like the request, and records the refused entry. */
export async function notingRefused<T>(
  request: Promise<T>,
  sent: SentEntries,
  note: (refused: RefusedEntry | null) => void,
): Promise<T> {
  try {
    return await request;
  } catch (error) {
    note(refusedEntry(error, sent));
    throw error;
  }
}

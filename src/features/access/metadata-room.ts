import type { Db } from '../../storage/database.ts';
import { type MetadataTable, metadataBytes } from '../../storage/plan-usage.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Metadata } from '../../vocabulary/metadata.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

/**
 * For the end of a transaction that has written metadata: raises `parameter_invalid` (`metadata`) when that of all the
 * owner's objects of the kind is more than LIMIT_METADATA_BYTES, and nothing is written. Smaller metadata is always
 * written. Each object alone may be as large as docs/api-conventions.md#metadata allows; hundreds of those in one list
 * would delay all callers.
 */
export async function requireMetadataRoom(
  trx: Db,
  limits: Limits,
  kind: { readonly table: MetadataTable; readonly owner: OwnerId; readonly now: number },
  change: { readonly before: Metadata | null; readonly after: Metadata | null | undefined },
): Promise<void> {
  if (bytesOf(change.after) <= bytesOf(change.before)) return;
  const most = limits.metadata_bytes;
  if ((await metadataBytes(trx, kind.table, kind.owner, new Date(kind.now))) <= most) return;
  throw invalidParameter(
    'metadata',
    `The metadata of all ${kind.table.replaceAll('_', ' ')} together may take at most ${most} bytes; shorten some first.`,
  );
}

/** Whether as much more metadata fits, for what the owner cannot be told to shorten: a person is linking a bank. */
export async function hasMetadataRoom(
  trx: Db,
  limits: Limits,
  { table, owner, now }: { readonly table: MetadataTable; readonly owner: OwnerId; readonly now: number },
  more: Metadata,
): Promise<boolean> {
  return (await metadataBytes(trx, table, owner, new Date(now))) + bytesOf(more) <= limits.metadata_bytes;
}

function bytesOf(metadata: Metadata | null | undefined): number {
  return metadata == null ? 0 : Buffer.byteLength(JSON.stringify(metadata));
}

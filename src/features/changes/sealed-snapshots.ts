import { Keyring } from '../../platform/keyring.ts';
import { Sealer, UnsealError } from '../../platform/sealing.ts';
import type { ChangeSnapshot } from '../../storage/change-snapshots.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';

/** The first byte. 1 was a packed snapshot in clear. */
const VERSION = 2;
/** Every value is sealed under the one key of its feed, which has no other name. */
const KEY_ID = 'f';

/** The key of a feed, and which of its snapshots. */
export interface SnapshotPlace {
  readonly owner: OwnerId;
  readonly id: string;
  /** The cursor's (OpenedCursor), from which the key of the seal is derived for this purpose alone. */
  readonly macKey: Buffer;
}

/**
 * A packed snapshot as it is stored. Some providers make ids from what a row says, by a hash without a key, so ids in
 * clear could be compared with guesses. The key is the cursor's and not the service's: neither the database nor the
 * encryption key opens what no client asks about, and a rotation has no snapshot to re-seal.
 */
export function sealSnapshot(place: SnapshotPlace, packed: Buffer): Buffer {
  return Buffer.concat([Buffer.from([VERSION]), sealerOf(place).seal(packed, contextOf(place))]);
}

/** Null for a snapshot of an earlier format, and for one that was altered or moved: its cursor is of no use. */
export function openSnapshot(place: SnapshotPlace, { state }: Pick<ChangeSnapshot, 'state'>): Buffer | null {
  const [version] = state;
  if (version !== VERSION) return null;
  try {
    return sealerOf(place).open(Buffer.from(state).subarray(1), contextOf(place));
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

function sealerOf({ macKey }: SnapshotPlace): Sealer {
  return new Sealer(new Keyring([{ id: KEY_ID, key: macKey }]), 'change-snapshot');
}

function contextOf({ owner, id }: SnapshotPlace): string {
  return `change_snapshots/${owner}/${id}/state`;
}

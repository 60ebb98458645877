import { type Sealer, UnsealError } from '../../platform/sealing.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/** What a cursor contains. */
export interface OpenedCursor {
  /** The id of the snapshot. */
  readonly id: string;
  /** The key of the snapshot's MACs and of its seal, which is stored nowhere else. */
  readonly macKey: Buffer;
}

/**
 * Cursors of the change feed: sealed, and worthless to another account record or for another account, because both are
 * part of what the seal covers.
 */
export class ChangeCursors {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  seal(owner: OwnerId, account: RowId<'account'>, { id, macKey }: OpenedCursor): string {
    const text = JSON.stringify([id, macKey.toString('base64url')]);
    return this.#sealer.sealToken(text, contextOf(owner, account));
  }

  /** Whether the cursor, which this service issued, is sealed under the primary key. */
  isCurrent(cursor: string): boolean {
    return !this.#sealer.needsReseal(Buffer.from(cursor, 'base64url'));
  }

  /** Raises `cursor_invalid` for anything that was not issued to this owner for this account. */
  open(owner: OwnerId, account: RowId<'account'>, cursor: string): OpenedCursor {
    try {
      const opened = this.#sealer.openToken(cursor, contextOf(owner, account)).toString();
      const value: unknown = JSON.parse(opened);
      const [id, key]: unknown[] = Array.isArray(value) ? value : [];
      if (typeof id === 'string' && typeof key === 'string')
        return { id, macKey: Buffer.from(key, 'base64url') };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
    }
    throw new ServiceError('cursor_invalid', { param: 'cursor' });
  }
}

function contextOf(owner: OwnerId, account: RowId<'account'>): string {
  return `changes:${owner}:${account}`;
}

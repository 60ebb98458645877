import { newRowId } from '../../platform/row-id.ts';
import type { Trx } from '../../storage/database.ts';
import {
  type DestinationLinkRow,
  lockDestinationLink,
  updateDestinationLink,
} from '../../storage/destination-links.ts';
import {
  type DestinationRow,
  insertDestination,
  lockDestination,
  updateDestination,
} from '../../storage/destinations.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import type { DestinationLinkFailureReason } from '../../vocabulary/destinations.ts';
import { type RowId, rowId } from '../../vocabulary/ids.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { DestinationLinkingDependencies } from './destination-links.ts';
import { firstName, grantReplacement, newDestinationRow } from './destination-rows.ts';

type Dependencies = Pick<DestinationLinkingDependencies, 'db' | 'clock' | 'secrets' | 'revocations'>;

/**
 * Turns a grant into a destination in the transaction that ends the link. The link's row is locked meanwhile: a second
 * callback finds the link ended and changes nothing. Raises `destination_link_complete_failed`; the link is then as it
 * was.
 */
export class DestinationLinkCompletion {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The link as it is afterwards. A grant that is not stored is ended at the vendor. `name`: the name of a new
   * destination.
   */
  async complete(link: DestinationLinkRow, grant: string, name: string): Promise<DestinationLinkRow> {
    try {
      return await this.#complete(link, grant, name);
    } catch (error) {
      // The code is used up. What was stored nevertheless is in use, and is not ended.
      await this.#deps.db
        .transaction()
        .execute((trx) => this.giveBack(trx, link, grant))
        .catch(() => {
          // Then the person ends it at the vendor; the caller is notified of what went wrong first.
        });
      throw error;
    }
  }

  #complete(link: DestinationLinkRow, grant: string, name: string): Promise<DestinationLinkRow> {
    const giveBack = (trx: Trx) => this.giveBack(trx, link, grant);
    return this.#end(
      link,
      async (trx, open) => {
        if (open.renews === null)
          return this.#completed(trx, open, await this.#draft(trx, open, grant, name));
        if (await this.#renew(trx, open, open.renews, grant)) return this.#completed(trx, open, open.renews);
        await giveBack(trx);
        return this.#failed(trx, open, 'destination_deleted');
      },
      giveBack,
    );
  }

  /** Queues the end of a grant that no destination stored. */
  giveBack(trx: Trx, { account_record: owner, type }: DestinationLinkRow, grant: string): Promise<void> {
    return this.#deps.revocations.schedule(trx, owner, type, grant);
  }

  /** `grant`: what was granted nevertheless; it is ended at the vendor. */
  fail(
    link: DestinationLinkRow,
    reason: DestinationLinkFailureReason,
    grant?: string,
  ): Promise<DestinationLinkRow> {
    const giveBack = async (trx: Trx): Promise<void> => {
      if (grant !== undefined) await this.giveBack(trx, link, grant);
    };
    const work = async (trx: Trx, open: DestinationLinkRow) => {
      await giveBack(trx);
      return this.#failed(trx, open, reason);
    };
    return this.#end(link, work, giveBack);
  }

  #end(
    link: DestinationLinkRow,
    work: (trx: Trx, open: DestinationLinkRow) => Promise<DestinationLinkRow | null>,
    tooLate: (trx: Trx) => Promise<void> = async () => undefined,
  ): Promise<DestinationLinkRow> {
    return inRetryableTransaction(this.#deps.db, 'destination_link_complete_failed', async (trx) => {
      const open = await lockDestinationLink(trx, link.account_record, link.id);
      if (open === null) throw missing('destination link');
      if (open.completed_at !== null || open.failed_at !== null) {
        await tooLate(trx);
        return open;
      }
      return (await work(trx, open)) ?? open;
    });
  }

  /** A destination without a target (docs/states.md#destination: `incomplete`). */
  async #draft(
    trx: Trx,
    link: DestinationLinkRow,
    grant: string,
    name: string,
  ): Promise<RowId<'destination'>> {
    const { clock, secrets } = this.#deps;
    const id = rowId('destination', newRowId(clock));
    const row: DestinationRow = {
      ...newDestinationRow(
        {
          id,
          account_record: link.account_record,
          type: link.type,
          name: firstName(name, link.type),
          mac_key: secrets.newMacKey(id),
        },
        new Date(clock.now()),
      ),
      grant: secrets.sealGrant(id, grant),
    };
    await insertDestination(trx, row);
    return id;
  }

  /** False when the destination was deleted meanwhile. Its target, name and syncs stay as they are. */
  async #renew(
    trx: Trx,
    link: DestinationLinkRow,
    id: RowId<'destination'>,
    grant: string,
  ): Promise<boolean> {
    const { account_record: owner } = link;
    const old = await lockDestination(trx, owner, id);
    if (old === null) return false;
    await updateDestination(trx, owner, id, {
      ...(await grantReplacement(this.#deps, trx, old, grant, 'destination link completed')),
      updated: new Date(this.#deps.clock.now()),
    });
    return true;
  }

  #completed(trx: Trx, link: DestinationLinkRow, destination: RowId<'destination'>) {
    const now = new Date(this.#deps.clock.now());
    return updateDestinationLink(trx, link.account_record, link.id, {
      destination,
      completed_at: now,
      updated: now,
    });
  }

  #failed(trx: Trx, link: DestinationLinkRow, reason: DestinationLinkFailureReason) {
    const now = new Date(this.#deps.clock.now());
    return updateDestinationLink(trx, link.account_record, link.id, {
      failure_reason: reason,
      failed_at: now,
      updated: now,
    });
  }
}

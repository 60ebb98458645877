import { findConnection } from '../../storage/connections.ts';
import { type Consent, findConsent, listConsents } from '../../storage/consents.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { ConsentStatus } from '../../vocabulary/states.ts';
import { consentStatus } from './connection-status.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

export interface RecordedConsent {
  readonly id: RowId<'consent'>;
  readonly consent: Consent;
  readonly status: ConsentStatus;
}

/** What was granted, when it ends and how it ended. Kept after its connection is deleted. */
export class Consents {
  readonly #deps: Pick<LinkingDependencies, 'db' | 'clock'>;

  constructor(deps: Pick<LinkingDependencies, 'db' | 'clock'>) {
    this.#deps = deps;
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: RowId<'consent'>): Promise<RecordedConsent> {
    const consent = await findConsent(this.#deps.db, owner, id);
    if (consent === null) throw missing('consent');
    return this.#present(consent);
  }

  /**
   * Newest first. A deleted connection's consents are still found by its id; raises `resource_missing` (param
   * `connection`) when the owner never had such a connection.
   */
  async list(
    owner: OwnerId,
    connection: RowId<'connection'> | null,
    page: PageRequest,
  ): Promise<Page<RecordedConsent>> {
    const found = await listConsents(this.#deps.db, owner, connection, page);
    if (connection !== null && found.items.length === 0 && page.after === null && page.before === null) {
      if ((await findConnection(this.#deps.db, owner, connection)) === null) {
        throw missing('connection', 'connection');
      }
    }
    return { ...found, items: found.items.map((consent) => this.#present(consent)) };
  }

  #present(consent: Consent): RecordedConsent {
    return { id: consent.id, consent, status: consentStatus(consent, this.#deps.clock.now()) };
  }
}

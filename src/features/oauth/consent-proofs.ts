import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { SessionCaller } from '../access/caller.ts';

const PURPOSE = 'oauth-consent';

/** What a consent page was shown for. */
export interface ShownConsent {
  /** The id of the request in the page's address. */
  readonly request: string;
  readonly session: RowId<'web_session'>;
  readonly caller: Pick<SessionCaller, 'accountRecord' | 'role'>;
}

/**
 * Proves that a decision was made on the page of this request in this session, since another site knows neither. It
 * includes the account record and the role, since a session can switch to another while the page is open.
 */
export class ConsentProofs {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  of(shown: ShownConsent): string {
    return this.#made(this.#keyring.primary.id, shown).toString('base64url');
  }

  holds(proof: string, shown: ShownConsent): boolean {
    const given = Buffer.from(proof, 'base64url');
    // The keys may have been rotated since the page was sent.
    return this.#keyring.ids.some((id) => sameBytes(given, this.#made(id, shown)));
  }

  #made(keyId: string, { request, session, caller: { accountRecord, role } }: ShownConsent): Buffer {
    return keyedMac(this.#keyring.derive(PURPOSE, keyId), session, request, accountRecord.id, role);
  }
}

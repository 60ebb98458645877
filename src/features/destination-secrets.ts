import { randomBytes } from 'node:crypto';
import { newSigningSecret } from '../connectors/destinations/webhook/signature.ts';
import type { Keyring } from '../platform/keyring.ts';
import { Sealer } from '../platform/sealing.ts';
import type { DestinationRow } from '../storage/destinations.ts';
import type { RowId } from '../vocabulary/ids.ts';

const MAC_KEY_BYTES = 32;

/** Makes, seals and opens what belongs to a destination. Each secret opens only in the row it was sealed for. */
export class DestinationSecrets {
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#sealer = new Sealer(keyring, 'destinations');
  }

  newSigningSecret(id: RowId<'destination'>): { readonly secret: string; readonly sealed: Buffer } {
    const secret = newSigningSecret();
    return { secret, sealed: this.#sealer.seal(secret, secretContext(id)) };
  }

  newMacKey(id: RowId<'destination'>): Buffer {
    return this.#sealer.seal(randomBytes(MAC_KEY_BYTES), macContext(id));
  }

  /** The key of the ledger's MACs. @throws UnsealError */
  macKey(row: DestinationRow): Buffer {
    return this.#sealer.open(Buffer.from(row.mac_key), macContext(row.id));
  }

  sealGrant(id: RowId<'destination'>, grant: string): Buffer {
    return this.#sealer.seal(grant, grantContext(id));
  }

  /** The grant as its connector made it; null for a destination without one. @throws UnsealError */
  grant(row: DestinationRow): string | null {
    if (row.grant === null) return null;
    return this.#sealer.open(Buffer.from(row.grant), grantContext(row.id)).toString('utf8');
  }

  /** Signing secrets that count at the moment, newest first. @throws UnsealError */
  signingSecrets(row: DestinationRow, now: number): string[] {
    const sealed = [row.signing_secret];
    if (row.previous_secret_until !== null && row.previous_secret_until.getTime() > now) {
      sealed.push(row.previous_secret);
    }
    return sealed.flatMap((secret) =>
      secret === null ? [] : [this.#sealer.open(Buffer.from(secret), secretContext(row.id)).toString('utf8')],
    );
  }
}

const secretContext = (id: RowId<'destination'>): string => `destinations/${id}/signing_secret`;
const grantContext = (id: RowId<'destination'>): string => `destinations/${id}/grant`;
const macContext = (id: RowId<'destination'>): string => `destinations/${id}/mac_key`;

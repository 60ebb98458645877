import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { keyedMac } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { Sealer } from '../../platform/sealing.ts';
import { newSigningSecret } from '../../platform/webhook-signature.ts';
import type { DestinationRow } from '../../storage/destinations.ts';
import type { GrantRevocationRow } from '../../storage/grant-revocations.ts';
import type { DestinationTarget } from '../../storage/syncing-tables.ts';
import type { RowId } from '../../vocabulary/ids.ts';

const MAC_KEY_BYTES = 32;
const TARGET_MAC = 'destination-target';
const TARGET_VERSION = 1;
const StoredTarget = Type.Object({
  version: Type.Literal(TARGET_VERSION),
  target: Type.Record(Type.String(), Type.String()),
});

type SealedTarget = Pick<DestinationRow, 'target' | 'sealed_target' | 'target_mac'>;

/** Makes, seals and opens what belongs to a destination. Each secret opens only in the row it was sealed for. */
export class DestinationSecrets {
  readonly #keyring: Keyring;
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
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

  /** The grant in its connector's format; null for a destination without one. @throws UnsealError */
  grant(row: DestinationRow): string | null {
    if (row.grant === null) return null;
    return this.#sealer.open(Buffer.from(row.grant), grantContext(row.id)).toString('utf8');
  }

  sealRevoked(id: string, grant: string): Buffer {
    return this.#sealer.seal(grant, revokedContext(id));
  }

  /** A grant that is to be ended. @throws UnsealError */
  revoked({ id, grant }: Pick<GrantRevocationRow, 'id' | 'grant'>): string {
    return this.#sealer.open(Buffer.from(grant), revokedContext(id)).toString('utf8');
  }

  /** A webhook's target as it is stored: its address may hold a secret. */
  sealTarget(id: RowId<'destination'>, target: DestinationTarget): SealedTarget {
    const text = JSON.stringify({ version: TARGET_VERSION, target });
    return {
      target: {},
      sealed_target: this.#sealer.seal(text, targetContext(id)),
      target_mac: this.targetMacs(target)[0] ?? null,
    };
  }

  /** Where the destination sends. @throws UnsealError */
  target(row: DestinationRow): DestinationTarget {
    if (row.sealed_target === null) return row.target;
    const text = this.#sealer.open(Buffer.from(row.sealed_target), targetContext(row.id)).toString('utf8');
    const value: unknown = JSON.parse(text);
    if (!Value.Check(StoredTarget, value)) throw new TypeError('a sealed target has an unknown form');
    return value.target;
  }

  /** What the target's MAC may be: one for each key under which it may have been made, that of today first. */
  targetMacs({ url = '' }: DestinationTarget): string[] {
    return this.#keyring.macKeyIds(TARGET_MAC).flatMap((id) => {
      const key = this.#keyring.macKey(TARGET_MAC, id);
      return key === null ? [] : [`${id}:${keyedMac(key, url).toString('base64url')}`];
    });
  }

  /** Signing secrets that are valid now, newest first. @throws UnsealError */
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

const targetContext = (id: RowId<'destination'>): string => `destinations/${id}/sealed_target`;
const secretContext = (id: RowId<'destination'>): string => `destinations/${id}/signing_secret`;
const grantContext = (id: RowId<'destination'>): string => `destinations/${id}/grant`;
const revokedContext = (id: string): string => `grant_revocations/${id}/grant`;
const macContext = (id: RowId<'destination'>): string => `destinations/${id}/mac_key`;

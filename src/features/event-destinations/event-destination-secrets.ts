import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Keyring } from '../../platform/keyring.ts';
import { Sealer } from '../../platform/sealing.ts';
import { newSigningSecret } from '../../platform/webhook-signature.ts';
import type { EventDestinationRow } from '../../storage/event-destinations.ts';
import type { RowId } from '../../vocabulary/ids.ts';

const ENDPOINT_VERSION = 1;
const StoredEndpoint = Type.Object({ version: Type.Literal(ENDPOINT_VERSION), url: Type.String() });

type Id = RowId<'event_destination'>;
type Secrets = Pick<
  EventDestinationRow,
  'id' | 'signing_secret' | 'previous_secret' | 'previous_secret_until'
>;

/** Creates, seals and opens the secrets of an event destination. Each opens only in the row for which it was sealed. */
export class EventDestinationSecrets {
  readonly #sealer: Sealer;

  constructor(keyring: Keyring) {
    this.#sealer = new Sealer(keyring, 'event-destinations');
  }

  newSigningSecret(id: Id): { readonly secret: string; readonly sealed: Buffer } {
    const secret = newSigningSecret();
    return { secret, sealed: this.#sealer.seal(secret, contextOf(id, 'signing_secret')) };
  }

  sealUrl(id: Id, url: string): Buffer {
    return this.#sealer.seal(JSON.stringify({ version: ENDPOINT_VERSION, url }), contextOf(id, 'endpoint'));
  }

  /** Where it sends. @throws UnsealError */
  url({ id, endpoint }: Pick<EventDestinationRow, 'id' | 'endpoint'>): string {
    const text = this.#sealer.open(Buffer.from(endpoint), contextOf(id, 'endpoint')).toString('utf8');
    const value: unknown = JSON.parse(text);
    if (!Value.Check(StoredEndpoint, value)) throw new TypeError('a sealed endpoint has an unknown form');
    return value.url;
  }

  /** The valid signing secrets, newest first. @throws UnsealError */
  signingSecrets(row: Secrets, now: number): readonly string[] {
    const { id, signing_secret: newest, previous_secret: previous, previous_secret_until: until } = row;
    const sealed =
      previous !== null && until !== null && until.getTime() > now ? [newest, previous] : [newest];
    return sealed.map((secret) =>
      this.#sealer.open(Buffer.from(secret), contextOf(id, 'signing_secret')).toString('utf8'),
    );
  }
}

const contextOf = (id: Id, column: 'endpoint' | 'signing_secret'): string =>
  `event_destinations/${id}/${column}`;

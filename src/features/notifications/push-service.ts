import { hash } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import { OutgoingFailure } from '../../platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import { retryAfterMs } from '../../platform/retry.ts';
import { Sealer } from '../../platform/sealing.ts';
import { arePushKeys, encryptedForPush, type PushSubscription, VapidKey } from '../../platform/web-push.ts';
import { validateWebhookUrl } from '../../platform/webhook-url.ts';
import type { Db } from '../../storage/database.ts';
import { deletePushDevice, firstVapidKey, type PushDevice } from '../../storage/notification-settings.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

const DEADLINE_MS = 10_000;
const TTL_SECONDS = 86_400;
/** The one row of `vapid_keys`. */
const KEY = 'current';
const NO_SUBSCRIPTION = 'This is not a subscription to web push.';

/** What a message to a browser says; its service worker shows it. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** Where a click leads. */
  readonly url: string;
  /** A later message with the same tag replaces an earlier one, here and at the push service. */
  readonly tag: string;
}

/** The result of sending a message: `gone` also removed the browser. `again` may be tried after so many ms. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | { readonly again: number };

const Sent = Type.Object({
  endpoint: Type.String(),
  keys: Type.Object({ p256dh: Type.String({ maxLength: 100 }), auth: Type.String({ maxLength: 40 }) }),
});
const Sealed = Type.Object({ endpoint: Type.String(), p256dh: Type.String(), auth: Type.String() });

export interface PushServiceDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly keyring: Keyring;
  readonly guard: AddressGuard;
  readonly http: Pick<OutgoingHttp, 'request'>;
  /** A private key of P-256 in base64url; null for one that is generated and stored. */
  readonly vapidPrivateKey: string | null;
  /** A `mailto:` or `https:` address of the operator, for the push services. */
  readonly contact: string;
}

/** Sends messages to browsers by way of their push services (RFC 8030, RFC 8291, RFC 8292). */
export class PushService {
  readonly #deps: PushServiceDependencies;
  readonly #sealer: Sealer;
  #key: Promise<VapidKey> | null = null;

  constructor(deps: PushServiceDependencies) {
    this.#deps = deps;
    this.#sealer = new Sealer(deps.keyring, 'notifications');
  }

  /** What browsers subscribe with. */
  async publicKey(): Promise<string> {
    return (await this.#vapid()).publicKey;
  }

  /**
   * What a browser says of its subscription, as it is stored. Raises `parameter_invalid` where it is none, or its push
   * service may not be called.
   */
  sealed(id: RowId<'push_device'>, sent: unknown): Pick<PushDevice, 'endpoint_hash' | 'subscription'> {
    if (!Value.Check(Sent, sent)) throw invalidParameter('subscription', NO_SUBSCRIPTION);
    const keys = {
      p256dh: Buffer.from(sent.keys.p256dh, 'base64url'),
      auth: Buffer.from(sent.keys.auth, 'base64url'),
    };
    if (!arePushKeys(keys)) throw invalidParameter('subscription', NO_SUBSCRIPTION);
    const checked = validateWebhookUrl(this.#deps.guard, sent.endpoint);
    if ('refusal' in checked) throw invalidParameter('subscription', checked.refusal);
    const endpoint = checked.url;
    const plain = { endpoint, p256dh: sent.keys.p256dh, auth: sent.keys.auth };
    return {
      endpoint_hash: hash('sha256', endpoint, 'buffer'),
      subscription: this.#sealer.seal(JSON.stringify(plain), contextOf(id)),
    };
  }

  /** Tries once. A browser whose push service no longer knows it is removed. */
  async send(
    device: PushDevice,
    message: PushMessage,
    { owner, signal }: { readonly owner: OwnerId; readonly signal: AbortSignal },
  ): Promise<PushOutcome> {
    const { db, clock, log, http, contact } = this.#deps;
    const subscription = this.#opened(device);
    const { origin } = new URL(subscription.endpoint);
    const key = await this.#vapid();
    try {
      const response = await http.request({
        method: 'POST',
        url: subscription.endpoint,
        owner,
        signal,
        deadlineMs: DEADLINE_MS,
        expect: 'discard',
        headers: {
          authorization: key.authorization(subscription.endpoint, contact, clock.now()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(TTL_SECONDS),
          topic: message.tag,
          urgency: 'normal',
        },
        body: encryptedForPush(subscription, JSON.stringify(message)),
      });
      const { status } = response;
      if (response.ok) return 'sent';
      if (status === 404 || status === 410) {
        await deletePushDevice(db, device.user_id, device.id);
        log.info('A browser no longer receives web push and was removed.', { push_service: origin });
        return 'gone';
      }
      if (status === 429 || status === 408 || status >= 500)
        return { again: retryAfterMs(response.header('retry-after'), clock) ?? 0 };
      log.warn('A push service refused a message.', { push_service: origin, status });
      return 'refused';
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      if (error.kind !== 'refused_address') return { again: 0 };
      log.warn('A push service may not be called.', { push_service: origin });
      return 'refused';
    }
  }

  #opened({ id, subscription }: PushDevice): PushSubscription {
    const text = this.#sealer.open(Buffer.from(subscription), contextOf(id)).toString();
    const { endpoint, p256dh, auth } = Value.Parse(Sealed, JSON.parse(text));
    return {
      endpoint,
      p256dh: Buffer.from(p256dh, 'base64url'),
      auth: Buffer.from(auth, 'base64url'),
    };
  }

  #vapid(): Promise<VapidKey> {
    this.#key ??= this.#open().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  async #open(): Promise<VapidKey> {
    const { db, vapidPrivateKey } = this.#deps;
    if (vapidPrivateKey !== null) return new VapidKey(Buffer.from(vapidPrivateKey, 'base64url'));
    const context = `vapid_keys/${KEY}/private_key`;
    const sealed = await firstVapidKey(db, KEY, this.#sealer.seal(VapidKey.generate(), context));
    return new VapidKey(this.#sealer.open(Buffer.from(sealed), context));
  }
}

function contextOf(id: RowId<'push_device'>): string {
  return `push_devices/${id}/subscription`;
}

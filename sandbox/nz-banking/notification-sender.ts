import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import { WebhookSender } from '../shared/webhook-sender.ts';

/** The vendor waits hours between attempts, which is too long for a sandbox. */
const RETRIES_MS: readonly number[] = [200, 1000];
const ACCEPTED: ReadonlySet<number> = new Set([200]);
const KEPT = 1000;

export type NotificationEvent = {
  readonly id: string;
  readonly subscription: string;
  readonly payload: JsonObject;
  readonly createdAt: number;
  status: 'SENT' | 'FAILED' | 'RETRY';
};

/** Sends notifications to the one address that is registered for the app, signed, and repeated if that fails. */
export class NotificationSender {
  readonly #key: SigningKey;
  readonly #now: () => number;
  readonly #events: NotificationEvent[] = [];
  #target: string | null;
  #sender: WebhookSender | null;

  constructor(key: SigningKey, target: string | null, now: () => number) {
    this.#key = key;
    this.#now = now;
    this.#target = target;
    this.#sender = senderTo(target);
  }

  /** Null: none is registered. */
  get target(): string | null {
    return this.#target;
  }

  aim(target: string | null): void {
    void this.#sender?.close();
    this.#target = target;
    this.#sender = senderTo(target);
  }

  /** The latest, oldest first. */
  events(): readonly NotificationEvent[] {
    return this.#events;
  }

  send(subscription: string, payload: JsonObject): void {
    const id = `event_${randomBytes(12).toString('hex')}`;
    const event: NotificationEvent = { id, subscription, payload, createdAt: this.#now(), status: 'RETRY' };
    this.#events.push(event);
    if (this.#events.length > KEPT) this.#events.shift();
    void this.#deliver(event);
  }

  /** Waits until nothing is in flight. */
  async settled(): Promise<void> {
    await this.#sender?.idle();
  }

  async close(): Promise<void> {
    await this.#sender?.close();
  }

  async #deliver(event: NotificationEvent): Promise<void> {
    const body = JSON.stringify(event.payload);
    const attempt = () => ({
      body,
      headers: {
        'x-akahu-signature': this.#key.sign(body),
        'x-akahu-signing-key': String(this.#key.id),
      },
    });
    const accepted = (await this.#sender?.send(event.id, attempt)) ?? false;
    event.status = accepted ? 'SENT' : 'FAILED';
  }
}

function senderTo(url: string | null): WebhookSender | null {
  return url === null ? null : new WebhookSender({ url, delaysMs: RETRIES_MS, accepted: ACCEPTED });
}

/** The key pair by which the vendor signs notifications: created when first needed, replaced on demand. */
export class SigningKey {
  #id: number;
  #pair: KeyObject | null = null;

  /** @param id higher than any used before */
  constructor(id: number) {
    this.#id = id;
  }

  get id(): number {
    return this.#id;
  }

  /** The public key as published by the vendor. */
  get pem(): string {
    return createPublicKey(this.#private()).export({ type: 'pkcs1', format: 'pem' }).toString();
  }

  /** Base64, over the bytes that are sent. */
  sign(body: string | Buffer): string {
    return sign('sha256', typeof body === 'string' ? Buffer.from(body) : body, this.#private()).toString(
      'base64',
    );
  }

  /** Switches to the next key; the previous one is no longer known. */
  rotate(): void {
    this.#id += 1;
    this.#pair = null;
  }

  #private(): KeyObject {
    this.#pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return this.#pair;
  }
}

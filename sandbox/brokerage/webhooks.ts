import { randomUUID } from 'node:crypto';
import { WebhookSender } from '../shared/webhook-sender.ts';
import type { Broker } from './brokers.ts';
import type { Connection } from './connections.ts';
import { signatureOf } from './signature.ts';

/** The vendor repeats a notification three times, the first time after half an hour; here the waits are short. */
const RETRIES_MS: readonly number[] = [50, 100, 200];
const ACCEPTED: ReadonlySet<number> = new Set([200, 201, 202, 204]);

export type Notice = {
  readonly eventType: string;
  readonly userId: string;
  readonly connection?: Connection;
  readonly broker?: Broker;
  readonly accountId?: string;
};

/** Sends notifications as the vendor does: signed over their canonical JSON, and again if they were not accepted. */
export class Webhooks {
  readonly #clientId: string;
  readonly #consumerKey: string;
  readonly #now: () => number;
  /** Null for nowhere. */
  #sender: WebhookSender | null;

  constructor(options: {
    readonly clientId: string;
    readonly consumerKey: string;
    readonly now: () => number;
    readonly url: string | null;
  }) {
    this.#clientId = options.clientId;
    this.#consumerKey = options.consumerKey;
    this.#now = options.now;
    this.#sender = senderTo(options.url);
  }

  /** Where notifications go from now on; null for nowhere. */
  aim(url: string | null): void {
    void this.#sender?.close();
    this.#sender = senderTo(url);
  }

  send(notice: Notice): void {
    const { id, text, signature } = this.body(notice);
    void this.#sender?.send(id, () => ({ body: text, headers: { signature } }));
  }

  /** Resolves once everything sent so far was accepted or given up. */
  async settled(): Promise<void> {
    await this.#sender?.idle();
  }

  async close(): Promise<void> {
    await this.#sender?.close();
  }

  /** A notification with its signature, to be sent by the caller. */
  body({ eventType, userId, connection, broker, accountId }: Notice): {
    readonly id: string;
    readonly text: string;
    readonly signature: string;
  } {
    const id = randomUUID();
    const event = {
      webhookId: id,
      clientId: this.#clientId,
      eventTimestamp: new Date(this.#now()).toISOString(),
      userId,
      eventType,
      ...(broker === undefined ? {} : { brokerageId: broker.id }),
      ...(connection === undefined ? {} : { brokerageAuthorizationId: connection.id }),
      ...(accountId === undefined ? {} : { accountId }),
    };
    return { id, text: JSON.stringify(event, null, 1), signature: signatureOf(event, this.#consumerKey) };
  }
}

function senderTo(url: string | null): WebhookSender | null {
  return url === null ? null : new WebhookSender({ url, delaysMs: RETRIES_MS, accepted: ACCEPTED });
}

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { JsonObject } from '../shared/json.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { WebhookSender } from '../shared/webhook-sender.ts';
import { momentText } from './days.ts';

const MOST = 10;
/** Up backs off exponentially; its minutes are seconds here. */
const DELAYS_MS = [1_000, 2_000, 4_000] as const;

export type EventType = 'TRANSACTION_CREATED' | 'TRANSACTION_SETTLED' | 'TRANSACTION_DELETED' | 'PING';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly secret: string;
  readonly createdAt: number;
}

interface Kept {
  readonly webhook: Webhook;
  readonly sender: WebhookSender;
}

/** The customer's webhooks for new rows. Each has a secret key, which is shown once. */
export class Webhooks {
  readonly #now: () => number;
  readonly #base: () => string;
  readonly #delaysMs: readonly number[];
  readonly #kept = new Map<string, Kept>();

  constructor(now: () => number, base: () => string, delaysMs: readonly number[] = DELAYS_MS) {
    this.#now = now;
    this.#base = base;
    this.#delaysMs = delaysMs;
  }

  /** @throws VendorError if there are ten, or the address is invalid */
  register(url: string, description: string | null, secret = randomBytes(48).toString('base64url')): Webhook {
    if (this.#kept.size >= MOST) throw badRequest('url', `There are ${MOST} webhooks already.`);
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw badRequest('url', 'The url is not a web address.');
    const webhook = { id: randomUUID(), url, description, secret, createdAt: this.#now() };
    this.#kept.set(webhook.id, { webhook, sender: new WebhookSender({ url, delaysMs: this.#delaysMs }) });
    return webhook;
  }

  list(): readonly Webhook[] {
    return [...this.#kept.values()].map(({ webhook }) => webhook);
  }

  find(id: string): Webhook {
    return this.#of(id).webhook;
  }

  async remove(id: string): Promise<void> {
    const { sender } = this.#of(id);
    this.#kept.delete(id);
    await sender.close();
  }

  /** Statuses of the deliveries of a webhook, oldest first. */
  logs(id: string): readonly { readonly id: string; readonly status: number | null }[] {
    return this.#of(id).sender.sent();
  }

  ping(id: string): JsonObject {
    const kept = this.#of(id);
    const event = this.#event(kept.webhook, 'PING', null);
    deliver(kept, event);
    return event;
  }

  /** Notifies every webhook. */
  tell(type: EventType, transaction: string): void {
    for (const kept of this.#kept.values()) deliver(kept, this.#event(kept.webhook, type, transaction));
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    for (const { sender } of this.#kept.values()) await sender.idle();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ sender }) => sender.close()));
  }

  #of(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw notFound('id', 'No webhook has this identifier.');
    return kept;
  }

  #event(webhook: Webhook, eventType: EventType, transaction: string | null): JsonObject {
    const base = this.#base();
    const row =
      transaction === null
        ? {}
        : {
            transaction: {
              data: { type: 'transactions', id: transaction },
              links: { related: `${base}/transactions/${transaction}` },
            },
          };
    return {
      type: 'webhook-events',
      id: randomUUID(),
      attributes: { eventType, createdAt: momentText(this.#now()) },
      relationships: {
        webhook: {
          data: { type: 'webhooks', id: webhook.id },
          links: { related: `${base}/webhooks/${webhook.id}` },
        },
        ...row,
      },
    };
  }
}

function deliver({ webhook, sender }: Kept, event: JsonObject): void {
  const body = JSON.stringify({ data: event });
  const signature = createHmac('sha256', webhook.secret).update(body).digest('hex');
  sender.send(String(event.id), () => ({ body, headers: { 'x-up-authenticity-signature': signature } }));
}

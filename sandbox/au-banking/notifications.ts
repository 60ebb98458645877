import { createHmac, randomUUID } from 'node:crypto';
import { ControlError } from '../shared/control.ts';
import { WebhookSender, type WebhookTarget } from '../shared/webhook-sender.ts';
import type { Consent, ConsentEvent, Consents } from './consents.ts';

/** The vendor's notifications; those about payees and the like are never sent automatically. */
export const EVENTS = [
  'consent.received',
  'consent.updated',
  'consent.revoked',
  'common.identity.sync.completed',
  'banking.accounts.sync.completed',
  'banking.balances.sync.completed',
  'banking.transactions.basic.sync.completed',
  'banking.transactions.recent.sync.completed',
  'banking.transactions.sync.completed',
  'banking.payees.sync.completed',
  'banking.directdebits.sync.completed',
  'banking.scheduledpayments.sync.completed',
  'banking.products.sync.completed',
] as const;
export type VendorEvent = (typeof EVENTS)[number];

/** Five attempts; the vendor waits minutes. */
const DELAYS_MS = [1_000, 2_000, 5_000, 10_000] as const;
const FIRST_SYNC: readonly VendorEvent[] = [
  'banking.accounts.sync.completed',
  'banking.balances.sync.completed',
  'banking.transactions.recent.sync.completed',
];
const NEW_ROWS: readonly VendorEvent[] = [
  'banking.transactions.sync.completed',
  'banking.balances.sync.completed',
];

/** How notifications are sent. */
export interface NotificationOptions extends WebhookTarget {
  /** Base64, as the vendor's console shows it. */
  readonly secret: string;
  /** The waits between attempts; default 1 to 10 seconds. */
  readonly delaysMs?: readonly number[];
}

interface Parts {
  readonly consents: Consents;
  readonly clientId: string;
  readonly now: () => number;
  /** When the recent data of a consent is available, and when all of it is. */
  readonly readyAt: (consent: Consent) => { readonly first: number; readonly history: number };
}

/** The vendor's webhooks: signed over the raw body, attempted five times. */
export class Notifications {
  readonly #parts: Parts;
  readonly #options: NotificationOptions | null;
  readonly #sender: WebhookSender | null;
  readonly #timers = new Set<NodeJS.Timeout>();

  /** @param options null if there is no receiver */
  constructor(parts: Parts, options: NotificationOptions | null) {
    this.#parts = parts;
    this.#options = options;
    this.#sender =
      options === null
        ? null
        : new WebhookSender({ url: options.url, delaysMs: options.delaysMs ?? DELAYS_MS });
    if (options?.automatic === true)
      parts.consents.onEvent((event, consent) => this.#changed(event, consent));
  }

  /** Null if there is no receiver. */
  get sender(): Pick<WebhookSender, 'sent' | 'idle'> | null {
    return this.#sender;
  }

  /** Sends one notification about a consent, whatever happened. Returns its message id. */
  send(event: VendorEvent, arrangementId: string): string {
    const consent = this.#parts.consents.get(arrangementId);
    if (!consent) throw new ControlError('There is no such consent.');
    if (this.#sender === null) throw new ControlError('No receiver of notifications is set.');
    return this.#send(event, consent, this.#sender);
  }

  /** New, changed or vanished rows of an account, for every consent that shares it. */
  rowsChanged(accountId: string): void {
    if (this.#options?.automatic !== true) return;
    const { consents } = this.#parts;
    const sharing = consents.all().filter((consent) => consent.accountIds.includes(accountId));
    for (const consent of sharing.filter((one) => consents.isActive(one))) this.#sendAll(NEW_ROWS, consent);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#sender?.close();
  }

  #changed(event: ConsentEvent, consent: Consent): void {
    this.#sendAll([`consent.${event}`], consent);
    if (event === 'revoked') return;
    const { first, history } = this.#parts.readyAt(consent);
    this.#later(first, FIRST_SYNC, consent);
    this.#later(history, ['banking.transactions.sync.completed'], consent);
  }

  /** Sandbox time may stand still or jump; the copy of the data is announced by the machine's clock. */
  #later(at: number, events: readonly VendorEvent[], consent: Consent): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#sendAll(events, consent);
      },
      Math.max(0, at - this.#parts.now()),
    );
    timer.unref();
    this.#timers.add(timer);
  }

  #sendAll(events: readonly VendorEvent[], consent: Consent): void {
    if (this.#sender === null) return;
    for (const event of events) this.#send(event, consent, this.#sender);
  }

  #send(event: VendorEvent, consent: Consent, sender: WebhookSender): string {
    const messageId = randomUUID();
    const publishTime = new Date(this.#parts.now()).toISOString();
    const data = {
      event,
      end_user_id: consent.endUserId,
      client_id: this.#parts.clientId,
      institution_id: consent.institutionId,
      consent_id: consent.arrangementId,
      ...(event.startsWith('banking.') ? { account_ids: consent.accountIds } : {}),
    };
    sender.send(messageId, (attempt) => {
      const message = { delivery_attempt: attempt, publish_time: publishTime, message_id: messageId, data };
      const body = JSON.stringify(message);
      return { body, headers: { 'x-fiskil-signature': signatureOf(body, this.#options?.secret ?? '') } };
    });
    return messageId;
  }
}

/** Base64 of the HMAC-SHA256 over the body, under the decoded secret. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('base64');
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from './brokers.ts';
import type { Connection } from './connections.ts';
import { signatureOf } from './signature.ts';

/** The vendor repeats a notification three times, the first time after half an hour; here the waits are short. */
const RETRIES_MS: readonly number[] = [50, 100, 200];
const ACCEPTED: ReadonlySet<number> = new Set([200, 201, 202, 204]);
const DEADLINE_MS = 5000;

export type Notice = {
  readonly eventType: string;
  readonly userId: string;
  readonly connection?: Connection;
  readonly broker?: Broker;
  readonly accountId?: string;
};

/** Sends notifications as the vendor does: signed over their canonical JSON, and again where they were not taken. */
export class Webhooks {
  readonly #clientId: string;
  readonly #consumerKey: string;
  readonly #now: () => number;
  readonly #closing: AbortSignal;
  #url: string | null;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly clientId: string;
    readonly consumerKey: string;
    readonly now: () => number;
    readonly url: string | null;
    readonly closing: AbortSignal;
  }) {
    this.#clientId = options.clientId;
    this.#consumerKey = options.consumerKey;
    this.#now = options.now;
    this.#url = options.url;
    this.#closing = options.closing;
  }

  /** Where notifications go from now on; null for nowhere. */
  aim(url: string | null): void {
    this.#url = url;
  }

  send(notice: Notice): void {
    const url = this.#url;
    if (url === null) return;
    const body = this.body(notice);
    this.#sending = Promise.all([this.#sending, this.#deliver(url, body)]);
  }

  /** Once everything sent so far was taken or given up. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** A notification with its signature, for those who send it themselves. */
  body({ eventType, userId, connection, broker, accountId }: Notice): {
    readonly text: string;
    readonly signature: string;
  } {
    const event = {
      webhookId: randomUUID(),
      clientId: this.#clientId,
      eventTimestamp: new Date(this.#now()).toISOString(),
      userId,
      eventType,
      ...(broker === undefined ? {} : { brokerageId: broker.id }),
      ...(connection === undefined ? {} : { brokerageAuthorizationId: connection.id }),
      ...(accountId === undefined ? {} : { accountId }),
    };
    return { text: JSON.stringify(event, null, 1), signature: signatureOf(event, this.#consumerKey) };
  }

  async #deliver(url: string, { text, signature }: { text: string; signature: string }): Promise<void> {
    for (const wait of [0, ...RETRIES_MS]) {
      if (this.#closing.aborted) return;
      await sleep(wait, undefined, { signal: this.#closing }).catch(() => undefined);
      try {
        const signal = AbortSignal.any([this.#closing, AbortSignal.timeout(DEADLINE_MS)]);
        const headers = { 'content-type': 'application/json', signature };
        const answer = await fetch(url, { method: 'POST', headers, body: text, signal });
        if (ACCEPTED.has(answer.status)) return;
      } catch {
        // Tried again below, as where it was refused.
      }
    }
  }
}

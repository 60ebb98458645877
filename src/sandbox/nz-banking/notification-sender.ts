import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../shared/json.ts';
import type { SigningKey } from './signing-key.ts';

/** The vendor waits hours between attempts; a sandbox has no such time. */
const ATTEMPTS_AFTER_MS = [0, 200, 1000];
/** How long a receiver may take. */
const DEADLINE_MS = 5000;
const KEPT = 1000;

export type NotificationEvent = {
  readonly id: string;
  readonly subscription: string;
  readonly payload: JsonObject;
  readonly createdAt: number;
  status: 'SENT' | 'FAILED' | 'RETRY';
};

/** Sends notifications to the one address that is registered for the app, signed, several times where it fails. */
export class NotificationSender {
  readonly #key: SigningKey;
  readonly #now: () => number;
  readonly #closing: AbortSignal;
  readonly #events: NotificationEvent[] = [];
  readonly #underWay = new Set<Promise<void>>();
  /** Null: none is registered. */
  target: string | null;

  constructor(key: SigningKey, target: string | null, now: () => number, closing: AbortSignal) {
    this.#key = key;
    this.target = target;
    this.#now = now;
    this.#closing = closing;
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
    const work = this.#attempts(event).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** Waits until nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #attempts(event: NotificationEvent): Promise<void> {
    for (const wait of ATTEMPTS_AFTER_MS) {
      try {
        await sleep(wait, undefined, { signal: this.#closing });
        if (await this.#attempt(event)) {
          event.status = 'SENT';
          return;
        }
      } catch {
        if (this.#closing.aborted) return;
      }
    }
    event.status = 'FAILED';
  }

  async #attempt({ payload }: NotificationEvent): Promise<boolean> {
    if (this.target === null) return false;
    const body = JSON.stringify(payload);
    const answer = await fetch(this.target, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-akahu-signature': this.#key.sign(body),
        'x-akahu-signing-key': String(this.#key.id),
      },
      redirect: 'manual',
      signal: AbortSignal.any([this.#closing, AbortSignal.timeout(DEADLINE_MS)]),
    });
    await answer.body?.cancel();
    return answer.status === 200;
  }
}

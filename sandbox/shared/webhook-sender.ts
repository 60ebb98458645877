import { setTimeout as sleep } from 'node:timers/promises';

/** Where a simulator sends its vendor's notifications. */
export interface WebhookTarget {
  readonly url: string;
  /** Whether it sends automatically whenever something happens; else only on request of the control API. */
  readonly automatic: boolean;
}

/**
 * One attempt at a notification. Vendors may number the attempts in the body, so each has its own body and signature.
 */
export interface WebhookAttempt {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An attempt that was made. `status` is null if no answer came. */
export interface SentWebhook {
  readonly id: string;
  readonly attempt: number;
  readonly status: number | null;
}

export interface WebhookSenderOptions {
  readonly url: string;
  /** The waits between the attempts, of which there is one more. A vendor's minutes are seconds here. */
  readonly delaysMs: readonly number[];
  /** Answers that the vendor accepts as received; any 2xx by default. */
  readonly accepted?: ReadonlySet<number>;
}

const ANSWER_WITHIN_MS = 10_000;
const MOST_REMEMBERED = 10_000;

/** Sends notifications until the receiver accepts them or the attempts are used up. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<boolean>>();
  readonly #sent: SentWebhook[] = [];

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /**
   * `attempt` builds the request of an attempt, counted from 1. Resolves to whether it was accepted, and never rejects.
   */
  send(id: string, attempt: (number: number) => WebhookAttempt): Promise<boolean> {
    const work = this.#deliver(id, attempt).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    return work;
  }

  /** The latest attempts, oldest first. */
  sent(): readonly SentWebhook[] {
    return this.#sent;
  }

  /** Resolves once nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.idle();
  }

  async #deliver(id: string, make: (number: number) => WebhookAttempt): Promise<boolean> {
    const { delaysMs } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const status = await this.#post(make(attempt));
      if (this.#sent.length >= MOST_REMEMBERED) this.#sent.shift();
      this.#sent.push({ id, attempt, status });
      if (this.#isAccepted(status)) return true;
      const delay = delaysMs[attempt - 1];
      if (delay === undefined) return false;
      await sleep(delay, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  #isAccepted(status: number | null): boolean {
    if (status === null) return false;
    return this.#options.accepted?.has(status) ?? (status >= 200 && status < 300);
  }

  async #post({ body, headers }: WebhookAttempt): Promise<number | null> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    const sent = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      signal,
    };
    try {
      const response = await fetch(this.#options.url, { ...sent, redirect: 'manual' });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }
}

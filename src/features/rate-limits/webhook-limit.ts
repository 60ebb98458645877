import { clientNetwork } from '../../platform/client-network.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { secondsUntil } from './auth-attempts.ts';
import type { Counter } from './counter.ts';

interface WebhookLimitOptions {
  readonly most: number;
  readonly clock: Clock;
  readonly addresses: Counter;
  /** What a store may know of an address. */
  readonly blind: (bucket: string) => string;
}

/** The notifications a minute of each address: checking a signature costs us more than sending one costs a stranger. */
export class WebhookLimit {
  readonly #options: WebhookLimitOptions;

  constructor(options: WebhookLimitOptions) {
    this.#options = options;
  }

  /** Counts a request of the address. Raises `rate_limit_exceeded`. */
  async arrive(address: string): Promise<void> {
    const { addresses, blind, clock, most } = this.#options;
    const tally = await addresses.add(blind(clientNetwork(address)));
    if (tally.used <= most) return;
    throw new ServiceError('rate_limit_exceeded', {
      message: 'Too many notifications from your network.',
      retryAfterSeconds: secondsUntil(tally.resetsAt, clock.now()),
    });
  }
}

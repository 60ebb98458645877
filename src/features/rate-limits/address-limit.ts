import { clientNetwork } from '../../platform/client-network.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { secondsUntil } from './auth-attempts.ts';
import type { Counter } from './counter.ts';

interface AddressLimitOptions {
  readonly most: number;
  /** What there were too many of, for a message. */
  readonly what: string;
  readonly clock: Clock;
  readonly addresses: Counter;
  /** What a store may know of an address. */
  readonly blind: (bucket: string) => string;
}

/** The requests of one kind a minute of each address, no matter who asks: answering one costs us more than sending one costs a stranger. */
export class AddressLimit {
  readonly #options: AddressLimitOptions;

  constructor(options: AddressLimitOptions) {
    this.#options = options;
  }

  /** Counts a request of the address. Raises `rate_limit_exceeded`. */
  async arrive(address: string): Promise<void> {
    const { addresses, blind, clock, most, what } = this.#options;
    const tally = await addresses.add(blind(clientNetwork(address)));
    if (tally.used <= most) return;
    throw new ServiceError('rate_limit_exceeded', {
      message: `Too many ${what} from your network.`,
      retryAfterSeconds: secondsUntil(tally.resetsAt, clock.now()),
    });
  }
}

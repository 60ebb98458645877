import type { Clock } from '../../platform/clock.ts';
import { clientNetwork } from '../../platform/network-addresses.ts';
import type { Tally } from '../../platform/window-counter.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { secondsUntil } from './auth-attempts.ts';
import type { Counter } from './shared-counter.ts';

/** Requests per minute to the pages that people visit: of each address, and of each link from any address. */
export class HostedLimits {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #addresses: Counter;
  readonly #links: Counter;
  readonly #blind: (bucket: string) => string;

  /** @param deps.blind what a store may know of an address */
  constructor(deps: {
    readonly limits: Limits;
    readonly clock: Clock;
    readonly addresses: Counter;
    readonly links: Counter;
    readonly blind: (bucket: string) => string;
  }) {
    this.#limits = deps.limits;
    this.#clock = deps.clock;
    this.#addresses = deps.addresses;
    this.#links = deps.links;
    this.#blind = deps.blind;
  }

  /**
   * Counts a request of the address. Requests with a valid link are counted separately from those without, and from
   * those to the sign-in pages: a stranger behind the same address cannot lock out people who were given a link. Raises
   * `rate_limit_exceeded`.
   */
  async arrive(address: string, opens: 'link' | 'nothing' | 'page'): Promise<void> {
    const tally = await this.#addresses.add(this.#blind(`${opens} ${clientNetwork(address)}`));
    this.#check(tally, this.#limits.hosted_address_per_minute, 'your network');
  }

  /** Counts a request with a valid link. Raises `rate_limit_exceeded`. */
  async visit(link: string): Promise<void> {
    this.#check(await this.#links.add(link), this.#limits.hosted_link_per_minute, 'this link');
  }

  #check(tally: Tally, limit: number, whose: string): void {
    if (tally.used <= limit) return;
    const retryAfterSeconds = secondsUntil(tally.resetsAt, this.#clock.now());
    throw new ServiceError('rate_limit_exceeded', {
      message: `Too many requests from ${whose}. Try again in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    });
  }
}

interface AddressLimitOptions {
  readonly most: number;
  /** What there were too many of, for a message. */
  readonly what: string;
  readonly clock: Clock;
  readonly addresses: Counter;
  /** What a store may know of an address. */
  readonly blind: (bucket: string) => string;
}

/**
 * Requests of one kind per minute of each address, no matter who sends them: answering one costs us more than sending one
 * costs a stranger.
 */
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

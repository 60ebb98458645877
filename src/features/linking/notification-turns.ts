import type { Clock } from '../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/** A lone provider has up to three quarters. */
const SHARE = 3;
/** Providers give up on an answer after five seconds at the earliest. */
const MOST_WAIT_MS = 4_000;
const RETRY_AFTER_S = 30;

/**
 * Limits the notifications that a process handles, and divides the capacity between providers: how many are in
 * progress, verified or not, and how many are processed at once. So a flood from one provider uses up neither the turns
 * of the others nor the database connections.
 */
export class NotificationTurns {
  readonly #clock: Clock;
  readonly #inHand: FairSlots;
  readonly #acting: FairSlots;

  constructor(
    { provider_webhooks_in_hand: inHand, provider_webhooks_at_once: atOnce }: Limits,
    clock: Clock,
  ) {
    this.#clock = clock;
    this.#inHand = new FairSlots({ slots: inHand, waiting: 0, share: SHARE });
    // Room for all that are in progress, even though one provider takes at most half of what is free.
    this.#acting = new FairSlots({ slots: atOnce, waiting: 2 * inHand + 1, share: SHARE });
  }

  /** Handles one notification. Raises `provider_wait` (503) at once if too many are in progress. */
  inHand<T>(provider: ProviderIdentifier, work: () => Promise<T>): Promise<T> {
    return within(() => this.#inHand.take(provider), work);
  }

  /** The part of handling that changes something. Raises `provider_wait` (503) after waiting for four seconds. */
  async acting<T>(provider: ProviderIdentifier, work: () => Promise<T>): Promise<T> {
    return within(() => this.#turn(provider), work);
  }

  async #turn(provider: ProviderIdentifier): Promise<() => void> {
    const served = new AbortController();
    const late = new AbortController();
    this.#clock.sleep(MOST_WAIT_MS, served.signal).then(
      () => late.abort(new SlotsFull()),
      () => undefined,
    );
    try {
      return await this.#acting.take(provider, late.signal);
    } finally {
      served.abort();
    }
  }
}

async function within<T>(take: () => Promise<() => void>, work: () => Promise<T>): Promise<T> {
  const give = await take().catch((error: unknown) => {
    if (!(error instanceof SlotsFull)) throw error;
    throw new ServiceError('provider_wait', {
      message: 'Too many notifications of the provider are being handled; send this one again later.',
      status: 503,
      retryAfterSeconds: RETRY_AFTER_S,
      cause: error,
    });
  });
  try {
    return await work();
  } finally {
    give();
  }
}

import type { Clock } from '../../../platform/clock.ts';
import { SingleFlight } from '../../../platform/single-flight.ts';

/** Renewed this long before the vendor's own end, so that no request leaves with a token about to die. */
const EARLY_MS = 90_000;
const MINT = 'mint';

/** A token as a vendor gave it. */
export interface MintedToken {
  readonly value: string;
  /** How long it lasts, in milliseconds; 0 where the vendor does not say. */
  readonly lifeMs: number;
}

/** The bearer token of our own credentials: minted when first needed, shared by all calls, renewed early. Never stored. */
export class TokenSource {
  readonly #mint: () => Promise<MintedToken>;
  readonly #clock: Clock;
  readonly #flights = new SingleFlight<{ readonly value: string; readonly staleAt: number }>();
  #token: { readonly value: string; readonly staleAt: number } | null = null;

  /** @param mint asks the vendor for a token */
  constructor(mint: () => Promise<MintedToken>, clock: Clock) {
    this.#mint = mint;
    this.#clock = clock;
  }

  /** A token that is good now. `refused`: a token the vendor turned down, never to be returned again. */
  async token(refused: string | null = null): Promise<string> {
    if (this.#token !== null && this.#token.value === refused) this.#token = null;
    if (this.#token !== null && this.#clock.now() < this.#token.staleAt) return this.#token.value;
    this.#token = await this.#flights.run(MINT, async () => {
      const { value, lifeMs } = await this.#mint();
      return { value, staleAt: this.#clock.now() + Math.max(lifeMs / 2, lifeMs - EARLY_MS) };
    });
    return this.#token.value;
  }
}

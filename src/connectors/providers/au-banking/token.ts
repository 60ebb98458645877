import type { Clock } from '../../../platform/clock.ts';
import { SingleFlight } from '../../../platform/single-flight.ts';
import { isWireObject, malformed, parseExact, text } from './wire.ts';

/** Renewed this long before the vendor's own end, so that no request leaves with a token about to die. */
const EARLY_MS = 90_000;
const MINT = 'mint';

interface Token {
  readonly value: string;
  readonly staleAt: number;
}

/** The bearer token of our key: minted when first needed, shared by all calls, renewed early. Never stored. */
export class TokenSource {
  readonly #mint: () => Promise<string>;
  readonly #clock: Clock;
  readonly #flights = new SingleFlight<Token>();
  #token: Token | null = null;

  /** @param mint asks the vendor and returns the body of its answer */
  constructor(mint: () => Promise<string>, clock: Clock) {
    this.#mint = mint;
    this.#clock = clock;
  }

  /** A token that is good now. `refused`: a token the vendor turned down, never to be returned again. */
  async token(refused: string | null = null): Promise<string> {
    if (this.#token !== null && this.#token.value === refused) this.#token = null;
    if (this.#token !== null && this.#clock.now() < this.#token.staleAt) return this.#token.value;
    this.#token = await this.#flights.run(MINT, async () => read(await this.#mint(), this.#clock.now()));
    return this.#token.value;
  }
}

/** The vendor's documentation names both `token` and `access_token`. */
function read(body: string, now: number): Token {
  const answer = parseExact(body);
  const value = isWireObject(answer) ? (text(answer, 'token') ?? text(answer, 'access_token')) : null;
  if (!isWireObject(answer) || value === null) throw malformed('it holds no token');
  const seconds = Number(text(answer, 'expires_in'));
  const lifeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
  return { value, staleAt: now + Math.max(lifeMs / 2, lifeMs - EARLY_MS) };
}

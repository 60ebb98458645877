import { randomUUID } from 'node:crypto';
import { serverError } from './errors.ts';

const WINDOW_MS = 15 * 60_000;
/** How many failed sign-ins are allowed in one window. */
const MOST_FAILURES = 5;

/** How the server signs people in: by its password, by a reverse proxy's header, or by OpenID. */
export type SignInWay = 'password' | 'header' | 'openid';

/** The sign-in of the server: it has one password, and one session for it. */
export class Sessions {
  readonly #now: () => number;
  password: string;
  way: SignInWay = 'password';
  #token: string = randomUUID();
  #failures: number[] = [];

  constructor(password: string, now: () => number) {
    this.password = password;
    this.#now = now;
  }

  /** The token of the session. Raises the server's refusal. */
  login(password: string): string {
    this.#failures = this.#failures.filter((at) => at > this.#now() - WINDOW_MS);
    const [first = 0] = this.#failures;
    if (this.#failures.length >= MOST_FAILURES) {
      const seconds = Math.ceil((first + WINDOW_MS - this.#now()) / 1000);
      throw serverError('too-many-requests', { 'retry-after': String(seconds) });
    }
    if (this.way === 'header') throw serverError('invalid-header');
    if (this.way === 'openid') throw serverError('Invalid redirect URL');
    if (password === this.password) return this.#token;
    this.#failures.push(this.#now());
    throw serverError('invalid-password');
  }

  /** Raises the server's refusal of an invalid token. */
  require(token: string | string[] | undefined): void {
    if (token !== this.#token) throw serverError('unauthorized');
  }

  /** Ends the session, as when it expires. */
  end(): void {
    this.#token = randomUUID();
  }
}

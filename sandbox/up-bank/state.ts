import { timingSafeEqual } from 'node:crypto';
import type { KeptState } from '../shared/state-file.ts';
import { unauthorized } from '../shared/vendor-error.ts';
import type { Bank } from './bank.ts';
import type { Customer } from './customer.ts';

export const DEFAULT_HOLDER = 'everyday';

/** The only token, and whose it is. */
export class Holder implements KeptState {
  readonly #bank: Bank;
  readonly #token: string;
  #logIn = DEFAULT_HOLDER;
  #revoked = false;
  #shares = false;

  constructor(bank: Bank, token: string) {
    this.#bank = bank;
    this.#token = token;
  }

  get logIn(): string {
    return this.#logIn;
  }

  /** Whether the token has been used to read anything of the person, other than that it works. */
  get shares(): boolean {
    return this.#shares;
  }

  get revoked(): boolean {
    return this.#revoked;
  }

  /** Makes it another person's token; false if there is no such log-in. */
  give(logIn: string): boolean {
    if (this.#bank.find(logIn) === null) return false;
    if (logIn !== this.#logIn) this.#shares = false;
    this.#logIn = logIn;
    this.#revoked = false;
    return true;
  }

  revoke(revoked = true): void {
    this.#revoked = revoked;
  }

  /** Who calls; `reads` unless the call only checks that the token works. @throws VendorError 401 */
  caller(authorization: string | undefined, reads: boolean): Customer {
    const sent = Buffer.from(authorization ?? '');
    const good = Buffer.from(`Bearer ${this.#token}`);
    const customer = this.#bank.find(this.#logIn);
    if (this.#revoked || customer === null || sent.length !== good.length || !timingSafeEqual(sent, good))
      throw unauthorized(
        'The request was not authenticated because no valid credential was found in the Authorization header, or the Authorization header was not present.',
      );
    this.#shares ||= reads;
    return customer;
  }

  read(): Readonly<Record<string, unknown>> {
    return { logIn: this.#logIn, revoked: this.#revoked };
  }

  restore({ logIn, revoked }: Readonly<Record<string, unknown>>): boolean {
    if (typeof logIn !== 'string' || typeof revoked !== 'boolean' || !this.give(logIn)) return false;
    this.#revoked = revoked;
    return true;
  }
}

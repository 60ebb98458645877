import type { Clock } from '../../platform/clock.ts';
import { clientNetwork } from '../../platform/network-addresses.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { secondsUntil } from './auth-attempts.ts';
import type { Counter } from './shared-counter.ts';

/** The window in multiples of those of other limits: 15 minutes. */
export const SIGN_IN_WINDOWS = 15;

/**
 * Invitations of one account record per window, as a multiple of those that may be open: each may be a mail to a
 * stranger.
 */
export const INVITATION_ROUNDS = 5;

/** A person who is trying to sign in. */
export interface SignInAttempt {
  readonly address: string;
  /** In its normalised form; it may be unknown. */
  readonly email: string;
  /** The browser, if it has proved that this person signed in with it before. */
  readonly device: string | null;
}

/**
 * How often sign-in may be attempted (docs/sign-in.md#attempts). A browser in which the person has signed in before has
 * its own budget and uses no other, so no one without it can lock the person out there.
 */
export class SignInAttempts {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #counters: SignInCounters;
  readonly #blind: (bucket: string) => string;

  /** @param deps.blind what a store may know of an address */
  constructor(deps: {
    readonly limits: Limits;
    readonly clock: Clock;
    readonly counters: SignInCounters;
    readonly blind: (bucket: string) => string;
  }) {
    this.#limits = deps.limits;
    this.#clock = deps.clock;
    this.#counters = deps.counters;
    this.#blind = deps.blind;
  }

  /**
   * Counts an attempt with a password before anything is looked up, so that concurrent attempts are counted like
   * consecutive ones. One refused because of its network address does not count towards the e-mail address's budget.
   * Raises `too_many_auth_attempts`.
   */
  async arrive({ address, email, device }: SignInAttempt): Promise<void> {
    const { sign_in_attempts: pair, sign_in_account_attempts: account } = this.#limits;
    if (device !== null) return this.#count(this.#counters.pairs, `device ${device}`, pair);
    await this.#count(this.#counters.pairs, `pair ${clientNetwork(address)} ${email}`, pair);
    await this.visit(address);
    await this.#count(this.#counters.accounts, email, account);
  }

  /** Counts an attempt that names no person: with a passkey, or with the secret of a link. Raises like `arrive`. */
  async visit(address: string): Promise<void> {
    const most = this.#limits.sign_in_address_attempts;
    await this.#count(this.#counters.addresses, clientNetwork(address), most);
  }

  /** Counts an attempt with a code of the person's second factor. Raises like `arrive`. */
  async secondFactor(user: string): Promise<void> {
    await this.#count(this.#counters.pairs, `second factor ${user}`, this.#limits.second_factor_attempts);
  }

  /** Counts a request for a mail that resets a password, like an attempt with one. Raises like `arrive`. */
  async resetMail({ address, email, device }: SignInAttempt): Promise<void> {
    const { password_reset_mails: pair, password_reset_account_mails: account } = this.#limits;
    if (device !== null) return this.#count(this.#counters.pairs, `mail device ${device}`, pair);
    await this.#count(this.#counters.pairs, `mail pair ${clientNetwork(address)} ${email}`, pair);
    await this.visit(address);
    await this.#count(this.#counters.mails, email, account);
  }

  /** Counts an invitation that is mailed to an address. Raises like `arrive`. */
  async invitationMail(email: string): Promise<void> {
    await this.#count(this.#counters.mails, `invitation ${email}`, this.#limits.password_reset_mails);
  }

  /** Counts an invitation sent by members of an account record, or by the operator. Raises like `arrive`. */
  async invite(accountRecord: string): Promise<void> {
    const most = this.#limits.open_invitations * INVITATION_ROUNDS;
    await this.#count(this.#counters.invitations, accountRecord, most);
  }

  async #count(counter: Counter, bucket: string, most: number): Promise<void> {
    const { used, resetsAt } = await counter.add(this.#blind(bucket));
    if (used <= most) return;
    const retryAfterSeconds = secondsUntil(resetsAt, this.#clock.now());
    throw new ServiceError('too_many_auth_attempts', { retryAfterSeconds });
  }
}

export interface SignInCounters {
  /** By network and e-mail address, and by browser. */
  readonly pairs: Counter;
  readonly addresses: Counter;
  readonly accounts: Counter;
  readonly mails: Counter;
  /** By account record. */
  readonly invitations: Counter;
}

import type { Clock } from '../../platform/clock.ts';
import { clientNetwork } from '../../platform/network-addresses.ts';
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
  readonly #clock: Clock;
  readonly #budgets: SignInBudgets;
  readonly #blind: (bucket: string) => string;

  /** @param deps.blind what a store may know of an address */
  constructor(deps: {
    readonly clock: Clock;
    readonly budgets: SignInBudgets;
    readonly blind: (bucket: string) => string;
  }) {
    this.#clock = deps.clock;
    this.#budgets = deps.budgets;
    this.#blind = deps.blind;
  }

  /**
   * Counts an attempt with a password before anything is looked up, so that concurrent attempts are counted like
   * consecutive ones. The network comes first: one that has used up its attempts makes no more buckets, which would
   * crowd out those of others. An attempt refused because of its network does not count towards the e-mail address's
   * budget. Raises `too_many_auth_attempts`.
   */
  async arrive({ address, email, device }: SignInAttempt): Promise<void> {
    const { pairs, accounts } = this.#budgets;
    if (device !== null) return this.#count(pairs, `device ${device}`);
    await this.visit(address);
    await this.#count(pairs, `pair ${clientNetwork(address)} ${email}`);
    await this.#count(accounts, email);
  }

  /** Counts an attempt that names no person: with a passkey, or with the secret of a link. Raises like `arrive`. */
  async visit(address: string): Promise<void> {
    await this.#count(this.#budgets.addresses, clientNetwork(address));
  }

  /** Counts an attempt with a code of the person's second factor. Raises like `arrive`. */
  async secondFactor(user: string): Promise<void> {
    await this.#count(this.#budgets.secondFactors, user);
  }

  /** Counts a request for a mail that resets a password, like an attempt with one. Raises like `arrive`. */
  async resetMail({ address, email, device }: SignInAttempt): Promise<void> {
    const { mailPairs, mails } = this.#budgets;
    if (device !== null) return this.#count(mailPairs, `device ${device}`);
    await this.visit(address);
    await this.#count(mailPairs, `pair ${clientNetwork(address)} ${email}`);
    await this.#count(mails, email);
  }

  /** Counts an invitation that is mailed to an address. Raises like `arrive`. */
  async invitationMail(email: string): Promise<void> {
    await this.#count(this.#budgets.invitationMails, email);
  }

  /** Counts an invitation sent by members of an account record, or by the operator. Raises like `arrive`. */
  async invite(accountRecord: string): Promise<void> {
    await this.#count(this.#budgets.invitations, accountRecord);
  }

  async #count({ counter, most }: Budget, bucket: string): Promise<void> {
    const { used, resetsAt } = await counter.add(this.#blind(bucket));
    if (used <= most) return;
    const retryAfterSeconds = secondsUntil(resetsAt, this.#clock.now());
    throw new ServiceError('too_many_auth_attempts', { retryAfterSeconds });
  }
}

/**
 * A limit with a counter of its own. A shared counter says no more than that its own limit is exceeded, so one that two
 * limits shared would not enforce the higher.
 */
export interface Budget {
  readonly counter: Counter;
  readonly most: number;
}

export interface SignInBudgets {
  /** By network and e-mail address, and by browser. */
  readonly pairs: Budget;
  readonly addresses: Budget;
  readonly accounts: Budget;
  /** By person. */
  readonly secondFactors: Budget;
  /** By network and e-mail address, and by browser. */
  readonly mailPairs: Budget;
  readonly mails: Budget;
  readonly invitationMails: Budget;
  /** By account record. */
  readonly invitations: Budget;
}

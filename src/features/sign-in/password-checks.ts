import { clientNetwork } from '../../platform/client-network.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import { hashPassword, type PasswordVerdict, verifyPassword } from '../../platform/password-hash.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

const RETRY_SECONDS = 5;

/**
 * Hashes passwords, a few at a time: each takes 19 MiB and a thread of the pool that files and names also need. What
 * waits is shared out by client network, so a flood from one leaves room for the others.
 */
export class PasswordChecks {
  readonly #slots: FairSlots;

  constructor(limits: Pick<Limits, 'password_checks_at_once' | 'password_checks_waiting'>) {
    this.#slots = new FairSlots({
      slots: limits.password_checks_at_once,
      waiting: limits.password_checks_waiting,
      share: 1,
    });
  }

  /** A PHC string of the newest parameters. Raises `too_many_auth_attempts`. */
  hash(password: string, address: string): Promise<string> {
    return this.#inTurn(address, () => hashPassword(password));
  }

  /** `phc` is null where there is nobody, or nobody with a password; that takes as long. Raises `too_many_auth_attempts`. */
  verify(password: string, phc: string | null, address: string): Promise<PasswordVerdict> {
    return this.#inTurn(address, () => verifyPassword(password, phc));
  }

  async #inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const give = await this.#slots.take(clientNetwork(address)).catch((error: unknown) => {
      if (!(error instanceof SlotsFull)) throw error;
      throw new ServiceError('too_many_auth_attempts', {
        message: 'Too many people are signing in at this moment; try again in a few seconds.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    });
    try {
      return await work();
    } finally {
      give();
    }
  }
}

import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Db } from '../../storage/database.ts';
import { findUser, type User } from '../../storage/users.ts';
import { isRowId } from '../../vocabulary/ids.ts';

const STEP_MS = 10 * 60_000;
/** `1.<user>.<end, epoch seconds>.<secret of an invitation, or nothing>.<MAC, base64url>`; the first part is the version. */
const STEP = /^1\.([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{0,64})\.([\w-]{43})$/;

/** Somebody who has shown their password and not yet their second factor. */
export interface SignInStep {
  readonly user: User;
  /** The secret of the invitation that they are accepting; null for a plain sign-in. */
  readonly invitation: string | null;
}

/**
 * Proof that a browser has shown the password of a person who has a second factor. Nothing of it is stored; it ends
 * after ten minutes and with the password, and signs nobody in by itself.
 */
export class SignInSteps {
  readonly #db: Db;
  readonly #key: () => Buffer;

  constructor(deps: { readonly db: Db; readonly keyring: Pick<Keyring, 'derive'> }) {
    this.#db = deps.db;
    this.#key = () => deps.keyring.derive('sign-in-steps');
  }

  /** `now`: epoch milliseconds. */
  issue({ user, invitation }: SignInStep, now: number): string {
    const end = String(Math.floor((now + STEP_MS) / 1000));
    const mac = this.#mac(user, end, invitation ?? '').toString('base64url');
    return `1.${user.id}.${end}.${invitation ?? ''}.${mac}`;
  }

  /** Null for one that is past its end or was not issued here for the person as they are now. */
  async open(text: string, now: number): Promise<SignInStep | null> {
    const [, id = '', end = '', invitation = '', mac = ''] = STEP.exec(text) ?? [];
    if (!isRowId('user', id) || Number(end) * 1000 <= now) return null;
    const user = await findUser(this.#db, id);
    if (user === null) return null;
    if (!sameBytes(Buffer.from(mac, 'base64url'), this.#mac(user, end, invitation))) return null;
    return { user, invitation: invitation === '' ? null : invitation };
  }

  #mac({ id, password_hash: password }: User, end: string, invitation: string): Buffer {
    return keyedMac(this.#key(), id, password, end, invitation);
  }
}

import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { User } from '../../storage/users.ts';
import { EMAIL_MOST_CHARACTERS } from '../../vocabulary/email.ts';

/** `1.<end, epoch seconds>.<address, base64url>.<MAC, base64url>`; the first part is the version. */
const PROOF = /^1\.(\d{1,12})\.([\w-]{1,1400})\.([\w-]{43})$/;

/**
 * Proof that somebody reads the mail of the address a person wants to sign in with (docs/sign-in.md#e-mail-address).
 * Nothing of it is stored: it counts for the person as they were when they asked, so a new password or another address
 * ends it, as its use does, and after the encryption key is replaced it proves nothing more.
 */
export class EmailProofs {
  readonly #key: () => Buffer;

  constructor(keyring: Pick<Keyring, 'derive'>) {
    this.#key = () => keyring.derive('email-changes');
  }

  /** What is mailed to the new address. `until`: epoch milliseconds. */
  issue(person: User, email: string, until: number): string {
    const end = String(Math.floor(until / 1000));
    const mac = this.#mac(person, email, end).toString('base64url');
    return `1.${end}.${Buffer.from(email).toString('base64url')}.${mac}`;
  }

  /** The address that the person may now use; null for a proof that is spent, past its end or somebody else's. */
  addressIn(proof: string, person: User, now: number): string | null {
    const [, end = '', encoded = '', mac = ''] = PROOF.exec(proof) ?? [];
    if (end === '' || Number(end) * 1000 <= now) return null;
    const email = Buffer.from(encoded, 'base64url').toString();
    if (email.length > EMAIL_MOST_CHARACTERS) return null;
    return sameBytes(Buffer.from(mac, 'base64url'), this.#mac(person, email, end)) ? email : null;
  }

  #mac({ id, email, password_hash: password }: User, wanted: string, end: string): Buffer {
    return keyedMac(this.#key(), id, email, password ?? '', wanted, end);
  }
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../shared/json.ts';
import type { KeptState } from '../shared/state-file.ts';
import { VendorError } from '../shared/vendor-error.ts';

/** What a claimed token gave access to. */
interface Access {
  readonly password: string;
  readonly logIn: string;
  disabled: boolean;
}

/** Refused credentials and tokens: the protocol has this status for both, and a text as the body. */
export const forbidden = (): VendorError => new VendorError(403, 'forbidden', 'Forbidden');

/** Setup tokens that wait to be claimed, and accesses. */
export class Tokens implements KeptState {
  readonly #setups = new Map<string, string>();
  readonly #accesses = new Map<string, Access>();

  /** A setup token's secret part, for the user. */
  create(logIn: string): string {
    const token = secret();
    this.#setups.set(token, logIn);
    return token;
  }

  /** The user name and password of a new access. @throws VendorError 403 for a token that was claimed or never made */
  claim(token: string): { readonly user: string; readonly password: string } {
    const logIn = this.#setups.get(token);
    if (logIn === undefined) throw forbidden();
    this.#setups.delete(token);
    const [user, password] = [secret(), secret()];
    this.#accesses.set(user, { password, logIn, disabled: false });
    return { user, password };
  }

  /** Whose access it is, and its name. @throws VendorError 403 */
  caller(authorization: string | undefined): { readonly user: string; readonly logIn: string } {
    const [, encoded = ''] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
    const [user = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':');
    const access = this.#accesses.get(user);
    const sent = Buffer.from(password);
    const good = Buffer.from(access?.password ?? '');
    if (
      access === undefined ||
      access.disabled ||
      sent.length !== good.length ||
      !timingSafeEqual(sent, good)
    )
      throw forbidden();
    return { user, logIn: access.logIn };
  }

  /** Users who share something. */
  sharing(): readonly string[] {
    return [...new Set([...this.#accesses.values()].flatMap((one) => (one.disabled ? [] : [one.logIn])))];
  }

  /** As if the person had disabled an access, or with a log-in all accesses of that user. */
  disable(of: { readonly user: string } | { readonly logIn: string }): void {
    for (const [user, access] of this.#accesses)
      if ('user' in of ? of.user === user : of.logIn === access.logIn) access.disabled = true;
  }

  read(): Readonly<Record<string, unknown>> {
    return { setups: Object.fromEntries(this.#setups), accesses: Object.fromEntries(this.#accesses) };
  }

  restore({ setups, accesses }: Readonly<Record<string, unknown>>): boolean {
    if (!isRecord(setups) || !isRecord(accesses)) return false;
    for (const [token, logIn] of Object.entries(setups)) {
      if (typeof logIn !== 'string') return false;
      this.#setups.set(token, logIn);
    }
    for (const [user, access] of Object.entries(accesses)) {
      if (!isRecord(access)) return false;
      const { password, logIn, disabled } = access;
      if (typeof password !== 'string' || typeof logIn !== 'string' || typeof disabled !== 'boolean')
        return false;
      this.#accesses.set(user, { password, logIn, disabled });
    }
    return true;
  }
}

function secret(): string {
  return randomBytes(20).toString('hex');
}

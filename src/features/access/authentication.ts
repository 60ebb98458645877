import { ServiceError } from '../../vocabulary/service-error.ts';
import type { AuthAttempts } from '../rate-limits/auth-attempts.ts';
import { type Authenticator, bearerToken, type CredentialHeaders, type Refusal } from './authenticator.ts';
import type { Caller } from './caller.ts';

/** What is sent is not repeated: it may be a password. */
const NOT_BEARER =
  'The Authorization header must have the form: Bearer <API_KEY>. The one sent has a different form or scheme.';

/** Finds the caller behind the headers of a request, by the first authenticator that knows the credential by its form. */
export class Authentication {
  readonly #authenticators: readonly Authenticator[];
  readonly #attempts: AuthAttempts;

  constructor(deps: { readonly authenticators: readonly Authenticator[]; readonly attempts: AuthAttempts }) {
    this.#authenticators = deps.authenticators;
    this.#attempts = deps.attempts;
  }

  /**
   * Raises `too_many_auth_attempts`, as a rule before it looks at the credential, then `api_key_missing` or the refusal
   * of the authenticator, each of which spends of the budget of failures. A promise only where the database is asked or
   * processes share what they count.
   */
  authenticate(headers: CredentialHeaders, address: string): Caller | Promise<Caller> {
    for (const authenticator of this.#authenticators) {
      const credential = authenticator.credentialIn(headers);
      if (credential !== null) return this.#authenticate(authenticator, credential, address);
    }
    return this.#refuseUnknown(headers, address);
  }

  /**
   * The caller behind a credential that was let in before, as it is now, or null where it would be refused. It
   * spends of no budget.
   */
  async again(headers: CredentialHeaders, address: string): Promise<Caller | null> {
    for (const authenticator of this.#authenticators) {
      const credential = authenticator.credentialIn(headers);
      if (credential === null) continue;
      const found = await authenticator.identify(credential, address);
      return typeof found === 'string' ? null : found;
    }
    return null;
  }

  #authenticate(authenticator: Authenticator, credential: string, address: string): Caller | Promise<Caller> {
    const bucket = this.#attempts.arrive(address, credential);
    return bucket instanceof Promise
      ? bucket.then((counted) => this.#identify(authenticator, credential, address, counted))
      : this.#identify(authenticator, credential, address, bucket);
  }

  #identify(
    authenticator: Authenticator,
    credential: string,
    address: string,
    bucket: string,
  ): Caller | Promise<Caller> {
    const found = authenticator.identify(credential, address);
    return found instanceof Promise
      ? found.then((caller) => this.#admit(caller, bucket, authenticator))
      : this.#admit(found, bucket, authenticator);
  }

  #admit(found: Caller | Refusal, bucket: string, { messages }: Authenticator): Caller | Promise<Caller> {
    return typeof found === 'string' ? this.#refuse(bucket, found, messages?.[found]) : found;
  }

  /** No authenticator knows the form of what was sent, if anything was. */
  #refuseUnknown(headers: CredentialHeaders, address: string): Promise<never> {
    const token = bearerToken(headers);
    const bucket = this.#attempts.arrive(address, token ?? '');
    const refuse = (counted: string): Promise<never> => {
      if (token !== null) return this.#refuse(counted, 'api_key_invalid');
      return headers.authorization === undefined || headers.authorization === ''
        ? this.#refuse(counted, 'api_key_missing')
        : this.#refuse(counted, 'api_key_invalid', NOT_BEARER);
    };
    return bucket instanceof Promise ? bucket.then(refuse) : refuse(bucket);
  }

  #refuse(bucket: string, code: Refusal, message?: string): Promise<never> {
    const refused = (): never => {
      throw new ServiceError(code, message === undefined ? {} : { message });
    };
    const spent = this.#attempts.fail(bucket);
    return spent instanceof Promise ? spent.then(refused) : refused();
  }
}

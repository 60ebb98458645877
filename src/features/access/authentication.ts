import type { NoticeKind, Notices } from '../../storage/notices.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { RatePool } from '../../vocabulary/rate-tiers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { AuthAttempts } from '../rate-limits/auth-attempts.ts';
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
   * of the authenticator, each of which counts towards the budget of failures. A promise only where the database is asked or
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
   * The caller behind a credential that was let in before, as it is now, or null if it would be refused. It
   * counts towards no budget.
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
    const bucket = this.#attempts.arrive(address, credential, authenticator.rates);
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

/** The headers in which a request can carry a credential. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

/** Why a credential is refused; an authenticator that has a code of its own adds it here. */
export type Refusal = Extract<
  ErrorCode,
  'api_key_missing' | 'api_key_invalid' | 'ip_not_allowed' | 'oauth_token_invalid'
>;

/** Knows one kind of credential. A surface lists those it accepts. */
export interface Authenticator {
  /** Whose ceiling of requests holds before a credential is looked up; that of keys where it is left out. */
  readonly rates?: RatePool;
  /** What its refusals say, where that is not what their codes say. */
  readonly messages?: Readonly<Partial<Record<Refusal, string>>>;
  /**
   * The credential where the headers carry one of this kind, known by its form alone; null leaves the request to the
   * other authenticators. Its first 16 characters are part of the bucket that failures are counted in.
   */
  credentialIn(headers: CredentialHeaders): string | null;
  /** Whose credential it is, or why it is no one's. A promise only where that has to be looked up. */
  identify(credential: string, address: string): Caller | Refusal | Promise<Caller | Refusal>;
}

const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/** The token of an `Authorization: Bearer …` header (RFC 6750 section 2.1); null for any other. */
export function bearerToken({ authorization }: CredentialHeaders): string | null {
  return authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null);
}

/** When callers were last used, written down once in a while and not once a request. */
export class LastUses<Id extends string> {
  readonly #write: (used: ReadonlyMap<Id, Date>) => Promise<void>;
  #used = new Map<Id, number>();

  constructor(write: (used: ReadonlyMap<Id, Date>) => Promise<void>) {
    this.#write = write;
  }

  /** @param now epoch milliseconds */
  note(id: Id, now: number): void {
    this.#used.set(id, now);
  }

  /** Writes what was used since the last call. What could not be written is there for the next. */
  async flush(): Promise<void> {
    const used = this.#used;
    this.#used = new Map();
    try {
      await this.#write(new Map([...used].map(([id, at]) => [id, new Date(at)])));
    } catch (error) {
      this.#used = new Map([...used, ...this.#used]);
      throw error;
    }
  }
}

const MAX_REMEMBERED = 10_000;

/**
 * Remembers in the process whose a credential is, by its digest, because looking it up costs more than most requests. A
 * notice from whichever process revoked or changed it removes it at once, and while notices may be missed nothing is
 * remembered at all.
 */
export class RememberedCallers<C extends Pick<Caller, 'id' | 'accountRecord'>> {
  readonly #notices: Notices;
  readonly #callers = new Map<string, C>();
  #generation = 0;

  /** @param kind the notices that name a caller of this kind by its id */
  constructor(notices: Notices, kind: NoticeKind) {
    this.#notices = notices;
    notices.onLost(() => this.#forget(() => true));
    notices.onNotice((notice) => {
      if (notice.kind === kind) this.#forget((caller) => caller.id === notice.id);
      if (notice.kind === 'account_record') {
        this.#forget((caller) => caller.accountRecord.id === notice.id);
      }
    });
  }

  recall(digest: string): C | null {
    return this.#callers.get(digest) ?? null;
  }

  /** Looks the caller up, and remembers it unless something was forgotten meanwhile. */
  async find(digest: string, look: () => Promise<C | null>): Promise<C | null> {
    const generation = this.#generation;
    const caller = await look();
    if (caller !== null && this.#notices.connected && generation === this.#generation) {
      if (this.#callers.size >= MAX_REMEMBERED) this.#callers.clear();
      this.#callers.set(digest, caller);
    }
    return caller;
  }

  #forget(of: (caller: C) => boolean): void {
    this.#generation += 1;
    for (const [slot, caller] of this.#callers) if (of(caller)) this.#callers.delete(slot);
  }
}

import type { NoticeKind, Notices } from '../../storage/notices.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { RatePool } from '../../vocabulary/rate-tiers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { AuthAttempts } from '../rate-limits/auth-attempts.ts';
import type { Caller } from './caller.ts';

/** The message does not repeat what was sent: it may be a password. */
const NOT_BEARER =
  'The Authorization header must have the form: Bearer <API_KEY>. The one sent has a different form or scheme.';

/**
 * Finds the caller behind the headers of a request, by the first authenticator that recognises the form of the
 * credential.
 */
export class Authentication {
  readonly #authenticators: readonly Authenticator[];
  readonly #attempts: AuthAttempts;

  constructor(deps: { readonly authenticators: readonly Authenticator[]; readonly attempts: AuthAttempts }) {
    this.#authenticators = deps.authenticators;
    this.#attempts = deps.attempts;
  }

  /**
   * Raises `too_many_auth_attempts`, as a rule before it looks at the credential, then `api_key_missing` or the refusal
   * of the authenticator, each of which counts towards the budget of failures. A promise only if the database is
   * queried or processes share their counts.
   */
  authenticate(headers: CredentialHeaders, address: string): Caller | Promise<Caller> {
    for (const authenticator of this.#authenticators) {
      const credential = authenticator.credentialIn(headers);
      if (credential !== null) return this.#authenticate(authenticator, credential, address);
    }
    return this.#refuseUnknown(headers, address);
  }

  /**
   * The current caller of a credential that was accepted before, or null if it would be refused now. Counts
   * towards no budget.
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

  /** No credential was sent, or one whose form no authenticator recognises. */
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

/** Why a credential is refused; an authenticator with a code of its own adds it here. */
export type Refusal = Extract<
  ErrorCode,
  'api_key_missing' | 'api_key_invalid' | 'ip_not_allowed' | 'oauth_token_invalid'
>;

/** Recognises one kind of credential. A surface lists those it accepts. */
export interface Authenticator {
  /** Which ceiling of requests applies before a credential is looked up; that of keys by default. */
  readonly rates?: RatePool;
  /** The messages of its refusals, if not those of their codes. */
  readonly messages?: Readonly<Partial<Record<Refusal, string>>>;
  /**
   * The credential, if the headers have one of this kind, recognised by its form alone; null leaves the request to the
   * other authenticators. Its first 16 characters are part of the bucket that failures are counted in.
   */
  credentialIn(headers: CredentialHeaders): string | null;
  /** Whose credential it is, or why it is refused. A promise only if that has to be looked up. */
  identify(credential: string, address: string): Caller | Refusal | Promise<Caller | Refusal>;
}

const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/** The token of an `Authorization: Bearer …` header (RFC 6750 section 2.1); null for any other. */
export function bearerToken({ authorization }: CredentialHeaders): string | null {
  return authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null);
}

/** When callers were last used, stored at intervals instead of for each request. */
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

  /** Stores what was used since the last call. What cannot be stored is kept for the next one. */
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
 * notice of the process that revoked or changed it removes it at once, and nothing is remembered while notices may be
 * missed.
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

  /** Looks the caller up, and remembers it unless anything was forgotten in the meantime. */
  async find(digest: string, look: () => Promise<C | null>): Promise<C | null> {
    const generation = this.#generation;
    const caller = await look();
    if (caller !== null && this.#notices.connected && generation === this.#generation) {
      this.#callers.set(digest, caller);
      if (this.#callers.size > MAX_REMEMBERED) this.#forgetOldest();
    }
    return caller;
  }

  #forgetOldest(): void {
    const [oldest] = this.#callers.keys();
    if (oldest !== undefined) this.#callers.delete(oldest);
  }

  #forget(of: (caller: C) => boolean): void {
    this.#generation += 1;
    for (const [slot, caller] of this.#callers) if (of(caller)) this.#callers.delete(slot);
  }
}

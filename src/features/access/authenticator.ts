import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { Caller } from './caller.ts';

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
  /** What its refusals say, where that is not what their codes say. */
  readonly messages?: Readonly<Partial<Record<Refusal, string>>>;
  /**
   * The credential where the headers carry one of this kind, known by its form alone; null leaves the request to the
   * other authenticators. Its first 16 characters are part of the bucket that failures are counted in.
   */
  credentialIn(headers: CredentialHeaders): string | null;
  /** Whose credential it is, or why it is nobody's. A promise only where that has to be looked up. */
  identify(credential: string, address: string): Caller | Refusal | Promise<Caller | Refusal>;
}

const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i;

/** The token of an `Authorization: Bearer …` header (RFC 6750 section 2.1); null for any other. */
export function bearerToken({ authorization }: CredentialHeaders): string | null {
  return authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? null);
}

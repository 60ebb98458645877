export interface BearerChallenge {
  /** Where the metadata of the protected resource is (RFC 9728, section 5.1), absolute. */
  readonly resourceMetadata: string;
  /** Absent where the request carried no token at all (RFC 6750, section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  /** The scopes that would do, separated by spaces. */
  readonly scope?: string;
}

/** What an attribute value may hold without an escape; scopes and addresses hold nothing else (RFC 6749, section 3.3). */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** The value of `WWW-Authenticate`, from which a client finds out where to get a token and for what. */
export function bearerChallenge({ resourceMetadata, error, scope }: BearerChallenge): string {
  const attributes = { error, scope, resource_metadata: resourceMetadata };
  const pairs = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!PLAIN.test(value)) throw new TypeError(`${name} cannot be in a challenge`);
    return [`${name}="${value}"`];
  });
  return `Bearer ${pairs.join(', ')}`;
}

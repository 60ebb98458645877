/**
 * An address as the value of `Location`: characters that a header cannot contain are percent-encoded, and existing
 * escapes are kept (RFC 9110, section 10.2.2).
 */
export function locationOf(address: string): string {
  return address.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/**
 * The value of `Content-Disposition` for a file of this name (RFC 6266); special characters become `_`. Letters beyond
 * ASCII are in the second form of the name (RFC 8187), which browsers prefer.
 */
export function attachmentOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_');
  const whole = fileName.toWellFormed().replaceAll(/[^\p{L}\p{M}\p{N}._-]/gu, '_');
  const extended = whole === plain ? '' : `; filename*=UTF-8''${encodeURIComponent(whole)}`;
  return `attachment; filename="${plain}"${extended}`;
}

interface BearerChallenge {
  /** Where the metadata of the protected resource is (RFC 9728, section 5.1), absolute. */
  readonly resourceMetadata: string;
  /** Absent if the request carried no token at all (RFC 6750, section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  /** The scopes that would suffice, separated by spaces. */
  readonly scope?: string;
}

/** Characters that need no escape in an attribute value; scopes and URLs contain no others (RFC 6749, section 3.3). */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** The value of `WWW-Authenticate`, which tells a client where to get a token and with which scopes. */
export function bearerChallenge({ resourceMetadata, error, scope }: BearerChallenge): string {
  const attributes = { error, scope, resource_metadata: resourceMetadata };
  const pairs = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!PLAIN.test(value)) throw new TypeError(`${name} cannot be in a challenge`);
    return [`${name}="${value}"`];
  });
  return `Bearer ${pairs.join(', ')}`;
}

/** The weights, from 0 to 1, in an `Accept` header or one like it, by lower-case name (RFC 9110, section 12.4.2). */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((entry): [string, number] => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
}

/**
 * The language among `codes` that the caller prefers most; null if it accepts none of them (RFC 9110, section 12.5.4).
 */
export function preferredLanguage<T extends string>(
  header: string | undefined,
  codes: readonly T[],
): T | null {
  const wanted = [...weightsOf(header ?? '')]
    .filter(([, weight]) => weight > 0)
    .sort(([, one], [, other]) => other - one);
  for (const [range] of wanted) {
    const code = codes.find((one) => one === range.split('-')[0]);
    if (code !== undefined) return code;
  }
  return null;
}

/**
 * Whether the caller prefers a page to JSON. Browsers name `text/html`. Programs name JSON or accept anything, and get
 * JSON.
 */
export function wantsPage(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '');
  const page = weights.get('text/html') ?? 0;
  return page > 0 && page >= (weights.get('application/json') ?? 0);
}

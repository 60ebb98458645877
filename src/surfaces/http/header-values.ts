/**
 * An address as the value of `Location`: what a header cannot hold is percent-encoded, and what is encoded already stays
 * (RFC 9110, section 10.2.2).
 */
export function locationOf(address: string): string {
  return address.toWellFormed().replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/** The value of `Content-Disposition` for a file of this name (RFC 6266); what is not plain in it becomes `_`. */
export function attachmentOf(fileName: string): string {
  return `attachment; filename="${fileName.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`;
}

interface BearerChallenge {
  /** Where the metadata of the protected resource is (RFC 9728, section 5.1), absolute. */
  readonly resourceMetadata: string;
  /** Absent if the request carried no token at all (RFC 6750, section 3.1). */
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

/** What a caller takes, by lower-case name and weight from 0 to 1 (RFC 9110, section 12.4.2). */
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
 * Whether a page is wanted rather than JSON. Browsers name `text/html`; programs name JSON, or take anything, and get
 * what they can read.
 */
export function wantsPage(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '');
  const page = weights.get('text/html') ?? 0;
  return page > 0 && page >= (weights.get('application/json') ?? 0);
}

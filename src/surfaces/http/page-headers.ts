import { createHash } from 'node:crypto';

/** What a page may load, and where its forms may lead, by directive (Content Security Policy Level 3). */
type Policy = Readonly<
  Partial<
    Record<
      | 'script-src'
      | 'style-src'
      | 'img-src'
      | 'connect-src'
      | 'form-action'
      | 'base-uri'
      | 'manifest-src'
      | 'worker-src',
      string
    >
  >
>;

const NOTHING = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

/**
 * The security headers of a page: it can load, run and send only what the policy allows and cannot be framed, and the
 * next site does not learn which page the person came from.
 */
export function pageHeaders(policy: Policy) {
  const directives = Object.entries({ ...NOTHING, ...policy });
  return {
    'content-security-policy': directives.map(([name, value]) => `${name} ${value}`).join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  } as const;
}

/** Scheme, host and port in the grammar of CSP sources, which has no IPv6 addresses. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:$/i;

/**
 * The source that allows the origin of an address, or its whole scheme if a policy cannot name the host. The address is
 * untrusted: no part of it can end the source or the directive. Raises a TypeError if it has no valid scheme.
 */
export function sourceOf({ protocol, host }: URL): string {
  const origin = `${protocol}//${host}`;
  if (/^https?:$/.test(protocol) && ORIGIN.test(origin)) return origin;
  if (SCHEME.test(protocol)) return protocol;
  throw new TypeError('an address without a scheme is no source');
}

/** The source for `style-src` or `script-src` that allows exactly this inline text. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

import { createHash } from 'node:crypto';

/** What a page may load and where it may lead, by directive (Content Security Policy Level 3). */
type Policy = Readonly<
  Partial<Record<'script-src' | 'style-src' | 'img-src' | 'connect-src' | 'form-action' | 'base-uri', string>>
>;

const NOTHING = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

/**
 * The security headers of a page: nothing is loaded, run, framed or sent anywhere but what the policy names, and the
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

/** The source of `style-src` or `script-src` that allows exactly this text inside the page. */
export function inlineSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

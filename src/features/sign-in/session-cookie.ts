import { looksLikeOpaqueSecret } from '../../platform/opaque-secret.ts';
import { cookieOf } from '../../platform/request-cookie.ts';

/** The names of the cookies of the web application. */
export interface CookieNames {
  readonly session: string;
  readonly device: string;
  /** What they were called before the service moved to https; null over plain http. They let nobody in. */
  readonly former: Pick<CookieNames, 'session' | 'device'> | null;
}

/**
 * Over https browsers themselves see to it that no other host and no page over http has set a cookie of the prefix
 * `__Host-` (RFC 6265bis, section 4.1.3.2); over plain http, on the own machine, they refuse it.
 */
export function cookieNames(appUrl: string): CookieNames {
  const plain = { session: 'tributary', device: 'tributary-device' } as const;
  if (new URL(appUrl).protocol !== 'https:') return { ...plain, former: null };
  return { session: `__Host-${plain.session}`, device: `__Host-${plain.device}`, former: plain };
}

/** The secret of the session in a `Cookie` header; null where there is none of its form. */
export function sessionSecretIn(
  header: string | undefined,
  names: Pick<CookieNames, 'session'>,
): string | null {
  const value = cookieOf(header, names.session);
  return value !== null && looksLikeOpaqueSecret(value) ? value : null;
}

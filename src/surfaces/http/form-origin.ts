import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that another site's page sent the form. Browsers leave `Sec-Fetch-Site` out over plain http to
 * anything but the own machine, and old ones know it not; then `Origin` decides. What sends neither is no browser.
 */
export function isFromElsewhere(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // The host as the browser asked for it: a service may be reached by more names than its public one.
  return origin !== new URL(publicUrl).origin && URL.parse(origin)?.host !== host;
}

/**
 * Whether a browser says that a page of this service sent the request. Unlike `isFromElsewhere` it takes silence for a
 * no, since what it is asked of comes from our own scripts, in browsers that always say.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, appUrl: string): boolean {
  if (headers['sec-fetch-site'] === undefined && headers.origin === undefined) return false;
  return headers['sec-fetch-site'] !== 'none' && !isFromElsewhere(headers, appUrl);
}

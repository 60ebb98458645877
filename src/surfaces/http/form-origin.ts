import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that another site's page sent the form. Old browsers do not send `Sec-Fetch-Site`, and others
 * send it over plain http only to their own machine; `Origin` then decides. A client that sends neither is not a
 * browser.
 */
export function isFromElsewhere(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  // The host that the browser requested: a service may have names besides its public one.
  return origin !== new URL(publicUrl).origin && URL.parse(origin)?.host !== host;
}

/**
 * Whether a browser says that a page of this service sent the request. Unlike `isFromElsewhere`, a missing header
 * means no, since it checks requests of our own scripts, whose browsers always send one.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, appUrl: string): boolean {
  if (headers['sec-fetch-site'] === undefined && headers.origin === undefined) return false;
  return headers['sec-fetch-site'] !== 'none' && !isFromElsewhere(headers, appUrl);
}

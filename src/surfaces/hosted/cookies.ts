import type { IncomingHttpHeaders } from 'node:http';

/** A cookie that is carried by visits to one address only and that no script reads. */
export function cookieText(cookie: {
  readonly name: string;
  readonly value: string;
  readonly address: string;
  readonly seconds: number;
}): string {
  const { protocol, pathname } = new URL(cookie.address);
  return [
    `${cookie.name}=${cookie.value}`,
    `Path=${pathname}`,
    `Max-Age=${cookie.seconds}`,
    'HttpOnly',
    // Strict would keep it from a visit that another site has sent here, as every vendor does.
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
  ].join('; ');
}

/** The value of a cookie in the header a browser sent; null when it is not there. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((text) => text.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/**
 * Whether a browser says that another site's page made the request. `Origin` does not tell: our pages send no referrer,
 * and then it is null. A browser that does not know the header is believed.
 */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** The value of a cookie in the header a browser sent; null when it is not there. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((text) => text.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** The one address whose visits carry it, absolute. */
  readonly address: string;
  /** How long the browser keeps it. */
  readonly seconds: number;
}

/**
 * A cookie that no script reads and that is carried by visits to one address only; over https by visits to its host,
 * because only then browsers refuse that another host sets it.
 */
export function cookieText({ name, value, address, seconds }: Cookie): string {
  const { protocol, pathname } = new URL(address);
  const secure = protocol === 'https:';
  return [
    `${name}=${value}`,
    `Path=${secure ? '/' : pathname}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    // Strict would keep it from a visit that another site has sent here, as every vendor does.
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

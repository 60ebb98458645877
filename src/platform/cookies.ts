/** The value of a cookie in the header a browser sent; null when it is missing. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((text) => text.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** The absolute URL that it is sent to. */
  readonly address: string;
  /** How long the browser keeps it. */
  readonly seconds: number;
}

/**
 * A cookie that scripts cannot read and that is sent to one address only; over https to its whole host, because only
 * then do browsers prevent another host from setting it.
 */
export function cookieText({ name, value, address, seconds }: Cookie): string {
  const { protocol, pathname } = new URL(address);
  const secure = protocol === 'https:';
  return [
    `${name}=${value}`,
    `Path=${secure ? '/' : pathname}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    // Strict would withhold it when another site sends the person here, as every vendor does.
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

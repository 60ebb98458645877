/** The value of a cookie in the header a browser sent; null when it is not there. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = header?.split(';').map((text) => text.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

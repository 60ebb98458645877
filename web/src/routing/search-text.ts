/**
 * What an address says besides its path. Addresses are written by vendors and by people, so every value is text and
 * stays as it was written: the router's own reading makes numbers of `2026` and `20.00`.
 */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const texts = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') texts.append(name, value);
  }
  return texts.size === 0 ? '' : `?${texts.toString()}`;
}

/** What a caller takes, by lower-case name and weight from 0 to 1 (RFC 9110, section 12.4.2). */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((entry): [string, number] => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
}

/**
 * Whether a page is wanted rather than JSON. Browsers name `text/html`; programs name JSON, or take anything, and get
 * what they can read.
 */
export function wantsPage(accept: string | undefined): boolean {
  const weights = weightsOf(accept ?? '');
  const page = weights.get('text/html') ?? 0;
  return page > 0 && page >= (weights.get('application/json') ?? 0);
}

import fc from 'fast-check';

type Json = ReturnType<typeof JSON.parse>;

/** Values that look like what is expected, beside any JSON value. */
export const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<Json>(
    '9999-12-31T23:59:59Z',
    '9999-12-31',
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '1,234.56',
    '9'.repeat(40),
    'USDT',
    'x'.repeat(300),
    '\ud800',
    'a\u0000b',
    '',
    null,
    1e308,
    -0,
    9_007_199_254_740_992,
    [],
    {},
    [[]],
    { id: {} },
    { __proto__: null },
  ),
);

/** Every member of a row, nested ones included. */
export function pathsOf(row: Json, at: readonly string[] = []): (readonly string[])[] {
  if (typeof row !== 'object' || row === null) return [at];
  return [at, ...Object.keys(row).flatMap((name) => pathsOf(row[name], [...at, name]))];
}

/** The row with another value of the member at the path. */
export function withValue(row: Json, [first, ...rest]: readonly string[], to: Json): Json {
  if (first === undefined) return to;
  return { ...row, [first]: withValue(row[first], rest, to) };
}

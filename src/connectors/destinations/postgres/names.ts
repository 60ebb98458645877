import pg from 'pg';

/** A name as it is in a statement, quoted by the driver. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join('.');
}

/** A text as it is in a statement that takes no parameters, quoted by the driver. */
export function literal(text: string): string {
  return pg.escapeLiteral(text);
}

/** The longest name that Postgres keeps; longer ones it cuts. */
export const NAME_BYTES = 63;

/** A name with a suffix that is no longer than Postgres keeps. */
export function suffixed(name: string, suffix: string): string {
  let kept = name;
  while (Buffer.byteLength(kept + suffix) > NAME_BYTES) kept = [...kept].slice(0, -1).join('');
  return kept + suffix;
}

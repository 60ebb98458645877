import { numberText } from '../format/numbers.ts';

interface Listed {
  readonly found: number;
  /** Rows that have been read; `found` are those of them that the filters leave. */
  readonly read: number;
  readonly narrowed: boolean;
  readonly complete: boolean;
}

/** How many rows a list shows, of how many that were read. @param counted a number with its noun */
export function listedText(
  { found, read, narrowed, complete }: Listed,
  counted: (count: number) => string,
): string {
  const shown = narrowed ? `${numberText(found)} of ${counted(read)}` : counted(read);
  return complete ? shown : `${shown} read so far`;
}

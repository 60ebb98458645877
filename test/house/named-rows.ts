import { codeOnly } from './code-only.ts';
import type { Tree } from './tree.ts';

export const ROW_KINDS = ['limit', 'move', 'code'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

export interface NamedRow {
  readonly kind: RowKind;
  readonly row: string;
  readonly path: string;
}

/** In a test's name: `[limit page_size_max]`, `[move api_key: rotated]`, `[code route_missing]`. */
const NAME = /\[(limit|move|code) ([^\]\n]+)\]/g;

/** Rows of the tables that names of tests name. What a comment names does not count: a comment tests nothing. */
export function namedRows(tests: Tree): NamedRow[] {
  return [...tests].flatMap(([path, source]) => {
    const code = codeOnly(source);
    return [...source.matchAll(NAME)].flatMap(({ 1: kind, 2: row, index }) => {
      const known = ROW_KINDS.find((one) => one === kind);
      return known !== undefined && row !== undefined && isText(source, code, index)
        ? [{ kind: known, row, path }]
        : [];
    });
  });
}

/** Whether what is there is inside a text: it is no code, and a quote there would end it, as in a comment none does. */
function isText(source: string, code: string, index: number): boolean {
  const before = source.slice(0, index);
  return (
    code[index] === ' ' && ["'", '"', '`'].some((quote) => codeOnly(`${before}${quote}x*/`).endsWith('x*/'))
  );
}

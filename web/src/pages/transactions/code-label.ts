import { PROVIDER_CATEGORIES } from '../../../../src/vocabulary/provider-categories.ts';

const LABELS: ReadonlyMap<string, string> = new Map(
  PROVIDER_CATEGORIES.map(({ code, label }) => [code, label]),
);

/** What a code of banks is called; one that is not in the list stands for itself. */
export function codeLabel(code: string): string {
  return LABELS.get(code) ?? code;
}

import type { Category } from '#client';
import { codeLabel, PROVIDER_CATEGORIES } from '../../../src/vocabulary/provider-categories.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

interface OptionGroup {
  readonly group: string;
  readonly items: Option[];
}

/** Categories to choose from, below their groups; archived ones are not offered. */
export function categoryOptions(
  categories: readonly Category[],
  wholeGroup?: (name: string) => string,
): OptionGroup[] {
  return categories
    .filter(({ parent, archived }) => parent === null && !archived)
    .map((group) => {
      const members = categories
        .filter(({ parent, archived }) => parent === group.id && !archived)
        .map((one) => ({ value: one.id, label: `${one.icon} ${one.name}` }));
      const all = wholeGroup === undefined ? [] : [{ value: group.id, label: wholeGroup(group.name) }];
      return { group: `${group.icon} ${group.name}`, items: [...all, ...members] };
    })
    .filter(({ items }) => items.length > 0);
}

/** Which category claims each code. */
export function claimsOf(categories: readonly Category[]): ReadonlyMap<string, string> {
  return new Map(categories.flatMap(({ id, sources }) => sources.map((code) => [code, id] as const)));
}

const PARENTS: ReadonlyMap<string, string | null> = new Map(
  PROVIDER_CATEGORIES.map(({ code, parent }) => [code, parent]),
);

/** The names of codes, in their order; those that would be the same begin with the name of their primary code. */
export function codeLabels(codes: readonly string[]): readonly string[] {
  const labels = codes.map(codeLabel);
  return codes.map((code, at) => {
    const label = codeLabel(code);
    const parent = PARENTS.get(code) ?? null;
    const isOnly = labels.indexOf(label) === at && labels.lastIndexOf(label) === at;
    return isOnly || parent === null ? label : `${codeLabel(parent)}: ${label}`;
  });
}

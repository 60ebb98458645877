import type { Category, ProviderCategory } from '#client';

/** A primary code with its subcategories. */
export interface CodeFamily {
  readonly primary: ProviderCategory;
  readonly members: readonly ProviderCategory[];
}

export function familiesOf(codes: readonly ProviderCategory[]): readonly CodeFamily[] {
  const members = Map.groupBy(codes, ({ parent }) => parent);
  return (members.get(null) ?? []).map((primary) => ({ primary, members: members.get(primary.code) ?? [] }));
}

/** Families with what matches a search: a primary that matches brings all of its subcategories. */
export function matching(families: readonly CodeFamily[], search: string): readonly CodeFamily[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return families;
  const hit = ({ code, label }: ProviderCategory) =>
    label.toLowerCase().includes(wanted) || code.toLowerCase().includes(wanted);
  return families.flatMap((family) => {
    if (hit(family.primary)) return [family];
    const members = family.members.filter(hit);
    return members.length === 0 ? [] : [{ ...family, members }];
  });
}

/** Which category claims each code. */
export function holdersOf(categories: readonly Category[]): ReadonlyMap<string, Category> {
  return new Map(categories.flatMap((category) => category.sources.map((code) => [code, category] as const)));
}

/** Codes whose rows get no category: neither the code nor its primary is claimed (docs/categories.md). */
export function withoutCategory(
  codes: readonly ProviderCategory[],
  holders: ReadonlyMap<string, Category>,
): readonly ProviderCategory[] {
  return codes.filter(({ code, parent }) => !holders.has(code) && (parent === null || !holders.has(parent)));
}

/** What a claim of these codes would take from other categories, by the category that loses them. */
export function takenBy(
  id: string,
  chosen: ReadonlySet<string>,
  categories: readonly Category[],
): readonly { readonly from: Category; readonly codes: readonly string[] }[] {
  return categories.flatMap((from) => {
    const codes = from.id === id ? [] : from.sources.filter((code) => chosen.has(code));
    return codes.length === 0 ? [] : [{ from, codes }];
  });
}

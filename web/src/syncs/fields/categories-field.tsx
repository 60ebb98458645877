import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DestinationResource, ProviderCategory } from '#client';
import { categories as ownCategories, providerCategories } from '../../api/categories.ts';
import { destinationResources } from '../../api/destinations.ts';
import type { MappedCategory } from '../../api/syncs.ts';
import { Fields } from '../../parts/fields.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import { categoryProposals, type Proposal } from './proposals.ts';
import { Proposed, proposalText, useEarlierCategories } from './proposed.tsx';
import { errorOf, type RefusedEntry } from './refused-entry.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.categories;
const EXPECTED = 6;

interface CategoriesFieldProps {
  readonly destination: string;
  readonly mappings: readonly MappedCategory[];
  /** The entry that was refused; null for none. */
  readonly refused: RefusedEntry | null;
  readonly onChange: (mappings: readonly MappedCategory[]) => void;
}

/**
 * Which category of a budgeting app gets the rows of which code: the general ones, and below them the specific ones.
 */
export function CategoriesField({ destination, mappings, refused, onChange }: CategoriesFieldProps) {
  const theirs = useQuery(destinationResources(destination, { type: 'category' }));
  const codes = useQuery(providerCategories);
  const own = useQuery(ownCategories).data ?? [];
  const earlier = useEarlierCategories(destination);
  const failed = theirs.error ?? codes.error;
  if (theirs.data === undefined || codes.data === undefined) {
    return failed === null || theirs.isFetching ? (
      <LoadingRows count={EXPECTED} />
    ) : (
      <Problem error={failed} title={WORDS.failed} again={theirs.refetch} />
    );
  }
  const all = codes.data;
  const options = theirs.data.items;
  const proposals = categoryProposals({
    codes: all,
    targets: options,
    mapped: mappings.map((one) => ({
      of: one.provider_category,
      to: one.destination_category,
      toName: one.destination_category_name,
    })),
    earlier,
    own,
  });
  const set = new Set(mappings.map((one) => one.provider_category));
  const proposed = new Map(proposals.map((one) => [one.of, one]));
  const select = (code: ProviderCategory) => (
    <CategorySelect
      key={code.code}
      {...{ code, options, mappings, refused, onChange }}
      proposal={proposed.get(code.code)}
    />
  );
  return (
    <Fields legend={WORDS.legend} hint={WORDS.hint}>
      <Proposed
        count={proposals.length}
        now={mappings}
        accepted={[...mappings, ...proposals.map(({ of, target }) => mappingTo(of, target))]}
        onChange={onChange}
      />
      {all
        .filter(({ parent }) => parent === null)
        .map((primary) => {
          const inside = all.filter(({ parent }) => parent === primary.code);
          return (
            <div key={primary.code}>
              {select(primary)}
              <details
                className={classes.more}
                open={inside.some((one) => one.code === refused?.of) || undefined}
              >
                <summary>
                  {WORDS.details(primary.label)}
                  {WORDS.inside(
                    inside.filter(({ code }) => set.has(code)).length,
                    inside.filter(({ code }) => proposed.has(code)).length,
                  )}
                </summary>
                <div>{inside.map(select)}</div>
              </details>
            </div>
          );
        })}
    </Fields>
  );
}

interface CategorySelectProps {
  readonly code: ProviderCategory;
  readonly options: readonly DestinationResource[];
  readonly mappings: readonly MappedCategory[];
  readonly proposal: Proposal | undefined;
  /** The entry that was refused; null for none. */
  readonly refused: RefusedEntry | null;
  readonly onChange: (mappings: readonly MappedCategory[]) => void;
}

function CategorySelect({
  code: { code, label },
  options,
  mappings,
  proposal,
  refused,
  onChange,
}: CategorySelectProps) {
  const now = mappings.find((one) => one.provider_category === code);
  const value = now?.destination_category ?? '';
  const gone = now !== undefined && !options.some(({ id }) => id === value);
  return (
    <NativeSelect
      label={label}
      description={proposalText(proposal)}
      value={value}
      error={errorOf(refused, code, value)}
      data={[
        { value: '', label: WORDS.unmapped },
        ...(gone ? [{ value, label: now.destination_category_name ?? value }] : []),
        ...options.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget }) => {
        const others = mappings.filter((one) => one.provider_category !== code);
        const chosen = options.find(({ id }) => id === currentTarget.value);
        const mapped = chosen === undefined ? [] : [mappingTo(code, chosen)];
        onChange([...others, ...mapped]);
      }}
    />
  );
}

function mappingTo(code: string, { id, name }: Pick<DestinationResource, 'id' | 'name'>): MappedCategory {
  return { provider_category: code, destination_category: id, destination_category_name: name };
}

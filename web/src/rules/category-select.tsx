import { NativeSelect } from '@mantine/core';
import type { Category } from '#client';
import { CATEGORIES } from '../text/categories.ts';

interface CategorySelectProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly all: readonly Category[];
  readonly value: string;
  /** What can be chosen before the categories. */
  readonly first?: { readonly value: string; readonly label: string };
  /** Whether groups can be chosen as well. */
  readonly groups?: boolean;
  readonly error?: string | null;
  readonly onChange: (id: string) => void;
}

/** One of the person's categories, under the names of their groups. */
export function CategorySelect({
  label,
  hideLabel = false,
  all,
  value,
  first,
  groups = false,
  error = null,
  onChange,
}: CategorySelectProps) {
  const options = all
    .filter(({ parent }) => parent === null)
    .map((group) => ({
      group: `${group.icon} ${group.name}`,
      items: [
        ...(groups ? [{ value: group.id, label: CATEGORIES.wholeGroup(group.name) }] : []),
        ...all
          .filter(({ parent }) => parent === group.id)
          .map(({ id, name, icon }) => ({ value: id, label: `${icon} ${name}` })),
      ],
    }))
    .filter(({ items }) => items.length > 0);
  const isKnown = value === '' || value === first?.value || all.some(({ id }) => id === value);
  const before = [
    ...(first === undefined ? [] : [first]),
    ...(isKnown ? [] : [{ value, label: CATEGORIES.gone }]),
  ];
  return (
    <NativeSelect
      {...(hideLabel ? { 'aria-label': label } : { label })}
      value={value}
      data={[...before, ...options]}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

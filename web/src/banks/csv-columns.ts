import type { DocumentPreview } from '#client';

type Csv = NonNullable<DocumentPreview['csv']>;
export type Layout = NonNullable<Csv['layout']>;

/** What a column of a CSV can hold, in the order in which a person is offered it. */
export const COLUMN_ROLES = [
  'date',
  'description',
  'amount',
  'debit',
  'credit',
  'direction',
  'counterparty',
  'value_date',
  'reference',
  'currency',
  'category',
  'balance',
  'account',
] as const satisfies readonly (keyof Layout['columns'])[];
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** A layout that someone is changing, whose date may be missing. */
export interface LayoutDraft extends Omit<Layout, 'columns'> {
  readonly columns: Omit<Layout['columns'], 'date'> & { readonly date: number | null };
}

/** What a row needs; each is one column, and the amount may be two. */
export type Need = 'date' | 'description' | 'amount';

const NOTHING_NAMED: LayoutDraft['columns'] = {
  date: null,
  value_date: null,
  amount: null,
  debit: null,
  credit: null,
  direction: null,
  description: [],
  counterparty: null,
  reference: null,
  currency: null,
  category: null,
  balance: null,
  account: null,
};
/** As many columns as can make up one description. */
const MOST_DESCRIPTIONS = 10;

/** The layout in use, or one without columns if they have to be named. */
export function draftOf({ layout, delimiter, skip_lines }: Csv): LayoutDraft {
  return (
    layout ?? {
      delimiter,
      skip_lines,
      header: true,
      columns: NOTHING_NAMED,
      date_order: 'dmy',
      decimal_sign: '.',
      positive: 'in',
    }
  );
}

/** What the column holds; null if it is not read. */
export function roleOf({ columns }: LayoutDraft, at: number): ColumnRole | null {
  if (columns.description.includes(at)) return 'description';
  return COLUMN_ROLES.find((role) => columns[role] === at) ?? null;
}

/**
 * The draft with another role for a column. Except for descriptions, a role leaves the column that had it; one column of
 * amounts, with or without directions, replaces two, and the reverse.
 */
export function withRole(draft: LayoutDraft, at: number, role: ColumnRole | null): LayoutDraft {
  const held = roleOf(draft, at);
  const description = draft.columns.description.filter((column) => column !== at);
  const freed = {
    ...draft.columns,
    ...(held === null || held === 'description' ? {} : { [held]: null }),
    description,
  };
  if (role === null) return { ...draft, columns: freed };
  if (role === 'description') {
    return { ...draft, columns: { ...freed, description: [...description, at].slice(-MOST_DESCRIPTIONS) } };
  }
  const replaced =
    role === 'amount' || role === 'direction'
      ? { debit: null, credit: null }
      : role === 'debit' || role === 'credit'
        ? { amount: null, direction: null }
        : {};
  return { ...draft, columns: { ...freed, ...replaced, [role]: at } };
}

/** What still has to be named before a row can be read. */
export function needsOf({ columns }: LayoutDraft): readonly Need[] {
  const hasAmount = columns.amount !== null || columns.debit !== null || columns.credit !== null;
  return [
    ...(columns.date === null ? (['date'] as const) : []),
    ...(columns.description.length === 0 ? (['description'] as const) : []),
    ...(hasAmount ? [] : (['amount'] as const)),
  ];
}

/** What can be sent; null if something is missing. */
export function layoutOf(draft: LayoutDraft): Layout | null {
  const { date, ...columns } = draft.columns;
  return date === null || needsOf(draft).length > 0 ? null : { ...draft, columns: { ...columns, date } };
}

/** Whether the sign of an amount says which way the money went, so that it matters what a positive one means. */
export function isSigned({ columns }: LayoutDraft): boolean {
  return columns.amount !== null && columns.direction === null;
}

export function sameLayout(one: Layout | null, other: Layout | null): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

/** Members in one order, since the service and the page may write them in different ones. */
function ordered(layout: Layout | null) {
  if (layout === null) return null;
  const {
    columns,
    delimiter,
    skip_lines: skip,
    header,
    date_order: order,
    decimal_sign: sign,
    positive,
  } = layout;
  return [delimiter, skip, header, order, sign, positive, COLUMN_ROLES.map((role) => columns[role])];
}

import { TRANSACTION_FIELDS, type TransactionField } from '../../../vocabulary/row-fields.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DataSourceAnswer, PropertyAnswer } from './wire.ts';

/** Types of properties that rows are written to. */
export type PropertyKind = 'title' | 'rich_text' | 'number' | 'date' | 'select';

/** A property of the data source that shows a field. */
export interface Column {
  readonly field: TransactionField;
  /** The id stays the same when a person renames or moves the property. */
  readonly id: string;
  readonly kind: PropertyKind;
}

/** What is to be changed of a data source before rows can be written, as the API takes it. */
export type SchemaChange = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ColumnPlan {
  readonly columns: readonly Column[];
  /** Null where nothing is missing. */
  readonly change: SchemaChange | null;
}

const TEXT = ['rich_text', 'select'] as const;
const CHOICE = ['select', 'rich_text'] as const;

/** The types that a field may stand in; a property that is added has the first. */
const KINDS: Readonly<Record<TransactionField, readonly [PropertyKind, ...PropertyKind[]]>> = {
  transaction_id: ['rich_text'],
  date: ['date'],
  description: ['title'],
  amount: ['number'],
  currency: TEXT,
  direction: CHOICE,
  category: TEXT,
  merchant: TEXT,
  account: TEXT,
  status: CHOICE,
  class: TEXT,
  post_date: ['date'],
  memo: ['rich_text'],
  tags: TEXT,
  account_number: TEXT,
  institution: TEXT,
  account_id: TEXT,
};

/** In the order of the table. */
export const FIELDS: readonly TransactionField[] = Object.keys(TRANSACTION_FIELDS).filter(
  (name): name is TransactionField => Object.hasOwn(TRANSACTION_FIELDS, name),
);

/** Stands in the description of a property, so that it is found when a person has given it another name. */
export function markOf(field: TransactionField): string {
  return `Tributary writes ${TRANSACTION_FIELDS[field].header} here.`;
}

/**
 * Which properties show which fields, and what is missing. A property is found by its mark, else by its name; the title
 * shows the description, under whatever name. Fields that are not standard are shown where a person has made a property
 * for them. @throws DestinationFailure `run_failed` for a property whose type does not fit
 */
export function planColumns({ properties }: Pick<DataSourceAnswer, 'properties'>): ColumnPlan {
  const all = Object.values(properties);
  const known = idColumn({ properties });
  const columns: Column[] = [];
  const missing: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const field of FIELDS) {
    const { header, standard } = TRANSACTION_FIELDS[field];
    const [first, ...others] = KINDS[field];
    const property = first === 'title' ? all.find(({ type }) => type === first) : propertyOf(all, field);
    const kind = [first, ...others].find((one) => one === property?.type);
    if (property !== undefined && kind !== undefined) columns.push({ field, id: property.id, kind });
    else if (property === undefined && standard) missing[header] = configOf(field);
    else if (property !== undefined && standard) throw clash(property, first);
  }
  // The title is renamed when the properties are added, and left as people name it afterwards.
  const title = all.find(({ type }) => type === 'title');
  const { header } = TRANSACTION_FIELDS.description;
  if (known === null && title !== undefined && !all.some(({ name }) => name === header)) {
    missing[title.id] = { name: header };
  }
  return { columns, change: Object.keys(missing).length === 0 ? null : missing };
}

/** The property with the ids of rows; null where there is none. */
export function idColumn({ properties }: Pick<DataSourceAnswer, 'properties'>): PropertyAnswer | null {
  return propertyOf(Object.values(properties), 'transaction_id') ?? null;
}

/** The properties of a new database. @param mark stands in the description of the first, after its own */
export function newProperties(mark: string): SchemaChange {
  const standard = FIELDS.filter((field) => TRANSACTION_FIELDS[field].standard);
  return Object.fromEntries(
    standard.map((field) => {
      const config = configOf(field);
      const description = field === 'transaction_id' ? `${markOf(field)} ${mark}` : markOf(field);
      return [TRANSACTION_FIELDS[field].header, { ...config, description }];
    }),
  );
}

function configOf(field: TransactionField): Readonly<Record<string, unknown>> {
  const [kind] = KINDS[field];
  return { type: kind, [kind]: kind === 'number' ? { format: 'number' } : {}, description: markOf(field) };
}

function propertyOf(
  properties: readonly PropertyAnswer[],
  field: TransactionField,
): PropertyAnswer | undefined {
  const mark = markOf(field);
  return (
    properties.find(({ description }) => description?.startsWith(mark) === true) ??
    properties.find(({ name }) => name === TRANSACTION_FIELDS[field].header)
  );
}

function clash({ name, type }: PropertyAnswer, kind: PropertyKind): DestinationFailure {
  const shown = name.slice(0, 100);
  return new DestinationFailure(
    'run_failed',
    `Notion: the property ${shown} has the type ${type}, and it must be ${kind}. Rename it or change its type.`,
    { outcome: 'refused', retryable: false },
  );
}

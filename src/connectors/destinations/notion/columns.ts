import { TRANSACTION_FIELDS, type TransactionField } from '../../../vocabulary/row-fields.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { decodeValues, exactNumber, type FieldValue } from '../row-values.ts';
import {
  type CellAnswer,
  type DataSourceAnswer,
  type PropertyAnswer,
  plainText,
  type RowAnswer,
} from './wire.ts';

/** Types of properties that rows are written to. */
type PropertyKind = 'title' | 'rich_text' | 'number' | 'date' | 'select';

/** A property of the data source that shows a field. */
export interface Column {
  readonly field: TransactionField;
  /** The id stays the same when a person renames or moves the property. */
  readonly id: string;
  readonly kind: PropertyKind;
}

/** What has to be changed in a data source before rows can be written, in the form of the API. */
export type SchemaChange = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface ColumnPlan {
  readonly columns: readonly Column[];
  /** Null if nothing is missing and every property has its mark. */
  readonly change: SchemaChange | null;
  /** Fields to show that have no property. */
  readonly missing: readonly TransactionField[];
  /** Properties of fields to show with an unsuitable type, and a suitable type. */
  readonly unfit: readonly {
    readonly field: TransactionField;
    readonly property: PropertyAnswer;
    readonly kind: PropertyKind;
  }[];
  /** For a data source with rows of ours: the columns that are identified only by their name. */
  readonly unsure: readonly Column[];
}

const NONE: ReadonlySet<string> = new Set();
/** UTF-16 code units of a description. */
const DESCRIPTION_LENGTH = 280;
const TEXT = ['rich_text', 'select'] as const;
const CHOICE = ['select', 'rich_text'] as const;

/** The types that a field may have; a property that is added has the first. */
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

/** Put into the description of a property, so that it is found after a person has renamed it. */
export function markOf(field: TransactionField): string {
  return `Tributary writes ${TRANSACTION_FIELDS[field].header} here.`;
}

/**
 * Which properties show which fields, and what is missing. A property is found by its mark, else by its name, and has
 * its mark from then on; the title shows the description, whatever its name. All fields that the sync's owner chose are
 * shown; if they chose none, the standard fields are, and others if a person has created a property for them.
 *
 * @param theirs ids of properties that are a person's own, whatever their names
 */
export function planColumns(
  { properties }: Pick<DataSourceAnswer, 'properties'>,
  chosen: readonly TransactionField[] | null,
  theirs: ReadonlySet<string> = NONE,
): ColumnPlan {
  const all = Object.values(properties);
  const known = idColumn({ properties });
  const isOurs = known !== null && isMarked(known, 'transaction_id');
  const names = new Set(all.map(({ name }) => name));
  const columns: Column[] = [];
  const missing: TransactionField[] = [];
  const unfit: ColumnPlan['unfit'][number][] = [];
  const unsure: Column[] = [];
  const change: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const field of chosen ?? FIELDS) {
    const isNeeded = chosen !== null || TRANSACTION_FIELDS[field].standard;
    const [first, ...others] = KINDS[field];
    const property =
      first === 'title' ? all.find(({ type }) => type === first) : propertyOf(all, field, theirs);
    const kind = [first, ...others].find((one) => one === property?.type);
    if (property === undefined) {
      if (!isNeeded) continue;
      missing.push(field);
      change[freeName(TRANSACTION_FIELDS[field].header, names)] = configOf(field);
    } else if (kind === undefined) {
      if (isNeeded) unfit.push({ field, property, kind: first });
    } else {
      const column = { field, id: property.id, kind };
      columns.push(column);
      if (kind === 'title' || isMarked(property, field)) continue;
      change[property.id] = { description: marked(property, field) };
      if (isOurs) unsure.push(column);
    }
  }
  // The title is renamed when the properties are added, and afterwards left as people name it.
  const title = all.find(({ type }) => type === 'title');
  const { header } = TRANSACTION_FIELDS.description;
  const isTitled = chosen?.includes('description') ?? true;
  if (isTitled && known === null && title !== undefined && !all.some(({ name }) => name === header)) {
    change[title.id] = { name: header };
  }
  const isComplete = Object.keys(change).length === 0;
  return { columns, change: isComplete ? null : change, missing, unfit, unsure };
}

/** The property with the ids of rows; null if there is none. */
export function idColumn({ properties }: Pick<DataSourceAnswer, 'properties'>): PropertyAnswer | null {
  return propertyOf(Object.values(properties), 'transaction_id') ?? null;
}

/** The properties of these fields if we create them; `id` is the field. */
export function madeColumns(fields: readonly TransactionField[]): readonly Column[] {
  return fields.map((field) => ({ field, id: field, kind: KINDS[field][0] }));
}

/** The properties of a new database. @param mark is put into the description of the first, after its own */
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

/**
 * A person's copy of a property also has its mark: then the name decides. One with another field's mark belongs to that
 * field.
 */
function propertyOf(
  properties: readonly PropertyAnswer[],
  field: TransactionField,
  theirs = NONE,
): PropertyAnswer | undefined {
  const isNamed = ({ name }: PropertyAnswer): boolean => name === TRANSACTION_FIELDS[field].header;
  const ours = properties.filter((property) => isMarked(property, field));
  const isFree = (property: PropertyAnswer): boolean =>
    !theirs.has(property.id) && !FIELDS.some((other) => isMarked(property, other));
  return (
    ours.find(isNamed) ?? ours[0] ?? properties.find((property) => isNamed(property) && isFree(property))
  );
}

function isMarked({ description }: PropertyAnswer, field: TransactionField): boolean {
  return description?.startsWith(markOf(field)) === true;
}

/** What a person wrote there follows the mark. */
function marked({ description }: PropertyAnswer, field: TransactionField): string {
  return `${markOf(field)} ${description ?? ''}`.slice(0, DESCRIPTION_LENGTH).toWellFormed().trim();
}

/** A name that no property has, which is then marked as used. */
function freeName(header: string, names: Set<string>): string {
  let name = header;
  for (let number = 1; names.has(name); number++)
    name = `${header} (Tributary${number > 1 ? ` ${number}` : ''})`;
  names.add(name);
  return name;
}

/** The message for a property whose type does not suit its field. */
export function clash({ property: { name, type }, kind }: ColumnPlan['unfit'][number]): DestinationFailure {
  const shown = name.slice(0, 100);
  return new DestinationFailure(
    'run_failed',
    `Notion: the property ${shown} has the type ${type}, and it must be ${kind}. Rename it or change its type.`,
    { outcome: 'refused', retryable: false },
  );
}

/** Values of one row by field; without an id, a page keeps the one it shows. */
export type RowValues = ReadonlyMap<TransactionField, FieldValue>;
/** Properties of a page as the API takes them, by the id of the property. */
export type PageProperties = Readonly<Record<string, unknown>>;

/** Limits of the API: UTF-16 code units in a piece of text, pieces of one text, and bytes of a request. */
const PIECE_LENGTH = 2_000;
const PIECES = 100;
const REQUEST_BYTES = 500_000;
/** For the members of a request other than its properties. */
const REQUEST_REST = 1_000;

/** The values of a row that were encoded in the order of these fields. */
export function rowValues(encoded: string, fields: readonly TransactionField[]): RowValues {
  const values = decodeValues(encoded);
  return new Map(fields.map((field, at) => [field, values[at] ?? null]));
}

/** The properties of a row's page; null for a row that Notion cannot show exactly. */
export function pageProperties(columns: readonly Column[], values: RowValues): PageProperties | null {
  const made = propertiesOf(columns, values);
  return typeof made === 'string' ? null : made;
}

/** What of a row Notion cannot show exactly; null if it can show all. */
export function refusalOf(columns: readonly Column[], values: RowValues): Refusal | null {
  const made = propertiesOf(columns, values);
  return typeof made === 'string' ? made : null;
}

function propertiesOf(columns: readonly Column[], values: RowValues): PageProperties | Refusal {
  const properties: Record<string, unknown> = {};
  for (const { field, id, kind } of columns) {
    if (field === 'transaction_id' && !values.has(field)) continue;
    // For Notion, nothing and an empty text are the same.
    const text = values.get(field) || null;
    if (kind === 'number') {
      const number = text === null ? null : exactNumber(text);
      // As a JSON number it would be a different amount.
      if (text !== null && number === null) return 'amount';
      properties[id] = { number };
    } else if (kind === 'date') properties[id] = { date: text === null ? null : { start: text } };
    else if (kind === 'select') properties[id] = { select: text === null ? null : { name: text } };
    else {
      const pieces = text === null ? [] : piecesOf(text);
      if (pieces.length > PIECES) return 'size';
      properties[id] = { [kind]: pieces.map((content) => ({ type: 'text', text: { content } })) };
    }
  }
  const fits = Buffer.byteLength(JSON.stringify(properties)) <= REQUEST_BYTES - REQUEST_REST;
  return fits ? properties : 'size';
}

/** Whether a page has these values. */
export function showsRow(page: RowAnswer, columns: readonly Column[], values: RowValues): boolean {
  const cells = new Map(Object.values(page.properties).map((cell) => [cell.id, cell]));
  return columns.every(({ field, id }) => {
    const cell = cells.get(id);
    return cell !== undefined && shownText(cell) === comparable(cell, values.get(field) ?? null);
  });
}

/** What a property of a page shows; empty for nothing. */
export function shownText({ type, title, rich_text: text, number, date, select }: CellAnswer): string {
  switch (type) {
    case 'title':
      return plainText(title ?? []);
    case 'rich_text':
      return plainText(text ?? []);
    case 'number':
      return number === null || number === undefined ? '' : String(number);
    case 'date':
      return date === null || date === undefined ? '' : [date.start, date.end ?? ''].join('/');
    case 'select':
      return select?.name ?? '';
    default:
      return '';
  }
}

function comparable({ type }: CellAnswer, value: FieldValue): string {
  if (value === null) return '';
  if (type === 'number') return String(exactNumber(value) ?? '');
  return type === 'date' ? `${value}/` : value;
}

/** A text in pieces that the API accepts; no character is cut in two. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE_LENGTH, text.length);
    const last = text.charCodeAt(end - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    if (end < text.length && isHalf) end -= 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

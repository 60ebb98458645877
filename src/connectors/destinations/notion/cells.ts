import type { TransactionField } from '../../../vocabulary/row-fields.ts';
import type { Refusal } from '../../../vocabulary/verifications.ts';
import { decodeValues, exactNumber } from '../kit/rows.ts';
import type { FieldValue } from '../row-values.ts';
import type { Column } from './columns.ts';
import { type CellAnswer, plainText, type RowAnswer } from './wire.ts';

/** Values of one row by field; without an id, a page keeps the one it shows. */
export type RowValues = ReadonlyMap<TransactionField, FieldValue>;
/** Properties of a page as the API takes them, by the id of the property. */
export type PageProperties = Readonly<Record<string, unknown>>;

/** Limits of the API: units of UTF-16 in a piece of text, pieces of one text, and bytes of a request. */
const PIECE_LENGTH = 2_000;
const PIECES = 100;
const REQUEST_BYTES = 500_000;
/** For the members of a request beside its properties. */
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

/** What of a row Notion cannot show exactly; null where it can. */
export function refusalOf(columns: readonly Column[], values: RowValues): Refusal | null {
  const made = propertiesOf(columns, values);
  return typeof made === 'string' ? made : null;
}

function propertiesOf(columns: readonly Column[], values: RowValues): PageProperties | Refusal {
  const properties: Record<string, unknown> = {};
  for (const { field, id, kind } of columns) {
    if (field === 'transaction_id' && !values.has(field)) continue;
    // Nothing to show and an empty text are one for Notion.
    const text = values.get(field) || null;
    if (kind === 'number') {
      const number = text === null ? null : exactNumber(text);
      // As a JSON number it would be another amount.
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

/** Whether a page shows these values. */
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

/** A text in pieces that the API takes; no character is cut in two. */
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

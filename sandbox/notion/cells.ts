import type { Json, JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import { onlyMembers, recordAt } from './bodies.ts';
import { invalid, invalidValue } from './errors.ts';
import type { CellRecord, PropertyRecord, RowRecord, SourceRecord } from './records.ts';
import { isPieces, richText, richTextAt } from './rich-text.ts';

const OPTION_LENGTH = 100;
const URL_LENGTH = 2_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The cells in a request, by the id of the property. New options of a select are added to it. */
export function cellsAt(source: SourceRecord, value: unknown): RowRecord['cells'] {
  const cells: RowRecord['cells'] = {};
  for (const [key, given] of Object.entries(recordAt(value, 'body.properties'))) {
    const property = propertyOf(source, key);
    if (property === null) throw invalid(`${key} is not a property that exists.`);
    cells[property.id] = cellAt(property, given, `body.properties.${key}`);
  }
  return cells;
}

export function propertyOf(source: SourceRecord, key: string): PropertyRecord | null {
  const { properties } = source;
  const found = properties.find(({ id }) => id === key) ?? properties.find(({ name }) => name === key);
  return found ?? null;
}

function cellAt(property: PropertyRecord, given: unknown, path: string): CellRecord {
  const { type, name } = property;
  const value = recordAt(given, path);
  onlyMembers(value, ['id', 'type', 'name', ...TYPES], path);
  if (!Object.hasOwn(value, type)) throw invalid(`${name} is expected to be ${type}. (${path})`);
  const cell = value[type];
  const place = `${path}.${type}`;
  switch (type) {
    case 'title':
    case 'rich_text':
      return richTextAt(cell, place);
    case 'number':
      if (cell !== null && typeof cell !== 'number') throw invalidValue(place, 'a number or `null`', cell);
      return cell;
    case 'checkbox':
      if (typeof cell !== 'boolean') throw invalidValue(place, 'a boolean', cell);
      return cell;
    case 'url':
      if (cell === null) return null;
      if (typeof cell !== 'string' || cell.length > URL_LENGTH)
        throw invalidValue(place, 'a url or `null`', cell);
      return cell;
    case 'select':
      return cell === null ? null : optionAt(property, recordAt(cell, place), place);
    case 'date':
      return cell === null ? null : dateAt(recordAt(cell, place), place);
  }
}

const TYPES = ['title', 'rich_text', 'number', 'select', 'date', 'checkbox', 'url'] as const;

function optionAt(property: PropertyRecord, value: Record<string, unknown>, path: string): string {
  onlyMembers(value, ['id', 'name', 'color'], path);
  const { name } = value;
  if (typeof name !== 'string' || name === '') throw invalidValue(`${path}.name`, 'a non-empty string', name);
  if (name.length > OPTION_LENGTH)
    throw invalidValue(`${path}.name.length`, `≤ \`${OPTION_LENGTH}\``, name.length);
  if (name.includes(',')) throw invalid(`Invalid select option, commas not allowed: ${name} (${path}.name)`);
  if (!property.options.includes(name)) property.options.push(name);
  return name;
}

function dateAt(value: Record<string, unknown>, path: string): string[] {
  onlyMembers(value, ['start', 'end', 'time_zone'], path);
  const { start, end = null } = value;
  if (typeof start !== 'string' || !isMoment(start))
    throw invalidValue(`${path}.start`, 'a valid ISO 8601 date', start);
  if (end !== null && (typeof end !== 'string' || !isMoment(end)))
    throw invalidValue(`${path}.end`, 'a valid ISO 8601 date or `null`', end);
  return [start, end ?? ''];
}

/** Whether a day exists in the calendar, or a time is valid. */
function isMoment(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text));
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** A property of a page in the form of answers. */
export function cellJson(property: PropertyRecord, cell: CellRecord | undefined): JsonObject {
  const { id, type } = property;
  return { id, type, [type]: valueJson(property, cell ?? null) };
}

function valueJson({ type, id }: PropertyRecord, cell: CellRecord): Json {
  switch (type) {
    case 'title':
    case 'rich_text':
      return richText(isPieces(cell) ? cell : []);
    case 'select':
      return typeof cell === 'string' ? { id: optionId(id, cell), name: cell, color: 'default' } : null;
    case 'date':
      return isPieces(cell) ? { start: cell[0] ?? '', end: cell[1] || null, time_zone: null } : null;
    case 'checkbox':
      return cell === true;
    default:
      return isPieces(cell) ? null : cell;
  }
}

export function optionId(property: string, name: string): string {
  return digest(property, name).slice(0, 12);
}

/** A cell as shown to a person. */
export function cellText({ type }: PropertyRecord, cell: CellRecord | undefined): string {
  if (cell === undefined || cell === null) return '';
  if (isPieces(cell)) return type === 'date' ? cell.filter((part) => part !== '').join(' → ') : cell.join('');
  if (type === 'checkbox') return cell === true ? 'yes' : 'no';
  return String(cell);
}

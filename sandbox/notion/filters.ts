import { isRecord } from '../shared/json.ts';
import { onlyMembers, recordAt } from './bodies.ts';
import { cellText, propertyOf } from './cells.ts';
import { invalid, invalidValue } from './errors.ts';
import { timeOf } from './objects.ts';
import type { RowRecord, SourceRecord } from './records.ts';

type RowTest = (row: RowRecord) => boolean;

/** The most conditions of one group. */
const CONDITIONS = 100;
const TEXT_TESTS: Readonly<Record<string, (text: string, wanted: string) => boolean>> = {
  equals: (text, wanted) => text === wanted,
  does_not_equal: (text, wanted) => text !== wanted,
  contains: (text, wanted) => text.includes(wanted),
  starts_with: (text, wanted) => text.startsWith(wanted),
};
const DATE_TESTS: Readonly<Record<string, (day: string, wanted: string) => boolean>> = {
  equals: (day, wanted) => day === wanted,
  on_or_after: (day, wanted) => day !== '' && day >= wanted,
  on_or_before: (day, wanted) => day !== '' && day <= wanted,
  after: (day, wanted) => day !== '' && day > wanted,
  before: (day, wanted) => day !== '' && day < wanted,
};

/** A filter of a query: typed conditions on properties and on times, in groups of `and` and `or`. */
export function filterOf(source: SourceRecord, value: unknown, path = 'body.filter'): RowTest {
  const filter = recordAt(value, path);
  if (filter.or !== undefined || filter.and !== undefined) return groupOf(source, filter, path);
  if (filter.timestamp !== undefined) return timeFilter(filter, path);
  const { property: name, type: _type, ...condition } = filter;
  if (typeof name !== 'string') throw invalidValue(`${path}.property`, 'a string', name);
  const property = propertyOf(source, name);
  if (property === null) throw invalid(`Could not find property with name or id: ${name}`);
  const [kind, ...others] = Object.keys(condition);
  if (kind === undefined || others.length > 0) throw invalidValue(path, 'a filter of one type', filter);
  if (kind !== property.type) {
    throw invalid(`database property ${property.type} does not match filter ${kind}`);
  }
  const test = conditionOf(kind, recordAt(condition[kind], `${path}.${kind}`), `${path}.${kind}`);
  return ({ cells }) => test(cellText(property, cells[property.id]));
}

function groupOf(source: SourceRecord, filter: Record<string, unknown>, path: string): RowTest {
  onlyMembers(filter, ['or', 'and'], path);
  const [kind = 'or', ...others] = Object.keys(filter);
  const parts = filter[kind];
  if (others.length > 0 || !Array.isArray(parts)) throw invalidValue(path, 'one group', filter);
  if (parts.length > CONDITIONS) {
    throw invalidValue(`${path}.${kind}.length`, `≤ \`${CONDITIONS}\``, parts.length);
  }
  const tests = parts.map((part: unknown, at) => filterOf(source, part, `${path}.${kind}[${at}]`));
  return kind === 'or' ? (row) => tests.some((test) => test(row)) : (row) => tests.every((test) => test(row));
}

function timeFilter(filter: Record<string, unknown>, path: string): RowTest {
  const { timestamp } = filter;
  if (timestamp !== 'created_time' && timestamp !== 'last_edited_time') {
    throw invalidValue(`${path}.timestamp`, '`"created_time"` or `"last_edited_time"`', timestamp);
  }
  onlyMembers(filter, ['timestamp', 'type', timestamp], path);
  const condition = recordAt(filter[timestamp], `${path}.${timestamp}`);
  const test = conditionOf('date', condition, `${path}.${timestamp}`);
  return (row) => test(timeOf(timestamp === 'created_time' ? row.createdAt : row.editedAt));
}

function conditionOf(
  kind: string,
  condition: Record<string, unknown>,
  path: string,
): (text: string) => boolean {
  const [name, ...others] = Object.keys(condition);
  if (name === undefined || others.length > 0) throw invalidValue(path, 'one condition', condition);
  const wanted = condition[name];
  if (name === 'is_empty' && wanted === true) return (text) => text === '';
  if (name === 'is_not_empty' && wanted === true) return (text) => text !== '';
  if (kind === 'number' && name === 'equals' && typeof wanted === 'number')
    return (text) => text === String(wanted);
  if (kind === 'checkbox' && name === 'equals' && typeof wanted === 'boolean')
    return (text) => text === (wanted ? 'yes' : 'no');
  const tests = kind === 'date' ? DATE_TESTS : TEXT_TESTS;
  const test = Object.hasOwn(tests, name) ? tests[name] : undefined;
  if (test === undefined || typeof wanted !== 'string')
    throw invalidValue(`${path}.${name}`, 'a known condition', wanted);
  return (text) => test(text, wanted);
}

/** Sorts rows as a query requests; by default in the order of creation. */
export function sortedRows(source: SourceRecord, rows: RowRecord[], value: unknown): RowRecord[] {
  if (value === undefined) return rows;
  if (!Array.isArray(value)) throw invalidValue('body.sorts', 'an array', value);
  const keys = value.map((one: unknown, at) => sortOf(source, one, `body.sorts[${at}]`));
  return rows.toSorted((a, b) => {
    for (const { textOf, sign } of keys) {
      const [left, right] = [textOf(a), textOf(b)];
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  });
}

function sortOf(source: SourceRecord, value: unknown, path: string) {
  const sort = isRecord(value) ? value : {};
  const { direction, timestamp, property: name } = sort;
  if (direction !== 'ascending' && direction !== 'descending') {
    throw invalidValue(`${path}.direction`, '`"ascending"` or `"descending"`', direction);
  }
  const sign = direction === 'ascending' ? 1 : -1;
  if (timestamp === 'created_time') return { sign, textOf: (row: RowRecord) => timeOf(row.createdAt) };
  if (timestamp === 'last_edited_time') return { sign, textOf: (row: RowRecord) => timeOf(row.editedAt) };
  const property = typeof name === 'string' ? propertyOf(source, name) : null;
  if (property === null) throw invalid(`Could not find sort property with name or id: ${String(name)}`);
  return { sign, textOf: (row: RowRecord) => cellText(property, row.cells[property.id]) };
}

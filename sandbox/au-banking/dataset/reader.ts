import { atLeastTwoDecimals, isDecimal } from '../../shared/decimal.ts';
import { isRecord, type Json, type JsonObject } from '../../shared/json.ts';
import { type Moment, parseMoment } from '../rows/moment.ts';

/** An invalid data file; the message names the place, never the value. */
export class DatasetError extends Error {
  constructor(path: string, problem: string) {
    super(`Data file, ${path}: ${problem}.`);
    this.name = 'DatasetError';
  }
}

/** A value of the file with its path, for messages. */
export class Node {
  readonly value: unknown;
  readonly path: string;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
  }

  record(): Record<string, unknown> {
    if (isRecord(this.value)) return this.value;
    throw new DatasetError(this.path, 'must be an object');
  }

  get(name: string): Node {
    return new Node(this.record()[name], `${this.path}.${name}`);
  }

  has(name: string): boolean {
    const value = this.record()[name];
    return value !== undefined && value !== null;
  }

  /** The elements of a list; an absent list is empty. */
  list(): readonly Node[] {
    if (this.value === undefined || this.value === null) return [];
    if (!Array.isArray(this.value)) throw new DatasetError(this.path, 'must be a list');
    return this.value.map((entry, index) => new Node(entry, `${this.path}[${index}]`));
  }

  text(): string {
    const text = this.optionalText();
    if (text === null) throw new DatasetError(this.path, 'is missing or empty');
    return text;
  }

  /** Null for absent, null and the empty string. */
  optionalText(): string | null {
    if (this.value === undefined || this.value === null || this.value === '') return null;
    if (typeof this.value === 'string') return this.value;
    throw new DatasetError(this.path, 'must be a string');
  }

  /**
   * A signed decimal. Strings are kept as written; numbers are written in their shortest form, with at least two
   * decimals.
   */
  decimal(): string {
    if (typeof this.value === 'string' && isDecimal(this.value)) return this.value;
    if (typeof this.value === 'number' && isDecimal(String(this.value)))
      return atLeastTwoDecimals(String(this.value));
    throw new DatasetError(this.path, 'must be a decimal number');
  }

  optionalDecimal(): string | null {
    return this.value === undefined || this.value === null || this.value === '' ? null : this.decimal();
  }

  /** An instant as written, or null for none. A time without an offset, as one published file has, is UTC. */
  moment(): Moment | null {
    const text = this.optionalText();
    if (text === null) return null;
    const moment = parseMoment(text) ?? parseMoment(`${text}Z`);
    if (!moment) throw new DatasetError(this.path, 'must be an RFC 3339 instant');
    return moment;
  }

  oneOf<T extends string>(values: readonly T[]): T {
    const found = values.find((value) => value === this.value);
    if (found === undefined) throw new DatasetError(this.path, `must be one of ${values.join(', ')}`);
    return found;
  }
}

/** `productCategory` -> `product_category`, `ProductName` -> `product_name`, `CRN` -> `crn`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Deep copy with every member name in the vendor's snake_case. Drops members that are not JSON. */
function toSnakeCase(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (isRecord(value)) return snakeCaseObject(value);
  return null;
}

/** {@link toSnakeCase} for an object. */
export function snakeCaseObject(value: Record<string, unknown>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [snakeCase(name), toSnakeCase(member)]),
  );
}

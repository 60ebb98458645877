import { VendorError } from '../shared/vendor-error.ts';
import type { SimulatedRecord, SimulatedTable } from './table.ts';

type Test = (record: SimulatedRecord) => boolean;
type Value = (record: SimulatedRecord) => string;

/**
 * The supported part of the vendor's formulas: `AND`, `OR`, `NOT`, comparison by `=` and `!=`, columns by name or id,
 * `RECORD_ID()`, `CONCATENATE` and texts. Everything else is refused.
 */
export function formulaTest(text: string, table: SimulatedTable): Test {
  const reader = new FormulaReader(text, table);
  const test = reader.test();
  reader.end();
  return test;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

class FormulaReader {
  readonly #text: string;
  readonly #table: SimulatedTable;
  #at = 0;

  constructor(text: string, table: SimulatedTable) {
    this.#text = text;
    this.#table = table;
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw invalid();
  }

  test(): Test {
    const name = this.#taken(/(AND|OR|NOT)\s*\(/y);
    if (name === null) return this.#comparison();
    const parts = [this.test()];
    while (this.#taken(/(,)/y) !== null) parts.push(this.test());
    if (this.#taken(/(\))/y) === null) throw invalid();
    const [first] = parts;
    if (name === 'NOT') {
      if (first === undefined || parts.length > 1) throw invalid();
      return (record) => !first(record);
    }
    return name === 'AND'
      ? (record) => parts.every((part) => part(record))
      : (record) => parts.some((part) => part(record));
  }

  #comparison(): Test {
    const left = this.#value();
    const sign = this.#taken(/(!?=)/y);
    if (sign === null) return (record) => left(record) !== '';
    const right = this.#value();
    return sign === '='
      ? (record) => left(record) === right(record)
      : (record) => left(record) !== right(record);
  }

  #value(): Value {
    if (this.#taken(/(RECORD_ID)\s*\(\s*\)/y) !== null) return ({ id }) => id;
    const name = this.#taken(/\{([^{}]+)\}/y);
    if (name !== null) {
      const field = this.#table.field(name);
      if (field === null) throw invalid();
      return ({ cells }) => String(cells.get(field.id) ?? '');
    }
    if (this.#taken(/(CONCATENATE)\s*\(/y) !== null) return this.#joined();
    const quoted = this.#taken(/"((?:[^"\\\r\n]|\\.)*)"/y) ?? this.#taken(/'((?:[^'\\\r\n]|\\.)*)'/y);
    if (quoted === null) throw invalid();
    const text = quoted.replaceAll(/\\(.)/g, (_all, sign: string) => ESCAPES[sign] ?? sign);
    return () => text;
  }

  #joined(): Value {
    const parts = [this.#value()];
    while (this.#taken(/(,)/y) !== null) parts.push(this.#value());
    if (this.#taken(/(\))/y) === null) throw invalid();
    return (record) => parts.map((part) => part(record)).join('');
  }

  /** The group of the pattern, if it matches here. */
  #taken(pattern: RegExp): string | null {
    this.#skip();
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return null;
    this.#at = pattern.lastIndex;
    return match[1] ?? '';
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }
}

function invalid(): VendorError {
  return new VendorError(
    422,
    'INVALID_FILTER_BY_FORMULA',
    'The formula for filtering records is invalid: Invalid formula. Please check your formula text.',
  );
}

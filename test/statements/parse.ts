import { readFileSync } from 'node:fs';
import {
  type ParsedFile,
  type ParseOptions,
  type StatementRow,
  UnusableFile,
} from '../../src/statements/statement-contract.ts';
import { parseStatementFile } from '../../src/statements/statement-file.ts';

/** The bytes of a file below `files/`. */
export function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`files/${name}`, import.meta.url));
}

export function parsed(file: string | Uint8Array, options: Partial<ParseOptions> = {}): Promise<ParsedFile> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  return parseStatementFile(bytes, { signal: new AbortController().signal, ...options });
}

/** The reason for which the file is refused, or null if it is read. */
export async function refusal(
  file: string | Uint8Array,
  options: Partial<ParseOptions> = {},
): Promise<string | null> {
  try {
    await parsed(file, options);
    return null;
  } catch (error) {
    if (error instanceof UnusableFile) return error.reason;
    throw error;
  }
}

/** What a row says, with everything that is absent left out, on one line. */
export function line(row: StatementRow): string {
  const {
    position,
    date,
    valueDate,
    datetime,
    amount,
    currency,
    reference,
    description,
    counterparty,
    memo,
  } = row;
  const named: ReadonlyArray<readonly [string, string | null]> = [
    ['value', valueDate === date ? null : valueDate],
    ['at', datetime],
    ['ref', reference],
    ['by', counterparty === description ? null : counterparty],
    ['memo', memo],
    ['category', row.category],
    ['class', row.class === 'other' ? null : row.class],
    ['pending', row.pending ? 'yes' : null],
  ];
  const more = named.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return [
    `${position} ${date} ${amount}${currency === null ? '' : ` ${currency}`} ${description}`,
    ...more,
  ].join(' | ');
}

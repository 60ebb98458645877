import type { SQLOutputValue } from 'node:sqlite';

export type SqlRow = Readonly<Record<string, SQLOutputValue>>;
export type SqlValue = string | number | null;

/** Text of a cell that holds text; numbers and bytes as they read, since SQLite lets any column hold any kind. */
export function textOf(value: SQLOutputValue | undefined): string {
  return textOrNull(value) ?? '';
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

/** A whole number; 0 for what is none. */
export function integerOf(value: SQLOutputValue | undefined): number {
  return Number.isSafeInteger(Number(value)) ? Number(value) : 0;
}

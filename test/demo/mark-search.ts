import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../src/storage/database.ts';
import { DIGIT_MARK, TEXT_MARK } from './marked-bank.ts';

/** The marks in every encoding in which software stores a text or a number. */
const NEEDLES: readonly Buffer[] = [TEXT_MARK, TEXT_MARK.toLowerCase(), DIGIT_MARK]
  .flatMap((mark) => [
    Buffer.from(mark),
    Buffer.from(mark, 'utf16le'),
    Buffer.from(Buffer.from(mark).toString('hex')),
    Buffer.from(Buffer.from(mark).toString('hex').toUpperCase()),
    Buffer.from([...mark].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')),
    ...base64Spellings(mark),
  ])
  .concat(Buffer.from(Number(DIGIT_MARK).toLocaleString('en')), Buffer.from(BigInt(DIGIT_MARK).toString(16)));

/** Base64 of a text that holds the mark has one of three forms, after where the mark begins. */
function base64Spellings(mark: string): Buffer[] {
  return [0, 1, 2].flatMap((shift) => {
    const coded = Buffer.from(' '.repeat(shift) + mark)
      .toString('base64')
      .replace(/=+$/, '');
    const whole = coded.slice(Math.ceil((shift * 4) / 3), coded.length - 1);
    return [Buffer.from(whole), Buffer.from(whole.replaceAll('+', '-').replaceAll('/', '_'))];
  });
}

/** How many of the spellings the bytes hold. */
export function marksIn(bytes: Buffer): number {
  return NEEDLES.filter((needle) => bytes.includes(needle)).length;
}

/** Files of the directory, however deep, that hold a mark in their raw bytes. */
export async function markedFiles(directory: string): Promise<{ looked: number; marked: string[] }> {
  const marked: string[] = [];
  let looked = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    looked += 1;
    if (marksIn(await readFile(path)) > 0) marked.push(path);
  }
  return { looked, marked };
}

/** Every row of every table, the queue's included, as text. */
export async function dump(db: Db): Promise<{ tables: number; text: Buffer }> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const parts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select whole::text as row from ${sql.id(schema, name)} as whole`.execute(db);
    parts.push(`${schema}.${name}`, ...rows.map(({ row }) => row));
  }
  return { tables: tables.length, text: Buffer.from(parts.join('\n')) };
}

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const FOLDER = new URL('../../src/storage/migrations/', import.meta.url);
/** SHA-256 of each merged migration's file, by name. */
export const FROZEN_FILE = fileURLToPath(
  new URL('../../test/storage/frozen-migrations.json', import.meta.url),
);

/** The migrations as they are, in order. */
export async function migrationSums(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).toSorted();
  return new Map(
    await Promise.all(
      files.map(async (file): Promise<[string, string]> => {
        const text = await readFile(new URL(file, FOLDER));
        return [file.slice(0, -3), createHash('sha256').update(text).digest('hex')];
      }),
    ),
  );
}

/** The migrations as they were merged. */
export async function frozenMigrations(): Promise<ReadonlyMap<string, string>> {
  const frozen: unknown = JSON.parse(await readFile(FROZEN_FILE, 'utf8'));
  return new Map(Object.entries(Value.Parse(Type.Record(Type.String(), Type.String()), frozen)));
}

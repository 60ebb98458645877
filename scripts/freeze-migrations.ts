import { readFile, writeFile } from 'node:fs/promises';
import { FROZEN_FILE, frozenMigrations, migrationSums } from './lib/migration-sums.ts';

/** Adds the checksum of every migration that has none yet; existing ones are never changed. */
const frozen = await frozenMigrations();
const sums = await migrationSums();
const added = [...sums].filter(([name]) => !frozen.has(name));
const all = [...frozen, ...added].toSorted(([one], [other]) => (one < other ? -1 : 1));
await writeFile(FROZEN_FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
for (const [name] of added) process.stdout.write(`frozen: ${name}\n`);
process.stdout.write(
  `${(await readFile(FROZEN_FILE, 'utf8')).split('\n').length - 3} migrations are frozen.\n`,
);

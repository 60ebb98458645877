import { EMPTY_DATABASE } from '../src/storage/embedded/empty-database.ts';
import { buildEmptyDatabase } from './lib/package/empty-database.ts';

/**
 * Makes the empty database that a first start copies (docs/decisions/0016-memory-of-the-embedded-database.md). `npm ci`
 * runs it. Where it fails, a first start makes its database itself, in more time and memory.
 */
try {
  await buildEmptyDatabase(EMPTY_DATABASE);
} catch (error) {
  process.stderr.write(`No empty database was made for first starts: ${String(error)}\n`);
}

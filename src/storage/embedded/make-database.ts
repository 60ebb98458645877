import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Runs as a separate process (new-database.ts): creates an empty database in the given directory, and exits. */
const [, , directory] = process.argv;
if (directory === undefined) throw new Error('Name the directory.');

/** PGlite asks its file system to flush everything once `initdb` is done; Node's files are already written. */
class EndsAfterInitdb extends NodeFS {
  override async syncToFs(): Promise<void> {
    process.exit(0);
  }
}

await PGlite.create({ fs: new EndsAfterInitdb(directory) });
throw new Error('The database was there already.');

import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** A process of its own (new-database.ts): makes an empty database in the directory named, and ends. */
const [, , directory] = process.argv;
if (directory === undefined) throw new Error('Name the directory.');

/** PGlite asks its file system to write everything out as soon as `initdb` is through; files of Node's are written. */
class EndsAfterInitdb extends NodeFS {
  override async syncToFs(): Promise<void> {
    process.exit(0);
  }
}

await PGlite.create({ fs: new EndsAfterInitdb(directory) });
throw new Error('The database was there already.');

import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { create, extract } from 'tar';

/**
 * 2^16 rounds of scrypt, which take a fifth of a second and 64 MiB. The default of age, 2^18, takes 256 MiB, which a
 * small machine does not have.
 */
const WORK_FACTOR = 16;
/** Most of a database is repetition; a higher level takes longer and saves little. */
const COMPRESSION = { level: 4 } as const;

/** The file is not a backup, is damaged, or the passphrase is another. Nothing was written. */
export class UnreadableBackup extends Error {
  override readonly name = 'UnreadableBackup';
}

/** Where a backup is until it is complete. */
export function draftOf(file: string): string {
  return `${file}.partial`;
}

/**
 * Writes what is in `folder` to `file`, which must not exist: a tar archive, compressed by gzip and encrypted with the
 * passphrase by age (age-encryption.org/v1), so that `age --decrypt` and `tar` can open it without this program. The
 * file appears under its name once it is complete and on the disk.
 */
export async function packBackup(folder: string, file: string, passphrase: string): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  const archive = create({ gzip: COMPRESSION, cwd: folder, portable: true }, ['.']);
  const draft = draftOf(file);
  try {
    const encrypted = await encrypter.encrypt(Readable.toWeb(Readable.from(archive)));
    await pipeline(Readable.fromWeb(encrypted), createWriteStream(draft, { mode: 0o600, flags: 'wx' }));
    const handle = await open(draft, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Writes what is in the backup into the empty folder `into`.
 * @throws UnreadableBackup; the reason of the signal
 */
export async function unpackBackup(
  file: string,
  into: string,
  passphrase: string,
  signal?: AbortSignal,
): Promise<void> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const sealed = Readable.toWeb(createReadStream(file));
  let opened: ReadableStream<Uint8Array>;
  try {
    opened = await decrypter.decrypt(sealed);
  } catch (error) {
    throw new UnreadableBackup(`${file} is not a backup, or its passphrase is another.`, { cause: error });
  }
  // Decrypted as a whole first: nothing is extracted of a file that turns out to be incomplete.
  const archive = join(into, 'archive.tar.gz');
  try {
    await pipeline(Readable.fromWeb(opened), createWriteStream(archive, { mode: 0o600 }), { signal });
    await extract({
      file: archive,
      cwd: into,
      strict: true,
      filter: (_, entry) => !('type' in entry) || isPlain(entry.type),
    });
    await rm(archive);
  } catch (error) {
    signal?.throwIfAborted();
    throw new UnreadableBackup(`${file} is damaged or incomplete.`, { cause: error });
  }
}

function isPlain(type: string): boolean {
  return ['File', 'OldFile', 'Directory', 'GNUDumpDir'].includes(type);
}

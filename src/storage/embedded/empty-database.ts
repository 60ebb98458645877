import { randomBytes } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

/** Made by `npm ci` and `npm run package` (scripts/build-database.ts); absent if neither has run. */
export const EMPTY_DATABASE = new URL('../../../build/empty-database.br', import.meta.url);
const PGLITE = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
const CONTROL = 'global/pg_control';
const LOG_FILE = /^pg_wal\/[0-9A-F]{24}$/;

/**
 * Where Postgres 18 keeps what belongs to one installation alone: in its control file, which ends with a checksum, and
 * at the head of each file of the write-ahead log, which no checksum covers.
 */
const CONTROL_VERSION = { at: 8, is: 1800 };
const IDENTIFIER = { inControl: 0, inLog: 24, bytes: 8 };
const NONCE = { at: 257, bytes: 32 };
const CHECKSUM_AT = 292;

/** What is in an archive, in the order of the bytes that follow it. */
interface Contents {
  /** The version of PGlite that made it, and can open it. */
  readonly pglite: string;
  readonly folders: readonly string[];
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/**
 * An archive of an empty database that was never used: no account, no key and no secret, since it was made by `initdb`
 * alone and not opened since.
 */
export function packEmptyDatabase(directory: string): Buffer {
  const found = globSync('**', { cwd: directory }).filter((path) => path !== '.');
  const isFolder = (path: string): boolean => statSync(join(directory, path)).isDirectory();
  const folders = found.filter(isFolder).toSorted();
  const files = found
    .filter((path) => !isFolder(path))
    .toSorted()
    .map((path) => ({ path, bytes: readFileSync(join(directory, path)) }));
  const contents: Contents = {
    pglite: versionOf(readFileSync(PGLITE, 'utf8')),
    folders,
    files: files.map(({ path, bytes }) => [path, bytes.length] as const),
  };
  const plain = Buffer.concat([
    Buffer.from(`${JSON.stringify(contents)}\n`),
    ...files.map(({ bytes }) => bytes),
  ]);
  // The three databases of a new installation are equal, and 7 MB apart.
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9 };
  const packed = brotliCompressSync(plain, { params });
  const head = Buffer.alloc(4);
  head.writeUInt32LE(plain.length);
  return Buffer.concat([head, packed]);
}

/**
 * Writes the empty database of the archive into the given folder, with an identity of its own. False, with nothing
 * written, if there is no archive, or one that is damaged or of another version of Postgres.
 */
export async function unpackEmptyDatabase(directory: string, archive = EMPTY_DATABASE): Promise<boolean> {
  const plain = await bytesOf(archive);
  if (plain === null) return false;
  const end = plain.indexOf('\n');
  const contents: Contents = JSON.parse(plain.toString('utf8', 0, end));
  if (contents.pglite !== versionOf(await readFile(PGLITE, 'utf8'))) return false;
  const parts = new Map<string, Buffer>();
  let at = end + 1;
  for (const [path, bytes] of contents.files) {
    parts.set(path, plain.subarray(at, at + bytes));
    at += bytes;
  }
  if (!giveIdentity(parts)) return false;
  for (const folder of contents.folders) mkdirSync(join(directory, folder), { recursive: true, mode: 0o700 });
  for (const [path, bytes] of parts) writeFileSync(join(directory, path), bytes, { mode: 0o600 });
  return true;
}

/**
 * What tells the embedded database at `location` from every other, as 16 hexadecimal digits: the identifier of Postgres.
 * A restored copy has that of the original. Null if there is no database.
 */
export async function databaseIdentifier(location: string): Promise<string | null> {
  const control = await readFile(join(location, CONTROL)).catch(() => null);
  if (control === null || control.length < IDENTIFIER.bytes) return null;
  return control.readBigUInt64LE(IDENTIFIER.inControl).toString(16).padStart(16, '0');
}

/** Null if there is none, or not all of one: an interrupted copy of the program leaves a part. */
async function bytesOf(archive: URL): Promise<Buffer | null> {
  try {
    const packed = await readFile(archive);
    const bytes = packed.readUInt32LE(0);
    const plain = await promisify(brotliDecompress)(packed.subarray(4), { chunkSize: bytes });
    return plain.length === bytes ? plain : null;
  } catch {
    return null;
  }
}

/**
 * What tells one installation of Postgres from another: its identifier, and random bytes for answers to unknown users.
 * False for a layout that is not known.
 */
function giveIdentity(parts: ReadonlyMap<string, Buffer>): boolean {
  const control = parts.get(CONTROL);
  if (control === undefined || control.readUInt32LE(CONTROL_VERSION.at) !== CONTROL_VERSION.is) return false;
  if (control.readUInt32LE(CHECKSUM_AT) !== crc32c(control.subarray(0, CHECKSUM_AT))) return false;
  const identifier = randomBytes(IDENTIFIER.bytes);
  // Shown as a signed number.
  identifier[IDENTIFIER.bytes - 1] = (identifier[IDENTIFIER.bytes - 1] ?? 0) & 0x7f;
  const before = Buffer.from(control.subarray(IDENTIFIER.inControl, IDENTIFIER.bytes));
  for (const [path, bytes] of parts) {
    if (!LOG_FILE.test(path)) continue;
    if (!bytes.subarray(IDENTIFIER.inLog, IDENTIFIER.inLog + IDENTIFIER.bytes).equals(before)) return false;
    identifier.copy(bytes, IDENTIFIER.inLog);
  }
  identifier.copy(control, IDENTIFIER.inControl);
  randomBytes(NONCE.bytes).copy(control, NONCE.at);
  control.writeUInt32LE(crc32c(control.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return true;
}

function versionOf(manifest: string): string {
  const { version }: { readonly version: string } = JSON.parse(manifest);
  return version;
}

/** The checksum of Postgres: CRC-32C, of which Node has only the other polynomial. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

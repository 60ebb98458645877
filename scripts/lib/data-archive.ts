import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** Far enough to find the three copies of the system tables that every cluster holds. */
const WINDOW_LOG = 27;

const Index = Type.Array(
  Type.Object({
    path: Type.String(),
    mode: Type.Integer(),
    bytes: Type.Union([Type.Integer(), Type.Null()]),
  }),
);

/** A directory as one compressed file: a line of JSON that lists what is in it, then the bytes of its files. */
export async function packDirectory(directory: string, leaveOut: (path: string) => boolean): Promise<Buffer> {
  const index: Type.Static<typeof Index> = [];
  const parts: Buffer[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const path = relative(directory, full).split(sep).join('/');
    if (leaveOut(path)) continue;
    const mode = (await stat(full)).mode & 0o777;
    if (entry.isDirectory()) index.push({ path, mode, bytes: null });
    if (!entry.isFile()) continue;
    const bytes = await readFile(full);
    index.push({ path, mode, bytes: bytes.length });
    parts.push(bytes);
  }
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...parts]);
  return zstdCompressSync(whole, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      [constants.ZSTD_c_windowLog]: WINDOW_LOG,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    },
  });
}

/** Unpacks a packed directory below an existing one. */
export async function unpackDirectory(packed: Buffer, directory: string): Promise<void> {
  const whole = zstdDecompressSync(packed, { params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } });
  const end = whole.indexOf('\n');
  const index: unknown = JSON.parse(whole.toString('utf8', 0, end));
  if (!Value.Check(Index, index)) throw new TypeError('this is not a packed directory');
  let at = end + 1;
  for (const { path, mode, bytes } of index) {
    const full = join(directory, path);
    if (bytes === null) {
      await mkdir(full, { recursive: true, mode });
      continue;
    }
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, whole.subarray(at, at + bytes), { mode });
    at += bytes;
  }
}

import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type CachedBody, etagOf } from '../http/cached-body.ts';

/** The web application as it was built. */
export interface AppFiles {
  /** The page it starts from. */
  readonly page: string;
  /** What the page loads, by path from the page: `assets/main-Bq3x.js`. */
  readonly files: ReadonlyMap<string, CachedBody>;
}

/** Folders of the build, and whether the names in them change with what they hold. */
const FOLDERS = { assets: true, static: false } as const;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads what Vite built into the folder. Null where nothing was built: an installation may serve the API alone. */
export async function readAppFiles(folder: URL): Promise<AppFiles | null> {
  const page = await readFile(new URL('index.html', folder), 'utf8').catch(missing);
  if (page === null) return null;
  const files = new Map<string, CachedBody>();
  for (const [name, immutable] of Object.entries(FOLDERS)) {
    for (const file of (await readdir(new URL(name, folder)).catch(missing)) ?? []) {
      const type = TYPES[extname(file)];
      if (type === undefined)
        throw new TypeError(`${name}/${file} of the web application is of no known type`);
      const body = await readFile(new URL(`${name}/${file}`, folder));
      files.set(`${name}/${file}`, { type, body, etag: etagOf(body), immutable });
    }
  }
  return { page, files };
}

function missing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

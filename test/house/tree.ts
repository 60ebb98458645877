import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Source text by path from the project's root, with forward slashes. */
export type Tree = ReadonlyMap<string, string>;

/** Every file under `folder` that ends in `extension`. */
export function readTree(folder: string, extension = '.ts'): Tree {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [relative(ROOT, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const),
  );
}

/** The source of the service and that of the simulators, which the same rules hold for. */
export function readSources(): Tree {
  return new Map([...readTree('src'), ...readTree('sandbox')]);
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** A file is read again after this long; names in it change by hand. */
const FRESH_MS = 5_000;

/** The names of the machine's hosts file (hosts(5)). A file that cannot be read has none. */
export class HostsFile {
  readonly #path: string;
  #readAt = Number.NEGATIVE_INFINITY;
  #names: Promise<ReadonlyMap<string, readonly string[]>> = Promise.resolve(new Map());

  constructor(path: string) {
    this.#path = path;
  }

  /** Addresses of a name in lower case, in the order of the file; empty for a name it does not have. */
  async addresses(name: string): Promise<readonly string[]> {
    if (performance.now() - this.#readAt > FRESH_MS) {
      this.#readAt = performance.now();
      this.#names = readFile(this.#path, 'utf8').then(parse, () => new Map());
    }
    return (await this.#names).get(name) ?? [];
  }
}

function parse(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}

/** Kinds of pages of a tree (https://www.sqlite.org/fileformat2.html#b_tree_pages). */
const KINDS: Readonly<
  Record<number, { readonly header: number; readonly child: boolean; readonly payload: boolean }>
> = {
  2: { header: 12, child: true, payload: true },
  5: { header: 12, child: true, payload: false },
  10: { header: 8, child: false, payload: true },
  13: { header: 8, child: false, payload: true },
};
/** On the first page, the header of the file is before that of the page. */
const FILE_HEADER_BYTES = 100;
const LONGEST_VARINT = 9;

/**
 * The pages of an SQLite file, as far as they show whether reading it comes to an end. SQLite follows the pages of a tree
 * wherever they lead: a small file whose pages refer to the same pages again and again has more rows than anybody can
 * read, and SQLite cannot be interrupted.
 */
export class FilePages {
  readonly #file: Buffer;
  readonly #size: number;
  readonly #seen = new Set<number>();
  #payload = 0;

  constructor(file: Uint8Array) {
    this.#file = Buffer.from(file.buffer, file.byteOffset, file.length);
    this.#size = file.length < FILE_HEADER_BYTES ? 0 : ((file[16] ?? 0) << 8) | ((file[17] ?? 0) << 16);
  }

  /** Whether no page of the tree is in it twice or in a tree before it, and all together hold no more than the file. */
  hasEnd(root: number): boolean {
    const waiting = [root];
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      const children = this.#childrenOf(page);
      if (children === null) return false;
      waiting.push(...children);
    }
    return true;
  }

  /** Null for a page that is none, or that was seen before. */
  #childrenOf(page: number): readonly number[] | null {
    const [file, size] = [this.#file, this.#size];
    const begin = (page - 1) * size;
    if (size < 512 || page < 1 || begin + size > file.length || this.#seen.has(page)) return null;
    this.#seen.add(page);
    const header = begin + (page === 1 ? FILE_HEADER_BYTES : 0);
    const kind = KINDS[file[header] ?? 0];
    if (kind === undefined) return null;
    const count = file.readUInt16BE(header + 3);
    const cells = header + kind.header;
    if (cells + 2 * count > begin + size) return null;
    const children = kind.child ? [file.readUInt32BE(header + 8)] : [];
    for (let at = 0; at < count; at++) {
      const offset = file.readUInt16BE(cells + 2 * at);
      if (offset + 4 > size) return null;
      if (kind.child) children.push(file.readUInt32BE(begin + offset));
      if (kind.payload) this.#payload += this.#varint(begin + offset + (kind.child ? 4 : 0));
    }
    return this.#payload <= file.length ? children : null;
  }

  #varint(begin: number): number {
    let value = 0;
    for (let at = begin; at < begin + LONGEST_VARINT; at++) {
      const byte = this.#file[at] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  }
}

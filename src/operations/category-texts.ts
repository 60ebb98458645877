import type { OwnerId } from '../vocabulary/ids.ts';

/** For the texts of one account record, and for all: some thirty trees of half a megabyte. */
const OWNER_CHARACTERS = 2_097_152;
const ALL_CHARACTERS = 16_777_216;

interface Texts {
  readonly version: number;
  readonly texts: Map<string, string>;
  characters: number;
}

/**
 * Serialised category trees, each of one version of its owner's tree. The least recently used text of an account record
 * is evicted first; a text larger than the share of an account record is not cached.
 */
export class CategoryTexts {
  /** In order of use, the least recent first. */
  readonly #owners = new Map<OwnerId, Texts>();
  #characters = 0;

  /** Characters in the cache. */
  get characters(): number {
    return this.#characters;
  }

  /**
   * The text for `key`, which names everything that it depends on besides the tree; `version` was read before `write`
   * reads.
   */
  async text(owner: OwnerId, version: number, key: string, write: () => Promise<string>): Promise<string> {
    const known = this.#owners.get(owner);
    const text = known?.version === version ? known.texts.get(key) : undefined;
    if (known !== undefined && text !== undefined) {
      this.#owners.delete(owner);
      this.#owners.set(owner, known);
      return text;
    }
    const written = await write();
    this.#add(owner, version, key, written);
    return written;
  }

  #add(owner: OwnerId, version: number, key: string, text: string): void {
    const { length } = text;
    if (length > OWNER_CHARACTERS) return;
    const known = this.#owners.get(owner);
    // Another request may have read a later version in the meantime.
    if (known !== undefined && known.version > version) return;
    const fits = known?.version === version && known.characters + length <= OWNER_CHARACTERS;
    if (known?.texts.has(key) && fits) return;
    const kept =
      known !== undefined && fits ? known : { version, texts: new Map<string, string>(), characters: 0 };
    this.#forget(owner);
    kept.texts.set(key, text);
    kept.characters += length;
    this.#owners.set(owner, kept);
    this.#characters += kept.characters;
    for (const oldest of this.#owners.keys()) {
      if (this.#characters <= ALL_CHARACTERS) break;
      this.#forget(oldest);
    }
  }

  #forget(owner: OwnerId): void {
    this.#characters -= this.#owners.get(owner)?.characters ?? 0;
    this.#owners.delete(owner);
  }
}

import type { OwnerId } from '../vocabulary/ids.ts';

export interface OwnerBounds {
  /** Entries of one account record. */
  readonly ofOwner: number;
  /** Entries of all together. */
  readonly total: number;
}

/**
 * A map in memory that no account record can fill for the others. If an account record has too many entries, its least
 * recently set is forgotten; if all together do, one of the account record that has the most.
 */
export class OwnerBoundedMap<Key extends string, Value> {
  readonly #bounds: OwnerBounds;
  /** Of each owner in the order in which they were set. */
  readonly #owners = new Map<OwnerId, Map<Key, Value>>();
  #size = 0;

  constructor(bounds: OwnerBounds) {
    this.#bounds = bounds;
  }

  get(owner: OwnerId, key: Key): Value | undefined {
    return this.#owners.get(owner)?.get(key);
  }

  set(owner: OwnerId, key: Key, value: Value): void {
    const own = this.#owners.get(owner) ?? new Map<Key, Value>();
    this.#owners.set(owner, own);
    if (!own.delete(key)) this.#size += 1;
    own.set(key, value);
    if (own.size > this.#bounds.ofOwner) this.#deleteOldest(owner, own);
    if (this.#size > this.#bounds.total) this.#deleteOldest(...this.#largest(owner, own));
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [owner, own] of this.#owners)
      for (const [key, value] of own) if (matches(value)) this.#delete(owner, own, key);
  }

  #deleteOldest(owner: OwnerId, own: Map<Key, Value>): void {
    const [oldest] = own.keys();
    if (oldest !== undefined) this.#delete(owner, own, oldest);
  }

  #delete(owner: OwnerId, own: Map<Key, Value>, key: Key): void {
    if (own.delete(key)) this.#size -= 1;
    if (own.size === 0) this.#owners.delete(owner);
  }

  #largest(owner: OwnerId, own: Map<Key, Value>): readonly [OwnerId, Map<Key, Value>] {
    let largest = [owner, own] as const;
    for (const other of this.#owners) if (other[1].size > largest[1].size) largest = other;
    return largest;
  }
}

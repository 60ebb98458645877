import { randomUUID } from 'node:crypto';
import { invalid, invalidValue } from './errors.ts';

const KEPT = 1_000;
const PAGE_SIZE = 100;

interface Place {
  readonly of: string;
  readonly at: number;
}

/** One page of a listing. */
interface Slice<T> {
  readonly items: readonly T[];
  readonly next: string | null;
  /** Whether the listing is cut off, because a query returns no more. */
  readonly cut: boolean;
}

/** Opaque cursors: each is only valid for the listing it was issued for. */
export class Cursors {
  readonly #places = new Map<string, Place>();

  /**
   * @param what is listed, so that a cursor is of no use elsewhere
   * @param most how many items the whole listing may have
   */
  slice<T>(items: readonly T[], asked: PageRequest, of: string, most = Number.POSITIVE_INFINITY): Slice<T> {
    const size = sizeOf(asked.size);
    const at = this.#placeOf(asked.cursor, of);
    const end = Math.min(at + size, items.length, most);
    const isLast = end >= items.length;
    const cut = !isLast && end >= most;
    return { items: items.slice(at, end), next: isLast || cut ? null : this.#issue({ of, at: end }), cut };
  }

  #placeOf(cursor: unknown, of: string): number {
    if (cursor === undefined || cursor === null) return 0;
    const place = typeof cursor === 'string' ? this.#places.get(cursor) : undefined;
    if (place === undefined || place.of !== of) {
      throw invalid(`The start_cursor provided is invalid: ${String(cursor).slice(0, 60)}`);
    }
    return place.at;
  }

  #issue(place: Place): string {
    const cursor = randomUUID();
    this.#places.set(cursor, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > KEPT && oldest !== undefined) this.#places.delete(oldest);
    return cursor;
  }
}

interface PageRequest {
  readonly size: unknown;
  readonly cursor: unknown;
}

function sizeOf(value: unknown): number {
  if (value === undefined) return PAGE_SIZE;
  const size = Number(value);
  if (!Number.isInteger(size) || size < 1 || size > PAGE_SIZE)
    throw invalidValue('body.page_size', `≤ \`${PAGE_SIZE}\``, value);
  return size;
}

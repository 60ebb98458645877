import { type Sealer, UnsealError } from '../platform/sealing.ts';
import type { OwnerId } from '../vocabulary/ids.ts';
import { ServiceError } from '../vocabulary/service-error.ts';

/** The place of a page in a list, and the filters of the first page. Values are what the caller sent, as text. */
export interface PageToken {
  readonly filters: Readonly<Record<string, string>>;
  readonly position: readonly (string | null)[];
  readonly direction: 'next' | 'previous';
}

/**
 * Sealed page tokens (docs/api-conventions.md#lists-and-paging): opaque, impossible to forge, and worthless to another
 * account record or another list, because both are part of what the seal covers.
 */
export class PageTokens {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  issue(owner: OwnerId, operation: string, token: PageToken): string {
    const text = JSON.stringify([token.filters, token.position, token.direction]);
    return this.#sealer.sealToken(text, context(owner, operation));
  }

  /** Raises `page_invalid` for anything this service did not issue to this caller for this list. */
  read(owner: OwnerId, operation: string, text: string): PageToken {
    const token = parseToken(this.#open(owner, operation, text));
    if (token === null) throw new ServiceError('page_invalid', { param: 'page' });
    return token;
  }

  #open(owner: OwnerId, operation: string, text: string): string {
    try {
      return this.#sealer.openToken(text, context(owner, operation)).toString('utf8');
    } catch (error) {
      if (error instanceof UnsealError) throw new ServiceError('page_invalid', { param: 'page' });
      throw error;
    }
  }
}

function context(owner: OwnerId, operation: string): string {
  return `page:${operation}:${owner}`;
}

function parseToken(text: string): PageToken | null {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [filters, position, direction]: unknown[] = value;
  if (!isTextRecord(filters) || !isPosition(position)) return null;
  return direction === 'next' || direction === 'previous' ? { filters, position, direction } : null;
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === 'string')
  );
}

function isPosition(value: unknown): value is (string | null)[] {
  return Array.isArray(value) && value.every((entry) => entry === null || typeof entry === 'string');
}

import type { ApiKeysCreateInput } from '#client';
import type { Scope } from '../../../../src/vocabulary/scopes.ts';
import { askedFor } from './scope-groups.ts';

/** What the form holds while somebody fills it in. */
export interface NewKeyDraft {
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** One address a line. */
  readonly addresses: string;
  /** A day, or nothing. */
  readonly expires: string;
  /** `key=value`, one pair a line. */
  readonly metadata: string;
}

export const EMPTY_DRAFT: NewKeyDraft = {
  name: '',
  scopes: new Set(),
  addresses: '',
  expires: '',
  metadata: '',
};

export function bodyOf({ name, scopes, addresses, expires, metadata }: NewKeyDraft): ApiKeysCreateInput {
  const allowed = linesOf(addresses);
  const pairs = linesOf(metadata).map(pairOf);
  return {
    name: name.trim(),
    scopes: askedFor(scopes),
    ...(allowed.length > 0 && { allowed_ips: allowed }),
    ...(expires !== '' && { expires_at: `${expires}T23:59:59Z` }),
    ...(pairs.length > 0 && { metadata: Object.fromEntries(pairs) }),
  };
}

/** The first line that is no pair, or null. */
export function lineWithoutPair(metadata: string): string | null {
  return linesOf(metadata).find((line) => line.indexOf('=') < 1) ?? null;
}

function pairOf(line: string): readonly [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

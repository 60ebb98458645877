import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { DestinationAccess } from '../destination-opening.ts';

/** A grant that is a moment old and stored nowhere yet: a vendor that refuses it refuses the sign-in. */
export function freshAccess(grant: string): DestinationAccess {
  return {
    owner: '',
    current: async () => grant,
    renew: async () => {
      throw new UpstreamFailure('grant_rejected', 'The vendor refused the token that it had just issued.');
    },
  };
}

const Stored = Type.Object({
  v: Type.Literal(1),
  access: Type.String({ minLength: 1 }),
  /** Null where the vendor gave none: the grant ends with its access token. */
  refresh: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  /** When the access token ends, epoch milliseconds; null where it does not. */
  expires: Type.Union([Type.Number(), Type.Null()]),
  /** The vendor's id of who granted: its quotas count by it. */
  holder: Type.String(),
});

/** A grant of an OAuth vendor, as it is stored (sealed). Version 1. */
export type OAuthGrant = Static<typeof Stored>;

export function writeGrant(grant: Omit<OAuthGrant, 'v'>): string {
  return JSON.stringify({ v: 1, ...grant });
}

/** @throws TypeError for text that is no grant; it does not repeat the text */
export function readGrant(text: string): OAuthGrant {
  const stored = parsed(text);
  if (!Value.Check(Stored, stored)) throw new TypeError('the stored grant has another format');
  return stored;
}

/** Whether two grants share a token, as where a vendor issues the same ones again: they end together. */
export function sharesTokens(one: string, other: string): boolean {
  const [a, b] = [readGrant(one), readGrant(other)];
  return a.access === b.access || (a.refresh !== null && a.refresh === b.refresh);
}

/** Whether two grants are one person's, for vendors that end all of them at once; an unknown holder may be anybody. */
export function sharesHolder(one: string, other: string): boolean {
  const [a, b] = [readGrant(one).holder, readGrant(other).holder];
  return a === b || a === '' || b === '';
}

/** What JSON.parse raises repeats the beginning of the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { SHOWN_RECORD_FIELD } from '../../vocabulary/shown-record.ts';

interface SignInReason {
  /** The person is signed in, but too long ago. */
  readonly fresh?: boolean;
  /** The account record with which they go on afterwards; null for the one they chose last. */
  readonly record: OwnerId | null;
}

/** The query of the sign-in page's address, which leads to the path `next` afterwards (docs/sign-in.md). */
export function signInQuery(next: string, { fresh = false, record }: SignInReason): string {
  const into = record === null ? '' : `&${SHOWN_RECORD_FIELD}=${publicId('account_record', record)}`;
  return `?next=${encodeURIComponent(next)}${fresh ? '&notice=fresh' : ''}${into}`;
}

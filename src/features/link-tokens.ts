import { keyedMac, sameBytes } from '../platform/keyed-mac.ts';
import type { Keyring } from '../platform/keyring.ts';
import { parsePublicId, publicId, type RowId } from '../vocabulary/ids.ts';

const PURPOSE = 'link-token';
const SEPARATOR = '.';

/**
 * The secret part of a hosted link's address: the session's id and its keyed MAC. Nothing is stored for it, and whoever
 * knows an id still cannot open the page.
 */
export class LinkTokens {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  tokenOf(session: RowId<'link_session'>): string {
    return `${publicId('link_session', session)}${SEPARATOR}${this.#mac(session).toString('base64url')}`;
  }

  /** The session a token opens, or null for anything this service did not issue. Never raises. */
  sessionOf(token: string): RowId<'link_session'> | null {
    const cut = token.indexOf(SEPARATOR);
    const session = cut === -1 ? null : parsePublicId('link_session', token.slice(0, cut));
    if (session === null) return null;
    const given = Buffer.from(token.slice(cut + 1), 'base64url');
    return sameBytes(given, this.#mac(session)) ? session : null;
  }

  #mac(session: RowId<'link_session'>): Buffer {
    return keyedMac(this.#keyring.derive(PURPOSE), session);
  }
}

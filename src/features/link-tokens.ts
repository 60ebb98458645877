import { keyedMac, sameBytes } from '../platform/keyed-mac.ts';
import type { Keyring } from '../platform/keyring.ts';
import { parsePublicId, publicId, type RowId } from '../vocabulary/ids.ts';

const SEPARATOR = '.';

/**
 * The secret part of a hosted link's address: the link's id and its keyed MAC. Nothing is stored for it, and whoever
 * knows an id still cannot open the page. Tokens of different purposes never open each other's doors.
 */
export class LinkTokens<N extends 'link_session' | 'destination_link'> {
  readonly #keyring: Keyring;
  readonly #noun: N;
  readonly #purpose: string;

  constructor(keyring: Keyring, noun: N, purpose: string) {
    this.#keyring = keyring;
    this.#noun = noun;
    this.#purpose = purpose;
  }

  tokenOf(link: RowId<N>): string {
    return `${publicId(this.#noun, link)}${SEPARATOR}${this.secretOf(link)}`;
  }

  /** The link a token opens, or null for anything this service did not issue. Never raises. */
  linkOf(token: string): RowId<N> | null {
    const cut = token.indexOf(SEPARATOR);
    const link = cut === -1 ? null : parsePublicId(this.#noun, token.slice(0, cut));
    if (link === null) return null;
    const given = Buffer.from(token.slice(cut + 1), 'base64url');
    return sameBytes(given, this.#mac(link)) ? link : null;
  }

  /** The MAC alone: 43 characters that nobody without the key can make. */
  secretOf(link: RowId<N>): string {
    return this.#mac(link).toString('base64url');
  }

  #mac(link: RowId<N>): Buffer {
    return keyedMac(this.#keyring.derive(this.#purpose), link);
  }
}

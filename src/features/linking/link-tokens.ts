import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { parsePublicId, publicId, type RowId } from '../../vocabulary/ids.ts';

const SEPARATOR = '.';

export type LinkNoun = 'link_session' | 'destination_link';

/** What a token was made for. */
export interface TokenSubject<N extends LinkNoun> {
  readonly link: RowId<N>;
  /** Which attempt of the link, from 1; 0 for the link itself. */
  readonly attempt: number;
}

/**
 * The secret part of a hosted link's address: the link's id and its keyed MAC. It is not stored, and knowing the id is
 * not enough to open the page. A token of one purpose is never accepted for another.
 */
export class LinkTokens<N extends LinkNoun> {
  readonly #keyring: Keyring;
  readonly #resource: N;
  readonly #purpose: string;

  constructor(keyring: Keyring, resource: N, purpose: string) {
    this.#keyring = keyring;
    this.#resource = resource;
    this.#purpose = purpose;
  }

  tokenOf(link: RowId<N>, attempt = 0): string {
    const parts = [publicId(this.#resource, link), this.secretOf(link, attempt)];
    return (attempt === 0 ? parts : [...parts, String(attempt)]).join(SEPARATOR);
  }

  /** What a token was made for, or null for anything this service did not issue. Never raises. */
  subjectOf(token: string): TokenSubject<N> | null {
    const [id = '', secret = '', number = '0', ...more] = token.split(SEPARATOR);
    const link = parsePublicId(this.#resource, id);
    if (link === null || more.length > 0 || !/^\d{1,9}$/.test(number)) return null;
    const attempt = Number(number);
    const given = Buffer.from(secret, 'base64url');
    return this.#isMacOf(link, attempt, given) ? { link, attempt } : null;
  }

  /** The link a token opens, or null for anything this service did not issue. Never raises. */
  linkOf(token: string): RowId<N> | null {
    return this.subjectOf(token)?.link ?? null;
  }

  /** The MAC alone: 43 characters that cannot be made without the key. */
  secretOf(link: RowId<N>, attempt = 0): string {
    return this.#mac(link, attempt).toString('base64url');
  }

  /** Under any key, so that links from before a change of the encryption key keep working. */
  #isMacOf(link: RowId<N>, attempt: number, given: Buffer): boolean {
    return this.#keyring.macKeyIds(this.#purpose).some((id) => {
      const key = this.#keyring.macKey(this.#purpose, id);
      return key !== null && sameBytes(given, keyedMac(key, subjectText(link, attempt)));
    });
  }

  #mac(link: RowId<N>, attempt: number): Buffer {
    return keyedMac(this.#keyring.derive(this.#purpose), subjectText(link, attempt));
  }
}

function subjectText(link: string, attempt: number): string {
  return attempt === 0 ? link : `${link}/${attempt}`;
}

/** The secrets of a link, each derived from its id and not stored. */
export class LinkSecrets<N extends LinkNoun> {
  /** Opens the hosted page. */
  readonly page: LinkTokens<N>;
  /** Sent back by the vendor's redirect as `state`, and opens nothing but the callback. */
  readonly state: LinkTokens<N>;
  /** Sent back as `state` where nothing was granted; it can only end the link. */
  readonly refusal: LinkTokens<N>;
  /** Stored as a cookie by the browser that continued to the vendor from the hosted page. */
  readonly browser: LinkTokens<N>;
  readonly #verifiers: LinkTokens<N>;
  readonly #successors: LinkTokens<N>;

  /** @param prefix of the purposes: another prefix, other secrets */
  constructor(keyring: Keyring, resource: N, prefix: 'link' | 'destination-link') {
    this.page = new LinkTokens(keyring, resource, `${prefix}-token`);
    this.state = new LinkTokens(keyring, resource, `${prefix}-state`);
    this.refusal = new LinkTokens(keyring, resource, `${prefix}-refusal`);
    this.browser = new LinkTokens(keyring, resource, `${prefix}-browser`);
    this.#verifiers = new LinkTokens(keyring, resource, `${prefix}-verifier`);
    this.#successors = new LinkTokens(keyring, resource, `${prefix}-successor`);
  }

  /** The one id of a link that its person opens after it, as a UUIDv7 of that moment: however often, it is the same. */
  successorOf(link: RowId<N>, at: Date): string {
    const mac = Buffer.from(this.#successors.secretOf(link), 'base64url').toString('hex');
    const time = at.getTime().toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${mac.slice(0, 3)}-8${mac.slice(3, 6)}-${mac.slice(6, 18)}`;
  }

  /** The PKCE code verifier, the same however often the vendor's page of the attempt is opened. */
  verifierOf(link: RowId<N>, attempt = 0): string {
    return this.#verifiers.secretOf(link, attempt);
  }
}

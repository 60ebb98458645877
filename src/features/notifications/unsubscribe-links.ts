import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { isRowId, type RowId } from '../../vocabulary/ids.ts';
import { type ChosenKind, isChosenKind } from '../../vocabulary/notification-kinds.ts';
import { SECRET_PATHS } from '../../vocabulary/page-paths.ts';

const PURPOSE = 'unsubscribe';
/** `1.<key id>.<user>.<kind>.<MAC, base64url>`; the first part is the version. */
const TOKEN = /^1\.([\w-]{1,32})\.([0-9a-f-]{36})\.([a-z_]{1,32})\.([\w-]{43})$/;

/** Whose e-mails of which kind a link turns off. */
export interface Unsubscription {
  readonly user: RowId<'user'>;
  readonly kind: ChosenKind;
}

/**
 * Links in e-mails that turn off e-mails of their kind for their reader, without a sign-in (RFC 8058). They do nothing
 * else, work as often as they are opened, and outlive the encryption key they were made under.
 */
export class UnsubscribeLinks {
  readonly #keyring: Pick<Keyring, 'macKey' | 'primary'>;
  readonly #appUrl: string;

  constructor(deps: { readonly keyring: Pick<Keyring, 'macKey' | 'primary'>; readonly appUrl: string }) {
    this.#keyring = deps.keyring;
    this.#appUrl = deps.appUrl;
  }

  address(user: RowId<'user'>, kind: ChosenKind): string {
    const { id } = this.#keyring.primary;
    const mac = this.#mac({ user, kind }, id)?.toString('base64url') ?? '';
    return `${this.#appUrl}${SECRET_PATHS.unsubscribe}/1.${id}.${user}.${kind}.${mac}`;
  }

  /** Null for a token that was not made here. */
  open(token: string): Unsubscription | null {
    const [, keyId = '', user = '', kind = '', mac = ''] = TOKEN.exec(token) ?? [];
    if (!isRowId('user', user) || !isChosenKind(kind)) return null;
    const right = this.#mac({ user, kind }, keyId);
    return right !== null && sameBytes(Buffer.from(mac, 'base64url'), right) ? { user, kind } : null;
  }

  #mac({ user, kind }: Unsubscription, keyId: string): Buffer | null {
    const key = this.#keyring.macKey(PURPOSE, keyId);
    return key === null ? null : keyedMac(key, user, kind);
  }
}

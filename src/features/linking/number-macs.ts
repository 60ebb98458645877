import { keyedMac, sameBytes } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';

const PURPOSE = 'account-number';

/** A bank's full account number, as an adapter hands it over for identity alone. */
export interface FullNumber {
  readonly provider: ProviderIdentifier;
  readonly institution: string;
  readonly number: string;
}

/**
 * Keyed MACs of account numbers: they tell that two numbers are the same and nothing else (docs/linking.md#accounts). The
 * text names its key, so accounts are still recognised after the encryption key was rotated.
 */
export class NumberMacs {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** `<key id>:<base64url>`; spaces and punctuation of the number do not count. null where nothing is left of it. */
  of(number: FullNumber): string | null {
    const mac = this.#mac(number, this.#keyring.primary.id);
    return mac === null ? null : `${this.#keyring.primary.id}:${mac.toString('base64url')}`;
  }

  /** Whether the stored MAC is that of this number. A MAC under a key of which nothing is left matches nothing. */
  matches(stored: string, number: FullNumber): boolean {
    const colon = stored.indexOf(':');
    const keyId = stored.slice(0, colon);
    const mac = this.#mac(number, keyId);
    return mac !== null && sameBytes(mac, Buffer.from(stored.slice(colon + 1), 'base64url'));
  }

  #mac(number: FullNumber, keyId: string): Buffer | null {
    const plain = number.number.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
    if (plain === '') return null;
    const key = this.#keyring.macKey(PURPOSE, keyId);
    return key === null ? null : keyedMac(key, number.provider, number.institution, plain);
  }
}

/** What is left of encryption keys that are gone: subkeys that check MACs and open nothing. */
export interface RetainedMacKeysTable {
  /** `<purpose>:<key id>`. */
  id: string;
  /** Sealed. */
  subkey: Uint8Array;
}

/** A value sealed under the key in use (features/encryption/open-keyring.ts). */
export interface KeyChecksTable {
  id: string;
  sealed: Uint8Array;
}

export interface EncryptionTables {
  key_checks: KeyChecksTable;
  retained_mac_keys: RetainedMacKeysTable;
}

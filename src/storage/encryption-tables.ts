/** What is left of encryption keys that are gone: subkeys that check MACs and open nothing. */
export interface RetainedMacKeysTable {
  /** `<purpose>:<key id>`. */
  id: string;
  /** Sealed. */
  subkey: Uint8Array;
}

export interface EncryptionTables {
  retained_mac_keys: RetainedMacKeysTable;
}

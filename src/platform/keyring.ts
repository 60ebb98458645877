import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { loadKeyFile, readKeyFile, replaceKeyFile, rereadKeyFile } from './key-file.ts';

const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;

/** One 256-bit key and the name it carries inside each ciphertext. */
export type EncryptionKey = { readonly id: string; readonly key: Buffer };

/** The keys cannot be used as given; the message says what to change and holds no key material. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
}

/**
 * The service's encryption keys: new secrets use the primary, older keys only open. All code that seals shares one
 * keyring, so keys can be changed while the service runs.
 */
export class Keyring {
  #keys: ReadonlyMap<string, EncryptionKey>;
  #primary: EncryptionKey;
  readonly #derived = new Map<string, Buffer>();
  readonly #retained = new Map<string, Map<string, Buffer>>();
  /** The purposes of MACs, for which subkeys are kept when their key is removed. */
  macPurposes: readonly string[] = [];
  /** Looks for keys that another process has added since; null if that is impossible. */
  reread: (() => Keyring | null) | null = null;

  /** @param keys primary first, ids distinct */
  constructor(keys: readonly [EncryptionKey, ...EncryptionKey[]]) {
    this.#primary = keys[0];
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    if (this.#keys.size !== keys.length) {
      throw new KeyringError('ENCRYPTION_KEY names the same key id twice. Give each key its own id.');
    }
  }

  get primary(): EncryptionKey {
    return this.#primary;
  }

  /** The ids of all keys, primary first. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** The key of that id, or undefined when the keyring does not hold it. */
  find(id: string): EncryptionKey | undefined {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const newer = this.reread?.() ?? null;
    if (newer?.ids.includes(id) !== true) return undefined;
    this.adopt(newer);
    return this.#keys.get(id);
  }

  /**
   * Replaces its keys with those of another keyring; subkeys already derived stay valid for their key. MACs made under
   * a removed key can still be checked.
   */
  adopt(other: Keyring): void {
    for (const id of this.ids.filter((own) => !other.#keys.has(own))) {
      for (const purpose of this.macPurposes) this.retain(purpose, id, this.derive(purpose, id));
    }
    const changed = other.ids.filter(
      (id) => other.find(id)?.key.equals(this.#keys.get(id)?.key ?? NONE) !== true,
    );
    for (const cacheKey of this.#derived.keys()) {
      if (changed.includes(cacheKey.slice(0, cacheKey.indexOf(':')))) this.#derived.delete(cacheKey);
    }
    this.#keys = other.#keys;
    this.#primary = other.#primary;
  }

  /**
   * A 256-bit subkey for one purpose (HKDF-SHA256, RFC 5869), from the primary unless `keyId` names another.
   * @throws KeyringError when the keyring holds no key of that id
   */
  derive(purpose: string, keyId: string = this.#primary.id): Buffer {
    const source = this.find(keyId);
    if (source === undefined) {
      throw new KeyringError(
        `No encryption key with id "${keyId}" is configured. Add it to ENCRYPTION_KEY after the primary key.`,
      );
    }
    const cacheKey = `${keyId}:${purpose}`;
    let derived = this.#derived.get(cacheKey);
    if (derived === undefined) {
      derived = Buffer.from(hkdfSync('sha256', source.key, 'tributary', purpose, KEY_BYTES));
      this.#derived.set(cacheKey, derived);
    }
    return derived;
  }

  /**
   * Keeps the subkey of an encryption key that may have been removed, to check MACs made under it. It cannot open
   * anything sealed.
   */
  retain(purpose: string, keyId: string, subkey: Buffer): void {
    const ofPurpose = this.#retained.get(purpose) ?? new Map<string, Buffer>();
    this.#retained.set(purpose, ofPurpose.set(keyId, subkey));
  }

  /** The ids under which MACs of a purpose can be checked, the one that makes new MACs first. */
  macKeyIds(purpose: string): readonly string[] {
    return [...new Set([...this.ids, ...(this.#retained.get(purpose)?.keys() ?? [])])];
  }

  /** The subkey that makes and checks MACs of a purpose; null when neither the key nor its subkey is there. */
  macKey(purpose: string, keyId: string = this.#primary.id): Buffer | null {
    if (this.#keys.has(keyId)) return this.derive(purpose, keyId);
    const retained = this.#retained.get(purpose)?.get(keyId);
    if (retained !== undefined) return retained;
    return this.find(keyId) === undefined ? null : this.derive(purpose, keyId);
  }
}

const NONE = Buffer.alloc(0);

/**
 * The keyring from ENCRYPTION_KEY, or, when that is unset, from `encryption.key` in the data directory, which
 * is generated on the first start.
 * @throws KeyringError for malformed keys and for a key file that others on the machine can read
 */
export async function loadKeyring(options: {
  readonly encryptionKey: string | undefined;
  readonly dataDir: string;
  /** What errors call the origin of `encryptionKey`; by default the variable. */
  readonly origin?: string;
}): Promise<Keyring> {
  if (options.encryptionKey !== undefined && options.encryptionKey.trim() !== '') {
    return parseKeyring(options.encryptionKey, options.origin ?? 'ENCRYPTION_KEY');
  }
  const { dataDir } = options;
  const file = await loadKeyFile(dataDir, newKeyEntry);
  if ('refusal' in file) throw new KeyringError(file.refusal);
  const keyring = parseKeyring(file.text, file.path);
  keyring.reread = () => {
    const text = rereadKeyFile(dataDir);
    return text === null ? null : parseKeyring(text, file.path);
  };
  return keyring;
}

/**
 * First half of a key rotation without ENCRYPTION_KEY: puts a fresh primary in front of the keys in the file. Reseal
 * everything under the returned keyring, then call `retireOldKeys`.
 * @throws KeyringError
 */
export async function addPrimaryKey(dataDir: string): Promise<Keyring> {
  return rewriteKeyFile(dataDir, (entries) => [newKeyEntry(), ...entries]);
}

/**
 * Second half of a key rotation: leaves only the primary in the file. Anything still sealed under another key is lost.
 * @throws KeyringError
 */
export async function retireOldKeys(dataDir: string): Promise<Keyring> {
  return rewriteKeyFile(dataDir, (entries) => entries.slice(0, 1));
}

async function rewriteKeyFile(dataDir: string, change: (entries: string[]) => string[]): Promise<Keyring> {
  const file = await readKeyFile(dataDir);
  if (file === null) throw new KeyringError(`There is no key file in ${dataDir}. Restore it first.`);
  if ('refusal' in file) throw new KeyringError(file.refusal);
  parseKeyring(file.text, file.path);
  const text = `${change(entriesOf(file.text)).join('\n')}\n`;
  const keyring = parseKeyring(text, file.path);
  await replaceKeyFile(dataDir, text);
  return keyring;
}

/**
 * Parses one or more keys separated by commas or newlines, primary first: `<keyid>:<base64 of 32 bytes>`, or the bare
 * 32 bytes in base64 or hexadecimal, whose id is then derived from their hash.
 * @param source what errors should name: the variable or the file
 */
export function parseKeyring(text: string, source: string): Keyring {
  const [first, ...rest] = entriesOf(text).map((entry, index) =>
    parseKey(entry, `Key ${index + 1} of ${source}`),
  );
  if (first === undefined) throw new KeyringError(`${source} holds no key.`);
  return new Keyring([first, ...rest]);
}

/** A fresh key in the form ENCRYPTION_KEY takes: `<keyid>:<base64>`. */
export function newKeyEntry(): string {
  const key = randomBytes(KEY_BYTES);
  return `${idOf(key)}:${key.toString('base64')}`;
}

function entriesOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function parseKey(entry: string, what: string): EncryptionKey {
  const colon = entry.indexOf(':');
  const key = decodeKey(entry.slice(colon + 1));
  if (key === null) {
    throw new KeyringError(
      `${what} is not 32 bytes in base64 or hexadecimal. Make one with: openssl rand -base64 32`,
    );
  }
  if (key.every((byte) => byte === key[0])) {
    throw new KeyringError(
      `${what} is one byte repeated, not a random key. Make one with: openssl rand -base64 32`,
    );
  }
  if (colon === -1) return { id: idOf(key), key };
  const id = entry.slice(0, colon);
  if (!KEY_ID.test(id)) {
    throw new KeyringError(`${what} has an id that is not 1 to 32 letters, digits, "-" or "_".`);
  }
  return { id, key };
}

/** Strict, because Node's decoder skips unknown characters and would turn a typo into a shorter key. */
function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  const body = text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_');
  const key = Buffer.from(body, 'base64url');
  return key.length === KEY_BYTES && key.toString('base64url') === body ? key : null;
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('tributary key id').update(key).digest('hex').slice(0, 8);
}

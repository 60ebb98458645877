import { sql } from 'kysely';
import { addPrimaryKey, type Keyring, KeyringError, retireOldKeys } from '../../platform/keyring.ts';
import { Sealer, UnsealError } from '../../platform/sealing.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { insertRetainedMacKey } from '../../storage/key-checks.ts';
import type { Notices } from '../../storage/notices.ts';
import {
  replaceSealed,
  type SealedValue,
  sealedByKey,
  sealedUnderOthers,
} from '../../storage/sealed-values.ts';
import { type KeySource, MAC_PURPOSES, retainMacKeys } from './open-keyring.ts';
import { SEAL_PURPOSES, SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** Small, so that requests and runs continue between batches. */
const BATCH = 100;
/** The only subject of a notice about the keyring; notices carry an id. */
export const KEYRING_NOTICE = '00000000-0000-0000-0000-000000000000';

/** Any number: the advisory lock held while the key file changes. */
const CHANGING = 7_140_232;

/** What is sealed under which key. */
export interface KeyUse {
  readonly primary: string;
  /** Older keys that are configured, with how many values are still sealed under each. */
  readonly older: readonly { readonly id: string; readonly values: number }[];
  /** Values sealed under any key but the primary. */
  readonly left: number;
}

type Batch = { readonly values: readonly SealedValue[]; readonly sealed: number };

interface RotationDependencies {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly notices: Notices;
  readonly source: KeySource;
}

/**
 * Changes the encryption key while the service runs (docs/decisions/0015): creates a new primary, re-seals every value
 * under it in batches, then removes the older keys. Each step can be interrupted anywhere and repeated: every value
 * names the key under which it is sealed, so the database shows what is left to do.
 */
export class EncryptionRotation {
  readonly #deps: RotationDependencies;

  constructor(deps: RotationDependencies) {
    this.#deps = deps;
    deps.notices.onNotice(({ kind }) => {
      if (kind === 'encryption_key') this.#reread();
    });
    // A notice may have been missed, and sealing under a key that is about to be removed would lose data.
    deps.notices.onLost(() => this.#reread());
  }

  use(): Promise<KeyUse> {
    return this.#useIn(this.#deps.db);
  }

  async #useIn(db: Db): Promise<KeyUse> {
    const { keyring } = this.#deps;
    const counts = new Map<string, number>();
    for (const place of SEALED_COLUMNS) {
      for (const { keyId, count } of await sealedByKey(db, place))
        counts.set(keyId, (counts.get(keyId) ?? 0) + count);
    }
    const primary = keyring.primary.id;
    const ids = new Set([...keyring.ids, ...counts.keys()]);
    ids.delete(primary);
    const older = [...ids].map((id) => ({ id, values: counts.get(id) ?? 0 }));
    return { primary, older, left: older.reduce((sum, { values }) => sum + values, 0) };
  }

  /**
   * Creates a new primary if a rotation is to begin. An interrupted one continues with the key with which it began.
   * Raises KeyringError if there is no key to rotate to.
   */
  async begin(): Promise<KeyUse> {
    const { keyring, source } = this.#deps;
    if (source.encryptionKey !== undefined) {
      if (keyring.ids.length === 1) {
        throw new KeyringError(
          'ENCRYPTION_KEY holds one key. Put a new key in front of it, separated by a comma (make one with: openssl ' +
            'rand -base64 32), restart, and run this again. With several processes, first add the new key behind the ' +
            'old one everywhere.',
        );
      }
    } else {
      // Also for an existing key: the process that wrote it may have died before others were notified.
      await this.#alone(async () => {
        if (keyring.ids.length === 1) keyring.adopt(await addPrimaryKey(source.dataDir));
      });
    }
    await this.#keepMacKeys();
    return this.use();
  }

  /**
   * Re-seals values until none is left or `until` (performance.now) has passed. Returns how many it did: 0 only if no
   * value that can be opened is left, however slow the database is.
   */
  async sealAnew(until: number): Promise<number> {
    let done = 0;
    for (const place of SEALED_COLUMNS) {
      let after: SealedValue['id'] | null = null;
      for (;;) {
        if (done > 0 && performance.now() >= until) return done;
        const { values, sealed }: Batch = await this.#batch(place, after);
        done += sealed;
        after = values.at(-1)?.id ?? null;
        if (values.length < BATCH) break;
      }
    }
    return done;
  }

  /**
   * Removes every key but the primary from the key file. Raises KeyringError while something is sealed under another.
   */
  async retire(): Promise<KeyUse> {
    const { keyring, source, db } = this.#deps;
    if (source.encryptionKey !== undefined) {
      throw new KeyringError(
        'The keys come from ENCRYPTION_KEY: keep only its first key and restart every process.',
      );
    }
    await this.#keepMacKeys();
    const { id } = keyring.primary;
    await this.#alone(async (trx) => {
      if (keyring.primary.id !== id)
        throw new KeyringError('The key file was changed in the meantime. Run this command again.');
      const { left } = await this.#useIn(trx);
      if (left > 0) {
        throw new KeyringError(
          `${left} values are still sealed under an older key. Run: tributary keys rotate-encryption`,
        );
      }
      keyring.adopt(await retireOldKeys(source.dataDir));
    });
    await retainMacKeys(db, keyring);
    return this.use();
  }

  async #batch(place: SealedColumn, after: SealedValue['id'] | null): Promise<Batch> {
    const { db, keyring } = this.#deps;
    const sealer = new Sealer(keyring, place.purpose);
    const values = await sealedUnderOthers(db, place, keyring.primary.id, { after, limit: BATCH });
    // In one transaction, which costs one sync of the disk instead of a hundred.
    const sealed = await db.transaction().execute(async (trx) => {
      let done = 0;
      for (const old of values) {
        const context = place.context(old.id);
        const opened = openOrNull(sealer, old, context);
        if (opened === null) continue;
        await replaceSealed(trx, place, old, sealer.seal(opened, context));
        done += 1;
      }
      return done;
    });
    return { values, sealed };
  }

  /** The key file is read, changed and written by one process at a time, and every other is notified. */
  async #alone(change: (trx: Trx) => Promise<void>): Promise<void> {
    const { db, keyring, notices } = this.#deps;
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${CHANGING})`.execute(trx);
      // Writing a file without the key in use would lose everything sealed under it.
      const inFile = keyring.reread?.() ?? null;
      if (inFile?.find(keyring.primary.id) === undefined) {
        throw new KeyringError(
          `The key file does not contain the key in use, "${keyring.primary.id}". Put it back, or restart with the right one.`,
        );
      }
      keyring.adopt(inFile);
      await change(trx);
      await notices.publish(trx, { kind: 'encryption_key', id: KEYRING_NOTICE });
    });
  }

  /** Before the first value is re-sealed, so that MACs can be checked whichever key is removed. */
  async #keepMacKeys(): Promise<void> {
    const { db, keyring } = this.#deps;
    const sealer = new Sealer(keyring, SEAL_PURPOSES.macKeys);
    for (const keyId of keyring.ids.slice(1)) {
      for (const purpose of MAC_PURPOSES) {
        const id = `${purpose}:${keyId}`;
        const subkey = sealer.seal(keyring.derive(purpose, keyId), `retained_mac_keys/${id}/subkey`);
        await insertRetainedMacKey(db, { id, subkey });
      }
    }
  }

  /** Another process may have changed the key file. If it is missing or cannot be read, the known keys stay in use. */
  #reread(): void {
    const { keyring } = this.#deps;
    try {
      const inFile = keyring.reread?.() ?? null;
      if (inFile !== null) keyring.adopt(inFile);
    } catch {
      // The next start reports what is wrong with it.
    }
  }
}

/** Null for a value that no key opens: it stays as it is, and counts as left. */
function openOrNull(sealer: Sealer, { value }: SealedValue, context: string): Buffer | null {
  try {
    return sealer.open(Buffer.from(value), context);
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

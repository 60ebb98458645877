import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KEY_FILE_NAME } from '../../platform/key-file.ts';
import { type Keyring, KeyringError, loadKeyring } from '../../platform/keyring.ts';
import { Sealer, UnsealError } from '../../platform/sealing.ts';
import type { Db, OpenDatabase } from '../../storage/database.ts';
import { firstKeyCheck, listRetainedMacKeys } from '../../storage/key-checks.ts';
import { type MigrateOptions, migrate } from '../../storage/migrator.ts';
import { anySealedUnder, existingPlaces, sealedKeys } from '../../storage/sealed-values.ts';
import { SEAL_PURPOSES, SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';

/** The one row of `key_checks`. */
const CHECK = 'primary';
const SHARING =
  'Hosts that share a database share its key: set ENCRYPTION_KEY on each of them to the text of the file encryption.key ' +
  'in the DATA_DIR of the host that was started first.';

/** Where the encryption keys come from. */
export interface KeySource {
  readonly encryptionKey: string | undefined;
  readonly dataDir: string;
  /** The file from which `encryptionKey` was read; absent if it is the variable. */
  readonly origin?: string;
}

const LASTING = SEALED_COLUMNS.filter(({ lasting }) => lasting);

/**
 * Brings the schema to the newest version, and opens the keyring. A database that the keys do not open is refused as it
 * is: processes of an earlier version, to which it may belong, could not start on a newer schema.
 * @throws KeyringError as `openKeyring`; SchemaError as `migrate`
 */
export async function migratedKeyring(
  database: Pick<OpenDatabase, 'db' | 'kind'>,
  source: KeySource,
  onWait?: MigrateOptions['onWait'],
): Promise<Keyring> {
  const { db } = database;
  await migrate(database, {
    beforeChange: async () => void (await checkedKeyring(db, source, await existingPlaces(db, LASTING))),
    ...(onWait && { onWait }),
  });
  return openKeyring(db, source);
}

/**
 * The keyring of a database: checked against one value for each key and column, so that a key that was lost or belongs
 * to another installation stops the start instead of failing later. No key is generated in place of a lost one.
 * @throws KeyringError that says which key is missing and what to do
 */
export async function openKeyring(db: Db, source: KeySource): Promise<Keyring> {
  const keyring = (await checkedKeyring(db, source, LASTING)) ?? (await loadKeyring(source));
  await recordKey(db, keyring, source);
  keyring.macPurposes = MAC_PURPOSES;
  await retainMacKeys(db, keyring);
  return keyring;
}

/**
 * The keys, checked against the columns. Writes nothing: null if there is no key so far and nothing is sealed.
 * @throws KeyringError
 */
async function checkedKeyring(
  db: Db,
  source: KeySource,
  places: readonly SealedColumn[],
): Promise<Keyring | null> {
  const sealed = await sealedKeys(db, places);
  const used = [...new Set(sealed.map(({ keyId }) => keyId))].toSorted();
  const where = placeOf(source);
  if (source.encryptionKey === undefined && !(await isThere(where))) {
    if (used.length === 0) return null;
    throw new KeyringError(
      `${where} is missing, and the database holds secrets sealed under ${named(used)}. Put the file back from a ` +
        'backup, or set ENCRYPTION_KEY to that key. No key was created: a new one could open none of them. ' +
        `${SHARING} ` +
        `(To start over without them, use an empty database${source.encryptionKey === undefined ? ' or DATA_DIR' : ''}.)`,
    );
  }
  const keyring = await loadKeyring(source);
  const missing = used.filter((id) => keyring.find(id) === undefined);
  if (missing.length > 0) {
    throw new KeyringError(
      `The database holds secrets sealed under ${named(missing)}, which is not in ${where}: that holds ` +
        `${named(keyring.ids)}. ${advice(source)}`,
    );
  }
  await requireOpening(db, keyring, source, sealed);
  return keyring;
}

/** Gives the keyring the subkeys that remain of removed keys. */
export async function retainMacKeys(db: Db, keyring: Keyring): Promise<void> {
  const sealer = new Sealer(keyring, SEAL_PURPOSES.macKeys);
  for (const { id, subkey } of await listRetainedMacKeys(db)) {
    const cut = id.indexOf(':');
    const opened = sealer.open(Buffer.from(subkey), `retained_mac_keys/${id}/subkey`);
    keyring.retain(id.slice(0, cut), id.slice(cut + 1), opened);
  }
}

/**
 * Records the first key of a database before anything is sealed under it. Of several hosts that start at once, only one
 * succeeds; the others find out here, since nothing was sealed when they checked.
 */
async function recordKey(db: Db, keyring: Keyring, source: KeySource): Promise<void> {
  const sealer = new Sealer(keyring, SEAL_PURPOSES.keyCheck);
  const first = await firstKeyCheck(db, CHECK, sealer.seal(CHECK, `key_checks/${CHECK}/sealed`));
  try {
    sealer.open(Buffer.from(first), `key_checks/${CHECK}/sealed`);
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new KeyringError(
      `Another host has just begun with this database under a key of its own, which is not in ${placeOf(source)}. ${SHARING}`,
    );
  }
}

/** A key may have the right id without being the right key, since ids can be chosen. */
async function requireOpening(
  db: Db,
  keyring: Keyring,
  source: KeySource,
  sealed: readonly { readonly place: SealedColumn; readonly keyId: string }[],
): Promise<void> {
  for (const { place, keyId } of sealed) {
    const found = await anySealedUnder(db, place, keyId);
    if (found === null) continue;
    try {
      new Sealer(keyring, place.purpose).open(Buffer.from(found.value), place.context(found.id));
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw new KeyringError(
        `The key "${keyId}" of ${placeOf(source)} does not open what was sealed under that id ` +
          `(${place.table}.${place.column}): it is a different key with the same name, or the database was altered. ${advice(source)}`,
      );
    }
  }
}

function placeOf({ encryptionKey, dataDir, origin }: KeySource): string {
  if (origin !== undefined) return origin;
  return encryptionKey === undefined ? join(resolve(dataDir), KEY_FILE_NAME) : 'ENCRYPTION_KEY';
}

function advice({ encryptionKey, origin }: KeySource): string {
  if (origin !== undefined) return 'Name the key file that was copied when this database was in use.';
  return encryptionKey === undefined
    ? `Restore the key file that belongs to this database. ${SHARING}`
    : 'Add the key that belongs to this database to ENCRYPTION_KEY, after the primary key.';
}

function named(ids: readonly string[]): string {
  return `${ids.length === 1 ? 'key' : 'keys'} ${ids.map((id) => `"${id}"`).join(', ')}`;
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Purposes of MACs whose texts are not stored, so that a rotation cannot recompute them: the subkey of each outlives
 * its encryption key (docs/decisions/0015). It verifies MACs of its purpose and opens nothing.
 */
export const MAC_PURPOSES = [
  'account-number',
  'destination-target',
  'idempotency-key',
  'link-token',
  'link-state',
  'link-refusal',
  'link-browser',
  'link-verifier',
  'destination-link-token',
  'destination-link-state',
  'destination-link-refusal',
  'destination-link-browser',
  'destination-link-verifier',
  'unsubscribe',
] as const;

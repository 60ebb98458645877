import { stat } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Finding } from '../../../features/operator/finding.ts';
import { SOFTWARE_VERSION } from '../../../vocabulary/software-version.ts';
import { command, type RecordContext } from '../command.ts';
import { VERSION_COMMAND } from '../control/same-version.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { table } from '../table.ts';

const strict = { additionalProperties: false };
/** How long one call re-seals values inside a server; a shell calls again and shows the progress. */
const SLICE_MS = 500;

/** `inspect`: the part of `doctor` that needs the storage and the providers, run where they are open. */
export const inspect = command({
  name: 'inspect',
  args: Type.Object({}, strict),
  result: Type.Object({
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        outcome: Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('fail')]),
        found: Type.String(),
        advice: Type.Union([Type.String(), Type.Null()]),
        fixable: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
  run: async ({ app, url, signal }) => ({
    findings: [...(await app.operator.inspection.run(url !== null, signal))],
  }),
  show: ({ findings }) => findingsTable(findings),
});

/** The lines `doctor` prints. */
export function findingsTable(findings: readonly Finding[]): string {
  return table(
    [{ title: 'RESULT' }, { title: 'CHECK' }, { title: 'FOUND' }],
    findings.map(({ outcome, check, found, advice, fixable }) => [
      outcome,
      check,
      `${advice === null ? found : `${found}. ${advice}`}${fixable === true ? ' Or run: tributary doctor --fix' : ''}`,
    ]),
  );
}

/** `version`: that of a server, which a shell asks for (control/same-version.ts). */
export const version = command({
  name: VERSION_COMMAND,
  args: Type.Object({}, strict),
  result: Type.Object({ version: Type.String() }),
  run: async () => ({ version: SOFTWARE_VERSION }),
  show: (result) => `version ${result.version}`,
});

/** `migrate`: opening the storage brings it up to date, so this only reports the result. */
export const migrate = command({
  name: 'migrate',
  args: Type.Object({}, strict),
  result: Type.Object({ storage: Type.String(), pending: Type.Array(Type.String()) }),
  run: async ({ app: { operator } }: RecordContext) => ({
    storage: operator.storage.kind,
    pending: [...(await operator.storage.pendingMigrations())],
  }),
  show: ({ storage, pending }) =>
    pending.length === 0
      ? `The ${storage} database is up to date.`
      : `The ${storage} database is still missing: ${pending.join(', ')}. Run tributary migrate with the version that has them.`,
});

/** `move-to-postgres`: the embedded database of DATA_DIR becomes the Postgres database of DATABASE_URL. */
export const moveToPostgres = command({
  name: 'move-to-postgres',
  args: Type.Object({}, strict),
  result: Type.Object({
    tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer() })),
    left: Type.String(),
  }),
  run: async ({ app, url, hasLock }) => {
    if (url !== null) throw new CommandFailure('A server is running on this data directory. Stop it first.');
    const { tables, left } = await app.operator.storage.moveToPostgres(hasLock === true);
    return { tables: [...tables], left };
  },
  show: ({ tables, left }) =>
    `${table(
      [{ title: 'TABLE' }, { title: 'ROWS', align: 'right' }],
      tables.filter(({ rows }) => rows > 0).map((copied) => [copied.table, String(copied.rows)]),
    )}
Start the server with the same DATABASE_URL and the same DATA_DIR, which holds the encryption key.
The embedded database is left in ${left}; delete it once you no longer need to go back.`,
});

/** `backup`: the embedded database, while it is used, into an encrypted file. */
export const backup = command({
  name: 'backup',
  args: Type.Object({ file: Type.String(), passphrase: Type.Optional(Type.String()) }, strict),
  result: Type.Object({
    file: Type.String(),
    bytes: Type.Integer(),
    created: Type.String(),
    /** The device and the inode as the service sees them; absent in the answer of an earlier version. */
    inode: Type.Optional(Type.String()),
  }),
  run: async ({ app, signal }, { file, passphrase = app.config.backupPassphrase }) => {
    if (passphrase === null)
      throw usageFailure('Name a file with the passphrase by --passphrase-file, or set BACKUP_PASSPHRASE.');
    const { bytes, created } = await app.operator.backups.create(file, passphrase, signal);
    return { file, bytes, created: created.toISOString(), inode: (await inodeOf(file)) ?? '' };
  },
  show: ({ file, bytes }) =>
    `${file} has ${Math.ceil(bytes / 1e6)} MB. The encryption key is not in it: keep a copy of it elsewhere.`,
});

/**
 * Whether a shell sees the file that the service wrote. Under systemd the service has a /tmp of its own, which is
 * deleted with the backup in it when the service stops.
 * @throws CommandFailure if it does not
 */
export async function requireBackupHere(result: unknown): Promise<void> {
  const { file, inode } = backup.parse(result);
  if (inode === undefined || inode === (await inodeOf(file))) return;
  throw new CommandFailure(
    `The service wrote the backup where this shell does not see it: it has a folder of its own in place of that of ${file}, ` +
      'and deletes it when it stops. Name a file in its data directory, or in a folder of ReadWritePaths of its unit.',
  );
}

async function inodeOf(file: string): Promise<string | null> {
  return stat(file, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null,
  );
}

const KeyUse = Type.Object({
  primary: Type.String(),
  older: Type.Array(Type.Object({ id: Type.String(), values: Type.Integer() })),
  left: Type.Integer(),
  sealed: Type.Integer(),
  in_file: Type.Boolean(),
});

/** `keys rotate-encryption`: one slice of it. `retire` drops the older keys from the key file instead. */
export const keysRotateEncryption = command({
  name: 'keys rotate-encryption',
  args: Type.Object({ retire: Type.Optional(Type.Boolean()) }, strict),
  result: KeyUse,
  run: async ({ app, url }, { retire = false }) => {
    const { encryption } = app.operator;
    const inFile = app.config.encryptionKey === undefined;
    if (retire) return { ...shownUse(await encryption.retire()), sealed: 0, in_file: inFile };
    await encryption.begin();
    const sealed = await encryption.sealAnew(
      url === null ? Number.POSITIVE_INFINITY : performance.now() + SLICE_MS,
    );
    return { ...shownUse(await encryption.use()), sealed, in_file: inFile };
  },
  again: ({ left, sealed }) => (left > 0 && sealed > 0 ? `${left} values left to re-encrypt` : null),
  show: ({ primary, older, left, in_file: inFile }) => {
    const ids = older.map(({ id }) => `"${id}"`).join(', ');
    if (left > 0) {
      return `${left} values stay sealed under an older key: no configured key opens them. Run tributary doctor.`;
    }
    if (older.length === 0) return `Everything is sealed under key "${primary}", and no older key is left.`;
    return (
      `Everything is sealed under key "${primary}". The older key can be removed (${ids}): ` +
      (inFile
        ? 'run tributary keys rotate-encryption --retire'
        : 'keep only the first key in ENCRYPTION_KEY and restart every process') +
      '. Keep it with the backups that were made under it.'
    );
  },
});

function shownUse({
  primary,
  older,
  left,
}: {
  primary: string;
  older: readonly { id: string; values: number }[];
  left: number;
}) {
  return { primary, older: older.map(({ id, values }) => ({ id, values })), left };
}

import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { App } from '../app/build.ts';
import { hashApiKey } from '../platform/api-key-secret.ts';
import { findApiKeyByHash } from '../storage/api-keys.ts';
import { hasUsers } from '../storage/users.ts';
import { publicId } from '../vocabulary/ids.ts';
import { SCOPES } from '../vocabulary/scopes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';

/** The account record of a new sandbox installation belongs to nobody in particular. */
export const FIRST_EMAIL = 'owner@localhost';

/** The secret, or the file in which it stands. */
export type FirstAccount = {
  readonly account: string;
  readonly secret: string | null;
  readonly file: string | null;
};

const KEY_FILE = 'first-api-key';
const LINK_FILE = 'first-run-link';
/** Another key can be made at the command line. */
const KEY_FILE_MS = 24 * 3_600_000;
/** First steps read the file several times. */
const USED_KEY_MS = 3_600_000;

/** The address at which the first person comes in, or the file in which it stands. */
export type FirstRunLink = {
  readonly url: string | null;
  readonly file: string | null;
};

/** Puts the key into a file of the data directory that only its owner can read: what a service prints, logs keep. */
export async function keepFirstKey(dataDir: string, made: FirstAccount): Promise<FirstAccount> {
  return { ...made, secret: null, file: await keptSecret(dataDir, KEY_FILE, made.secret ?? '') };
}

/** The same for the link of the first person, which is new at every start until there is one. */
export async function keepFirstRunLink(dataDir: string, { url }: FirstRunLink): Promise<FirstRunLink> {
  return { url: null, file: await keptSecret(dataDir, LINK_FILE, url ?? '') };
}

/**
 * Deletes the files once they have served their purpose, so that no backup keeps a secret that works: the key's when the
 * key is revoked, an hour after it was written if the key was used, and after a day; the link's once somebody can sign in.
 */
export async function tidyFirstSecrets({
  config,
  database,
  clock,
}: Pick<App, 'config' | 'database' | 'clock'>): Promise<void> {
  const key = join(resolve(config.dataDir), KEY_FILE);
  const made = await madeAt(key);
  if (made !== null) {
    const secret = (await readFile(key, 'utf8')).trim();
    const found = await findApiKeyByHash(database.db, hashApiKey(secret));
    const lastsMs = (found?.last_used_at ?? null) === null ? KEY_FILE_MS : USED_KEY_MS;
    const isOver = found === null || found.revoked_at !== null || clock.now() - made > lastsMs;
    if (isOver) await rm(key, { force: true });
  }
  const link = join(resolve(config.dataDir), LINK_FILE);
  if ((await madeAt(link)) !== null && (await hasUsers(database.db))) await rm(link, { force: true });
}

/** When the file was written, epoch milliseconds; null where there is none. */
async function madeAt(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

/** A link for the first person; null once there is one, and where this process serves no pages. */
export async function makeFirstRunLink({ config, signIn }: App): Promise<FirstRunLink | null> {
  if (!config.roles.includes('api')) return null;
  const secret = await signIn.firstRun.issue();
  return secret === null ? null : { url: signIn.linkAddresses.firstRun(secret), file: null };
}

async function keptSecret(dataDir: string, name: string, secret: string): Promise<string> {
  const file = join(resolve(dataDir), name);
  // Several processes of one data directory may start at once.
  const written = `${file}.${process.pid}`;
  await rm(written, { force: true });
  await writeFile(written, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  await rename(written, file);
  return file;
}

/**
 * Makes the first account record and its API key where a sandbox has neither, so that a newcomer can start at once.
 * Null when there is an account record already, and outside the sandbox, where who may enter is the operator's
 * decision.
 */
export async function makeFirstAccount(app: App): Promise<FirstAccount | null> {
  const { accountRecords, apiKeys } = app.services;
  if (!app.config.sandbox || (await accountRecords.list()).length > 0) return null;
  try {
    const record = await accountRecords.create({ email: FIRST_EMAIL });
    const { secret } = await apiKeys.create(record.id, { name: 'First key', scopes: SCOPES }, null);
    return { account: publicId('account_record', record.id), secret, file: null };
  } catch (error) {
    // Another process of the same installation was first.
    if (error instanceof ServiceError && error.param === 'email') return null;
    throw error;
  }
}

import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashApiKey } from '../../platform/api-key-secret.ts';
import type { Config } from '../../platform/config.ts';
import { findApiKeyByHash } from '../../storage/api-keys.ts';
import type { Db } from '../../storage/database.ts';
import { hasUsers } from '../../storage/users.ts';
import { PLACEHOLDER_EMAIL } from '../../vocabulary/email.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { SCOPES } from '../../vocabulary/scopes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { AccountRecords } from '../access/account-records.ts';
import type { ApiKeys } from '../access/api-keys.ts';
import type { SignInFeatures } from '../sign-in/create-sign-in.ts';

const KEY_FILE = 'first-api-key';
const LINK_FILE = 'first-run-link';
/** Another key can be created at the command line. */
const KEY_FILE_MS = 24 * 3_600_000;
/** First steps read the file several times. */
const USED_KEY_MS = 3_600_000;

/** An account record and its API key: the secret, or the file that contains it. */
export type FirstAccount = {
  readonly account: string;
  readonly secret: string | null;
  readonly file: string | null;
};

/** The address at which the first person signs up, or the file that contains it. */
export type FirstRunLink = {
  readonly url: string | null;
  readonly file: string | null;
};

export interface FirstStartParts {
  readonly config: Pick<Config, 'dataDir' | 'roles' | 'sandbox'>;
  readonly db: Db;
  readonly clock: { now(): number };
  readonly accountRecords: Pick<AccountRecords, 'create' | 'list'>;
  readonly apiKeys: Pick<ApiKeys, 'create'>;
  readonly signIn: Pick<SignInFeatures, 'firstRun' | 'linkAddresses'>;
}

/**
 * What a new installation gives the person who starts it. If its output is kept, secrets go into files in the data
 * directory that only their owner can read.
 */
export class FirstStart {
  readonly #parts: FirstStartParts;

  constructor(parts: FirstStartParts) {
    this.#parts = parts;
  }

  /**
   * Creates the first account record and its API key if a sandbox has none, so that newcomers can start at once. Null
   * if there is an account record already, and outside the sandbox, where access is the operator's decision.
   * @param shown whether a person reads the output and it is not kept
   */
  async account(shown: boolean): Promise<FirstAccount | null> {
    const { config, accountRecords, apiKeys } = this.#parts;
    if (!config.sandbox || (await accountRecords.list(1)).length > 0) return null;
    try {
      const record = await accountRecords.create({ email: PLACEHOLDER_EMAIL });
      const { secret } = await apiKeys.create(record.id, { name: 'First key', scopes: SCOPES }, null);
      const account = publicId('account_record', record.id);
      return shown
        ? { account, secret, file: null }
        : { account, secret: null, file: await this.#keep(KEY_FILE, secret) };
    } catch (error) {
      // Another process of the same installation was first.
      if (error instanceof ServiceError && error.param === 'email') return null;
      throw error;
    }
  }

  /**
   * A link for the first person, new at every start; null once there is one, and if this process serves no pages.
   * @param shown whether a person reads the output and it is not kept
   */
  async link(shown: boolean): Promise<FirstRunLink | null> {
    const { config, signIn } = this.#parts;
    if (!config.roles.includes('api')) return null;
    const secret = await signIn.firstRun.issue();
    if (secret === null) return null;
    const url = signIn.linkAddresses.firstRun(secret);
    return shown ? { url, file: null } : { url: null, file: await this.#keep(LINK_FILE, url) };
  }

  /**
   * Deletes the files once they have served their purpose, so that no backup keeps a secret that works: the key's when
   * the key is revoked, an hour after it was written if the key was used, and after a day; the link's once someone can
   * sign in.
   */
  async tidy(): Promise<void> {
    const { db, clock } = this.#parts;
    const key = this.#file(KEY_FILE);
    const made = await madeAt(key);
    if (made !== null) {
      const secret = (await readFile(key, 'utf8')).trim();
      const found = await findApiKeyByHash(db, hashApiKey(secret));
      const lastsMs = (found?.last_used_at ?? null) === null ? KEY_FILE_MS : USED_KEY_MS;
      const isOver = found === null || found.revoked_at !== null || clock.now() - made > lastsMs;
      if (isOver) await rm(key, { force: true });
    }
    const link = this.#file(LINK_FILE);
    if ((await madeAt(link)) !== null && (await hasUsers(db))) await rm(link, { force: true });
  }

  #file(name: string): string {
    return join(resolve(this.#parts.config.dataDir), name);
  }

  async #keep(name: string, secret: string): Promise<string> {
    const file = this.#file(name);
    // Several processes of one data directory may start at once.
    const written = `${file}.${process.pid}`;
    await rm(written, { force: true });
    await writeFile(written, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    await rename(written, file);
    return file;
  }
}

/** When the file was written, epoch milliseconds; null if there is none. */
async function madeAt(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

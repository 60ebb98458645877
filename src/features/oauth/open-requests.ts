import type { AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { oauthTokenHash } from '../../platform/oauth-token-text.ts';
import { Sealer } from '../../platform/sealing.ts';
import type { Db } from '../../storage/database.ts';
import {
  deleteOAuthInteraction,
  findOAuthInteraction,
  putOAuthInteraction,
} from '../../storage/oauth-interactions.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { asking } from './asking.ts';
import { OAUTH_SEAL } from './oauth-sealing.ts';

export interface OpenRequestDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly limits: Limits;
}

/** Requests for authorization that wait for a signed-in person, and for nobody else. */
export class OpenRequests {
  readonly #deps: OpenRequestDeps;
  readonly #sealer: Sealer;

  constructor(deps: OpenRequestDeps) {
    this.#deps = deps;
    this.#sealer = new Sealer(deps.keyring, OAUTH_SEAL);
  }

  async put(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    const { db, clock, limits } = this.#deps;
    const user = askingUser();
    if (user === null) throw new TypeError('nobody is signed in to answer the request');
    const now = clock.now();
    const hash = oauthTokenHash(id);
    const row = {
      id: hash,
      user_id: user,
      payload: this.#sealer.seal(JSON.stringify(payload), contextOf(hash)),
      expires_at: new Date(now + seconds * 1000),
      created: new Date(now),
    };
    await putOAuthInteraction(db, row, limits.oauth_open_consents);
  }

  /** Undefined for one of another person, as for one that is over. */
  async find(id: string): Promise<AdapterPayload | undefined> {
    const { db, clock } = this.#deps;
    const hash = oauthTokenHash(id);
    const row = await findOAuthInteraction(db, hash, new Date(clock.now()));
    if (row === null || row.user_id !== askingUser()) return undefined;
    return JSON.parse(this.#sealer.open(Buffer.from(row.payload), contextOf(hash)).toString('utf8'));
  }

  async remove(id: string): Promise<void> {
    await deleteOAuthInteraction(this.#deps.db, oauthTokenHash(id));
  }
}

function askingUser(): RowId<'user'> | null {
  return asking.getStore()?.user ?? null;
}

function contextOf(hash: Buffer): string {
  return `oauth_interactions/${hash.toString('hex')}/payload`;
}

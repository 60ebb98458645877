import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import { deleteEndedGrants } from '../../storage/oauth-grants.ts';
import { deleteExpiredInteractions } from '../../storage/oauth-interactions.ts';
import { deleteExpiredTokens } from '../../storage/oauth-tokens.ts';
import type { OAuthClients } from './oauth-clients.ts';

/** Rows that one statement deletes: it holds up nobody else. */
const BATCH = 500;
/** Batches of each kind at a time; the rest waits for the next. */
const MOST_BATCHES = 40;
/** For how long the list of connected apps shows those that ended. */
const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes what has expired, kind by kind, in batches and not without end. */
export class OAuthSweep {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #clients: OAuthClients;

  constructor(deps: { readonly db: Db; readonly clock: Clock; readonly clients: OAuthClients }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#clients = deps.clients;
  }

  async run(): Promise<void> {
    const now = this.#clock.now();
    const shownSince = new Date(now - SHOWN_DAYS * DAY_MS);
    await inBatches((limit) => deleteExpiredInteractions(this.#db, new Date(now), limit));
    await inBatches((limit) => deleteExpiredTokens(this.#db, new Date(now), limit));
    await inBatches((limit) => deleteEndedGrants(this.#db, shownSince, limit));
    await inBatches((limit) => this.#clients.sweep(limit));
  }
}

async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await remove(BATCH)) < BATCH) return;
  }
}

import type { ProviderSignal, ProviderWebhook } from '../../connectors/providers/provider-contract.ts';
import { findConnectionOwner, lockConnection, updateConnection } from '../../storage/connections.ts';
import { currentConsents, updateConsent } from '../../storage/consents.ts';
import type { Trx } from '../../storage/database.ts';
import { PROVIDER_DATA } from '../../storage/job-queues.ts';
import type { Notices } from '../../storage/notices.ts';
import {
  connectionsOfSignal,
  keepNotifications,
  knownNotifications,
  type SignalledConnection,
} from '../../storage/provider-notifications.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { ConsentChecks } from './consent-checks.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import { consentHash, customerHash, notificationHash } from './linking-secrets.ts';
import { askForListing } from './listing-requests.ts';
import { NotificationTurns } from './notification-turns.ts';

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'limits' | 'gateway' | 'jobs' | 'hooks'> & {
  readonly consentChecks: ConsentChecks;
  readonly notices: Pick<Notices, 'publish'>;
};

/** A connection is checked, and its syncs are run, at most once a minute, however many notifications arrive. */
const LOOK_EVERY_MS = 60_000;
/** A failed check is repeated after this time, unless the connection is checked sooner anyway. */
const LOOK_AGAIN_MS = 3_600_000;
/** Per notification; whatever a longer one reports is found by the daily check. */
const MOST_SIGNALS = 500;

/**
 * Processes notifications of vendors. A notification only says where to look, and the vendor is then asked, so a
 * repeated, late or out-of-order one does no harm.
 */
export class ProviderSignals {
  readonly #deps: Dependencies;
  readonly #turns: NotificationTurns;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#turns = new NotificationTurns(deps.limits, deps.clock);
  }

  /**
   * Whether the notification is genuine; anything in it that is unknown here is ignored. Raises `gateway_unavailable`
   * and `not_supported` for a provider that sends none, `provider_wait` if too many of its notifications are being
   * handled, and what storage raises.
   */
  receive(
    provider: ProviderIdentifier,
    notification: ProviderWebhook,
    signal: AbortSignal,
  ): Promise<boolean> {
    return this.#turns.inHand(provider, async () => {
      const signals = await this.#deps.gateway.receiveWebhook(provider, notification, signal);
      if (signals === null) return false;
      if (signals.length > 0) await this.#turns.acting(provider, () => this.#actOn(provider, signals));
      return true;
    });
  }

  /** Runs the syncs that copy the connection. Raises what storage raises. */
  async runCopies(id: RowId<'connection'>): Promise<void> {
    const { db, hooks } = this.#deps;
    const owner = await findConnectionOwner(db, id);
    if (owner !== null) await hooks.onProviderData(owner, id);
  }

  async #actOn(provider: ProviderIdentifier, signals: readonly ProviderSignal[]): Promise<void> {
    const fresh = await this.#fresh(provider, signals.slice(0, MOST_SIGNALS));
    const acted = new Set<string>();
    for (const one of distinct(fresh)) {
      for (const connection of await this.#concerned(provider, one)) {
        const news = `${connection.id} ${one.what}`;
        if (acted.has(news)) continue;
        if (isAboutRows(one.what)) acted.add(news);
        await this.#act(connection, one.what);
      }
    }
    // Only now: one that was processed only in part is sent again by its vendor, and processed again.
    const { db, clock } = this.#deps;
    await keepNotifications(db, hashesOf(provider, fresh), new Date(clock.now()));
  }

  /** Without those of notifications that were processed before. */
  async #fresh(
    provider: ProviderIdentifier,
    signals: readonly ProviderSignal[],
  ): Promise<readonly ProviderSignal[]> {
    const known = await knownNotifications(this.#deps.db, hashesOf(provider, signals));
    return signals.filter(
      ({ notification: id }) =>
        id === undefined || !known.has(notificationHash(provider, id).toString('hex')),
    );
  }

  #concerned(provider: ProviderIdentifier, { about }: ProviderSignal): Promise<SignalledConnection[]> {
    const { db } = this.#deps;
    switch (about.kind) {
      case 'consent':
        return connectionsOfSignal(db, provider, { consentHash: consentHash(provider, about.id) });
      case 'customer':
        return connectionsOfSignal(db, provider, { customerHash: customerHash(provider, about.id) });
      case 'account':
        return connectionsOfSignal(db, provider, { upstreamId: about.id });
    }
  }

  async #act(of: SignalledConnection, what: ProviderSignal['what']): Promise<void> {
    const { db, gateway, notices, consentChecks } = this.#deps;
    const { account_record: owner, id, provider } = of;
    const asks = gateway.providers.capabilities(provider).has('consents');
    if (!isAboutRows(what) && !asks) {
      const state = what === 'login_works' ? 'active' : what;
      await consentChecks.recordState(owner, id, state);
    }
    await db.transaction().execute(async (trx) => {
      if (!isAboutRows(what) && asks) await this.#forgetState(trx, of);
      await notices.publish(trx, { kind: 'connection', id });
      await this.#look(trx, of, what === 'data_changed');
    });
  }

  /** Discards the vendor's last answer, so that the next check asks again. */
  async #forgetState(trx: Trx, { account_record: owner, id }: SignalledConnection): Promise<void> {
    const consent = (await currentConsents(trx, owner, [id])).get(id);
    if (consent !== undefined) await updateConsent(trx, owner, consent.id, { checked_at: new Date(0) });
  }

  /**
   * Queues a job that checks state and accounts and, for new data, runs the syncs that copy the connection: now, or
   * when a minute has passed since the last time.
   */
  async #look(trx: Trx, { account_record: owner, id }: SignalledConnection, newData: boolean): Promise<void> {
    const { clock, jobs } = this.#deps;
    const connection = await lockConnection(trx, owner, id);
    if (connection === null || connection.revoked_at !== null) return;
    const now = clock.now();
    const last = connection.signalled_at?.getTime() ?? 0;
    // A check is queued already.
    const waits = last > now;
    const startAfter = new Date(waits ? last : Math.max(now, last + LOOK_EVERY_MS));
    if (newData) await jobs.enqueue(trx, PROVIDER_DATA, { connection: id }, { startAfter, owner });
    if (waits) return;
    const again = startAfter.getTime() + LOOK_AGAIN_MS;
    await updateConnection(trx, owner, id, {
      signalled_at: startAfter,
      // The vendor considers the notification delivered and will not repeat it. A successful check postpones this.
      refresh_at: new Date(Math.min(connection.refresh_at.getTime(), again)),
    });
    await askForListing(this.#deps, trx, connection, startAfter);
  }
}

/** The notifications that have an id, each once. */
function hashesOf(provider: ProviderIdentifier, signals: readonly ProviderSignal[]): Buffer[] {
  const ids = new Set(signals.flatMap(({ notification }) => notification ?? []));
  return [...ids].map((id) => notificationHash(provider, id));
}

/** Each once, in the order of their last occurrence, because the latest report of a state counts. */
function distinct(signals: readonly ProviderSignal[]): Iterable<ProviderSignal> {
  const found = new Map<string, ProviderSignal>();
  for (const one of signals) {
    const news = JSON.stringify([one.about.kind, one.about.id, one.what]);
    found.delete(news);
    found.set(news, one);
  }
  return found.values();
}

/** It says where to look, not what the state is, so it counts once, whatever comes in between. */
const isAboutRows = (what: ProviderSignal['what']): what is 'data_changed' | 'accounts_changed' =>
  what === 'data_changed' || what === 'accounts_changed';

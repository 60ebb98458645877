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
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import type { ConsentChecks } from './consent-checks.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import { consentHash, customerHash, notificationHash } from './linking-secrets.ts';
import { askForListing } from './listing-requests.ts';
import { NotificationTurns } from './notification-turns.ts';

type Dependencies = Pick<LinkingDependencies, 'db' | 'clock' | 'limits' | 'gateway' | 'jobs' | 'hooks'> & {
  readonly consentChecks: ConsentChecks;
  readonly notices: Pick<Notices, 'publish'>;
};

/** A connection is looked at, and what copies it run, once a minute at most, however many notifications come. */
const LOOK_EVERY_MS = 60_000;
/** A look that failed is repeated so long after, where the connection would be looked at later than that. */
const LOOK_AGAIN_MS = 3_600_000;
/** Of one notification; a vendor that has more to say is asked by itself every day. */
const MOST_SIGNALS = 500;

/**
 * Acts on what vendors notify us of. A notification says where to look: the vendor is asked, so one that comes twice,
 * late or out of order changes nothing that is not so.
 */
export class ProviderSignals {
  readonly #deps: Dependencies;
  readonly #turns: NotificationTurns;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#turns = new NotificationTurns(deps.limits, deps.clock);
  }

  /**
   * Whether the notification is the provider's; what it is about and we do not know is passed over. Raises
   * `gateway_unavailable` and `not_supported` for a provider that sends none, `provider_wait` where too many of its
   * notifications are being handled, and what storage raises.
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

  /** Runs what copies the connection. Raises what storage raises. */
  async runCopies(id: RowId<'connection'>): Promise<void> {
    const owner = await findConnectionOwner(this.#deps.db, id);
    if (owner !== null) await this.#deps.hooks.onProviderData(owner, id);
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
    // Only now: one that was acted on in part is sent again by its vendor, and acted on again.
    const { db, clock } = this.#deps;
    await keepNotifications(db, hashesOf(provider, fresh), new Date(clock.now()));
  }

  /** Without those that came in a notification that was acted on before. */
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

  /** Discards what the vendor said last, so that the next look asks again. */
  async #forgetState(trx: Trx, { account_record: owner, id }: SignalledConnection): Promise<void> {
    const consent = (await currentConsents(trx, owner, [id])).get(id);
    if (consent !== undefined) await updateConsent(trx, owner, consent.id, { checked_at: new Date(0) });
  }

  /**
   * Has state and accounts looked at by a job, and for new data what copies the connection run, now or when a minute has
   * passed since the last time.
   */
  async #look(trx: Trx, { account_record: owner, id }: SignalledConnection, newData: boolean): Promise<void> {
    const { clock, jobs } = this.#deps;
    const connection = await lockConnection(trx, owner, id);
    if (connection === null || connection.revoked_at !== null) return;
    const now = clock.now();
    const last = connection.signalled_at?.getTime() ?? 0;
    // A look is waiting already.
    const waits = last > now;
    const startAfter = new Date(waits ? last : Math.max(now, last + LOOK_EVERY_MS));
    if (newData) await jobs.enqueue(trx, PROVIDER_DATA, { connection: id }, { startAfter, owner });
    if (waits) return;
    const again = startAfter.getTime() + LOOK_AGAIN_MS;
    await updateConnection(trx, owner, id, {
      signalled_at: startAfter,
      // The vendor took the notification for received and will not repeat it. A look that succeeds moves this on.
      refresh_at: new Date(Math.min(connection.refresh_at.getTime(), again)),
    });
    await askForListing(this.#deps, trx, connection, startAfter);
  }
}

/** Of the notifications that have an id, each once. */
function hashesOf(provider: ProviderIdentifier, signals: readonly ProviderSignal[]): Buffer[] {
  const ids = new Set(signals.flatMap(({ notification }) => notification ?? []));
  return [...ids].map((id) => notificationHash(provider, id));
}

/** Each once, in the order in which they came last: what is said last of a state counts. */
function distinct(signals: readonly ProviderSignal[]): Iterable<ProviderSignal> {
  const found = new Map<string, ProviderSignal>();
  for (const one of signals) {
    const news = JSON.stringify([one.about.kind, one.about.id, one.what]);
    found.delete(news);
    found.set(news, one);
  }
  return found.values();
}

/** Says where to look, not how things are: it counts once, whatever comes between. */
const isAboutRows = (what: ProviderSignal['what']): what is 'data_changed' | 'accounts_changed' =>
  what === 'data_changed' || what === 'accounts_changed';

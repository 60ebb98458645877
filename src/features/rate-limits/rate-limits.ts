import type { Clock } from '../../platform/clock.ts';
import { keyedMac } from '../../platform/keyed-mac.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Log } from '../../platform/log.ts';
import type { Quotas } from '../../platform/quotas.ts';
import { WindowCounter } from '../../platform/window-counter.ts';
import type { OpenDatabase } from '../../storage/database.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type RatePool, type RateTier, tierLimitOf } from '../../vocabulary/rate-tiers.ts';
import { AuthAttempts } from './auth-attempts.ts';
import { CountBlocks } from './count-blocks.ts';
import type { CountStore } from './count-store.ts';
import { CallerSlots, type HeavySlots, MemorySlots, type PoolSlots } from './heavy-slots.ts';
import { AddressLimit, HostedLimits } from './hosted-limits.ts';
import { LeasedSlots } from './leased-slots.ts';
import { CountedTurns, MemoryQuotaLog, type QuotaBounds, type QuotaLog } from './quota-log.ts';
import { type Counter, SharedCounter, StoreOutage, WINDOW_SECONDS } from './shared-counter.ts';
import { type Budget, INVITATION_ROUNDS, SIGN_IN_WINDOWS, SignInAttempts } from './sign-in-attempts.ts';
import { type PoolCounters, type TierCounters, TierLimits } from './tier-limits.ts';
import { VendorQuotas } from './vendor-quotas.ts';

/** Calls of all processes, in a store; those of this process while the store fails. */
export class SharedQuotaLog implements QuotaLog {
  readonly #store: QuotaLog;
  readonly #own: MemoryQuotaLog;
  readonly #outage: StoreOutage;

  constructor(deps: {
    readonly store: QuotaLog;
    readonly own: MemoryQuotaLog;
    readonly outage: StoreOutage;
  }) {
    this.#store = deps.store;
    this.#own = deps.own;
    this.#outage = deps.outage;
  }

  take(key: string, call: string, bounds: QuotaBounds): Promise<number> {
    return this.#outage.ask(
      async () => {
        const wait = await this.#store.take(key, call, bounds);
        // If the store fails next, this process knows at least its own calls.
        if (wait === 0) this.#own.note(key, call, bounds.windowMs);
        return wait;
      },
      () => this.#own.take(key, call, bounds),
    );
  }

  forget(key: string, call: string): Promise<void> {
    this.#own.forget(key, call);
    return this.#outage.ask(
      async () => this.#store.forget(key, call),
      () => undefined,
    );
  }
}

/** About 10 MB for each counter if a stranger fills it; the oldest buckets are dropped. */
const MAX_BUCKETS = 50_000;
/** A lease outlasts most heavy requests, which then need no renewal: a read, and so long until its answer is sent. */
const LEASE_EXTRA_MS = 60_000;

export interface RateLimitOptions {
  readonly redisUrl: string | null;
  readonly database: OpenDatabase;
  readonly keyring: Keyring;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** A minute; shorter in tests. */
  readonly windowSeconds?: number;
}

/**
 * Counts where all processes of the installation see it: in Redis if configured, else in a Postgres server, else in
 * this process, which is then the only one. Rejects when Redis cannot be reached at the start. Close it at the end.
 */
export async function openRateLimits(options: RateLimitOptions): Promise<RateLimits> {
  const { limits, clock, keyring, log, database, windowSeconds = WINDOW_SECONDS } = options;
  const secret = keyring.derive('rate-limits');
  const blind = (bucket: string): string => keyedMac(secret, bucket).toString('base64url').slice(0, 22);
  const store = await openStore({ ...options, namespace: blind('namespace') });
  const outage = new StoreOutage(clock, log, limits.count_store_deadline_ms);
  const counted = (name: string, limit: number, windows: number, inBlocks: boolean): Counter => {
    const seconds = windowSeconds * windows;
    const windowMs = seconds * 1000;
    const own = new WindowCounter(clock, windowMs, MAX_BUCKETS);
    if (store === null) return own;
    const blocks = new CountBlocks({ limit, windowMs, clock, maxBuckets: MAX_BUCKETS, blocks: inBlocks });
    return new SharedCounter({
      limiter: store.limiter(name, limit, seconds),
      limit,
      blocks,
      own,
      outage,
      clock,
    });
  };
  const counter = (name: string, limit: number): Counter => counted(name, limit, 1, true);
  // Guesses: each is counted in the store.
  const signIns = (name: string, most: number): Budget => ({
    counter: counted(`sign-in-${name}`, most, SIGN_IN_WINDOWS, false),
    most,
  });
  const tiers = (pool: RatePool, prefix: string, worth: number): TierCounters => {
    const tier = (name: RateTier): Counter =>
      counter(`${prefix}${name}`, worth * limits[tierLimitOf(name, pool)]);
    return {
      cheap: tier('cheap'),
      mid: tier('mid'),
      heavy: tier('heavy'),
      mutating: tier('mutating'),
      bridge: tier('bridge'),
      handshake: tier('handshake'),
    };
  };
  // In memory only this process reads it, and a MAC would cost a request more than counting it.
  const blindOf = store === null ? (bucket: string) => bucket : blind;
  const leaseMs = limits.read_deadline_ms + LEASE_EXTRA_MS;
  const renewals = new DisposableStack();
  const slots = (name: string): HeavySlots => {
    const own = new MemorySlots();
    if (store === null) return own;
    return renewals.use(new LeasedSlots({ store: store.slots(name), own, outage, leaseMs, clock }));
  };
  const userWorth = limits.rate_user_sessions;
  const pool = (of: RatePool, prefix: string, worth: number): PoolCounters => ({
    callers: tiers(of, prefix, 1),
    users: tiers(of, `${prefix}user-`, userWorth),
    accountRecords: tiers(of, `${prefix}account-`, worth),
    userWorth,
    worth,
  });
  const slotPool = (prefix: string, places: number, worth: number): PoolSlots => ({
    slots: slots(`${prefix}heavy-leases`),
    callerPlaces: places,
    userPlaces: places * userWorth,
    accountRecordPlaces: places * worth,
  });
  const { rate_account_keys: keysWorth, rate_account_sessions: sessionsWorth } = limits;
  const calls = new MemoryQuotaLog(clock);
  const quotaLog = store === null ? calls : new SharedQuotaLog({ store: store.quotas(), own: calls, outage });
  const { lastingQuotasIn } = await import('./postgres-store.ts');
  const lasting = lastingQuotasIn(database.db, clock);
  return {
    attempts: new AuthAttempts({
      limits,
      clock,
      all: {
        keys: counter('attempts', limits.auth_attempts_per_minute),
        sessions: counter('session-attempts', limits.session_requests_per_minute),
      },
      failed: counted('failures', limits.auth_failures_per_minute, 1, false),
      blind: blindOf,
    }),
    hosted: new HostedLimits({
      limits,
      clock,
      addresses: counter('hosted-addresses', limits.hosted_address_per_minute),
      links: counter('hosted-links', limits.hosted_link_per_minute),
      blind: blindOf,
    }),
    signIns: new SignInAttempts({
      clock,
      budgets: {
        pairs: signIns('pairs', limits.sign_in_attempts),
        addresses: signIns('addresses', limits.sign_in_address_attempts),
        accounts: signIns('accounts', limits.sign_in_account_attempts),
        secondFactors: signIns('second-factors', limits.second_factor_attempts),
        mailPairs: signIns('mail-pairs', limits.password_reset_mails),
        mails: signIns('mails', limits.password_reset_account_mails),
        invitationMails: signIns('invitation-mails', limits.password_reset_mails),
        invitations: signIns('invitations', limits.open_invitations * INVITATION_ROUNDS),
      },
      blind: blindOf,
    }),
    webhooks: new AddressLimit({
      what: 'notifications',
      most: limits.provider_webhooks_per_minute,
      clock,
      addresses: counter('webhook-addresses', limits.provider_webhooks_per_minute),
      blind: blindOf,
    }),
    oauth: new AddressLimit({
      what: 'requests for authorization',
      most: limits.oauth_address_per_minute,
      clock,
      addresses: counter('oauth-addresses', limits.oauth_address_per_minute),
      blind: blindOf,
    }),
    tiers: new TierLimits(limits, {
      keys: pool('keys', '', keysWorth),
      sessions: pool('sessions', 'session-', sessionsWorth),
    }),
    heavy: new CallerSlots({
      keys: slotPool('', limits.heavy_in_flight, keysWorth),
      sessions: slotPool('session-', limits.session_heavy_in_flight, sessionsWorth),
    }),
    quotas: new VendorQuotas(clock, {
      log: quotaLog,
      lasting: new SharedQuotaLog({
        store: lasting.log,
        own: calls,
        outage: new StoreOutage(clock, log, limits.count_store_deadline_ms),
      }),
      own: calls,
      // The lasting log is in the database, which may know no name.
      blind,
    }),
    turns: new CountedTurns(quotaLog, blindOf),
    sweep: async () => {
      await lasting.sweep();
      await store?.sweep();
    },
    close: async () => {
      renewals.dispose();
      await store?.close();
    },
  };
}

async function openStore(
  options: RateLimitOptions & { readonly namespace: string },
): Promise<CountStore | null> {
  const { redisUrl: url } = options;
  if (url === null) {
    const { openPostgresStore } = await import('./postgres-store.ts');
    return openPostgresStore(options);
  }
  // Most installations have no Redis, and its client is the largest library that a start would load.
  const { openRedisStore } = await import('./redis-store.ts');
  return openRedisStore({ ...options, url });
}

/** Everything that limits requests (docs/limits.md). */
export interface RateLimits {
  readonly attempts: AuthAttempts;
  readonly tiers: TierLimits;
  readonly heavy: CallerSlots;
  /** For the pages on which a person links. */
  readonly hosted: HostedLimits;
  /** For people who sign in. */
  readonly signIns: SignInAttempts;
  /** For notifications of providers. */
  readonly webhooks: AddressLimit;
  /** For requests to the authorization server. */
  readonly oauth: AddressLimit;
  /** The quotas that vendors of destinations allow us. */
  readonly quotas: Quotas & Pick<VendorQuotas, 'state'>;
  /** For the gateway: when a bank may be asked again for data that is not cached. */
  readonly turns: CountedTurns;
  /** Deletes counts of past windows, if the store does not do so automatically. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import type { Clock } from '../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { personPresent } from '../../platform/presence.ts';
import { retrying } from '../../platform/retry.ts';
import {
  resting,
  retryBudgetClock,
  retryBudgetLeftMs,
  withoutRetryBudget,
} from '../../platform/retry-budget.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { type Capability, PROVIDERS, type ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import {
  type CallOutcome,
  callVerdict,
  UPSTREAM_FAILURES,
  UpstreamFailure,
  type UpstreamSituation,
} from '../../vocabulary/upstream-failures.ts';

/** On whose behalf a provider is called; null for the service itself. */
export type CallOwner = OwnerId | null;

/** Who is called, and on whose behalf. */
export interface GuardedCall {
  readonly provider: ProviderIdentifier;
  /** Null for a call that is not about one. */
  readonly institution: string | null;
  readonly owner: CallOwner;
  /** The account that a failure of only this caller counts against; null for a call that is not about one. */
  readonly about: RowId<'account'> | RowId<'connection'> | null;
  /** Set for a read of one account, which its provider may ration. */
  readonly rationed?: RationedRead | undefined;
  /** Whether the call begins a read, rather than continue one: banks count reads, however many pages they have. */
  readonly begins?: boolean;
}

/** A kind of read of one account: banks ration a balance apart from transactions. */
export interface RationedRead {
  readonly owner: OwnerId;
  readonly account: RowId<'account'>;
  readonly what: Capability;
}

/** A pause that a provider asked for. Epoch milliseconds. */
interface Pause {
  readonly since: number;
  readonly until: number;
}

/** Pauses that providers asked for, shared by all processes and kept across restarts. */
export interface Pauses {
  of(read: RationedRead): Promise<Pause | null>;
  note(read: RationedRead, pause: Pause): Promise<void>;
}

/** Reads while no person waits, counted for all processes and across restarts. */
export interface UnattendedReads {
  /** Counts a read; null if it may be made, else the milliseconds until one may. `at`: epoch ms, now. */
  take(read: RationedRead, at: number): Promise<number | null>;
  /** Takes back one that did not reach the bank. */
  giveBack(read: RationedRead, at: number): Promise<void>;
}

export interface BreakerSettings {
  /** Consecutive failures that open a breaker. */
  readonly failures: number;
  /** How long no calls are made then, before one read may try. */
  readonly restMs: number;
}

interface CallGuardsOptions {
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamCall' | 'providerCall'>;
  readonly breaker?: BreakerSettings;
  /** Absent: a pause that a provider asks for is not kept. */
  readonly pauses?: Pauses;
  /** Absent: reads are not counted. */
  readonly unattended?: UnattendedReads;
}

/** How often a job that waits for a breaker checks whether it may pass. */
const LOOK_MS = 5_000;

/** What every call to a provider passes through and is counted by: the pause of its account, the breakers, the pool. */
export class CallGuards {
  readonly #options: CallGuardsOptions;
  readonly #cooldowns: Cooldowns;
  readonly #rations: Rations;
  readonly #breakers: Breakers;
  readonly #limit: ConcurrencyLimit;

  constructor(options: CallGuardsOptions) {
    this.#options = options;
    this.#cooldowns = new Cooldowns(options);
    this.#rations = new Rations(options);
    this.#breakers = new Breakers(options.breaker);
    this.#limit = new ConcurrencyLimit(options.limits, options.clock);
  }

  /**
   * Runs `work`, which calls the provider once. `signal` ends the wait for a slot. Raises what a guard or `work`
   * raises.
   */
  async run<T>(call: GuardedCall, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { provider, rationed } = call;
    const started = this.#options.clock.now();
    try {
      if (rationed !== undefined) await this.#cooldowns.require(rationed);
      const result = await this.#rations.run(call, () =>
        this.#oncePassable(signal, () => this.#breakers.run(call, () => this.#limit.run(call, signal, work))),
      );
      this.#count(provider, 'ok', started);
      return result;
    } catch (error) {
      if (rationed !== undefined) await this.#cooldowns.learn(rationed, error);
      const other = signal.aborted ? 'aborted' : 'fault';
      this.#count(provider, error instanceof UpstreamFailure ? error.situation : other, started);
      throw error;
    }
  }

  #count(provider: ProviderIdentifier, outcome: CallOutcome, started: number): void {
    const { clock, metrics } = this.#options;
    metrics.upstreamCall(provider, outcome, clock.now() - started);
    const verdict = callVerdict(outcome);
    if (verdict !== 'not_made') metrics.providerCall(provider, verdict);
  }

  /** False while the provider as a whole is known to be unreachable, as far as this process knows. */
  connects(provider: ProviderIdentifier): boolean {
    return this.#breakers.connects(provider);
  }

  /**
   * A background job waits until a breaker lets it pass, as long as its retry budget lasts. No calls are made in the
   * meantime.
   */
  async #oncePassable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const patient = retryBudgetClock(this.#options.clock);
    if (patient === null) return work();
    const budgetMs = retryBudgetLeftMs();
    try {
      return await retrying(work, {
        delaysMs: new Array<number>(Math.ceil((2 * budgetMs) / LOOK_MS)).fill(LOOK_MS),
        shouldRetry: (error) => error instanceof UpstreamFailure && error.situation === 'breaker_open',
        clock: patient.clock,
        budgetMs,
        signal,
      });
    } finally {
      patient.end();
    }
  }
}

const KNOWN_MS = 15 * 60_000;
const BREAKER_SETTINGS: BreakerSettings = { failures: 5, restMs: 30_000 };
/** How many breakers of accounts are kept; beyond that, the least recently used are dropped unless they are open. */
const ACCOUNTS = 5_000;

/**
 * Stops asking an integration that keeps failing, so that its callers get an error at once and it can recover. One
 * breaker for each institution, so that a bank's outage does not cut off the others; one for each provider, which only
 * failures to connect can open, since those say nothing about a single bank; and one for each account, for failures
 * that say nothing about the bank, so that one owner's problem never affects another (`breaker` in
 * vocabulary/upstream-failures.ts).
 */
export class Breakers {
  readonly #settings: BreakerSettings;
  readonly #shared = new Map<string, CircuitBreakerPolicy>();
  readonly #accounts = new Map<string, CircuitBreakerPolicy>();
  /** When each shared breaker last opened, by performance.now(). */
  readonly #openedAt = new Map<string, number>();
  /** By institution: the only owner whose reads have timed out since the last answer; null if there are several. */
  readonly #timedOut = new Map<string, CallOwner>();
  /** Failures that count against the institution. */
  readonly #counted = new WeakSet<UpstreamFailure>();

  constructor(settings: BreakerSettings = BREAKER_SETTINGS) {
    this.#settings = settings;
  }

  /**
   * Runs `work` unless a breaker is open. Raises UpstreamFailure `breaker_open`, or what `work` raised. Others wait for
   * a call that probes whether a provider is back, so it has no retry budget.
   */
  async run<T>(call: GuardedCall, work: () => Promise<T>): Promise<T> {
    const { provider, institution, about } = call;
    const ofProvider = this.#sharedBreaker(provider, ({ situation }) => situation === 'connect');
    const ofBank =
      institution === null
        ? null
        : this.#sharedBreaker(`${provider} ${institution}`, (failure) => this.#counted.has(failure));
    const ofAccount = about === null ? null : this.#accountBreaker(about);
    const tries = [ofProvider, ofBank, ofAccount].some(
      (breaker) => breaker !== null && breaker.state !== CircuitState.Closed,
    );
    try {
      return await ofProvider.execute(() =>
        through(ofBank, () =>
          through(ofAccount, () => this.#noted(call, tries ? () => withoutRetryBudget(work) : work)),
        ),
      );
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new UpstreamFailure('breaker_open', 'It failed several times in a row; calls to it are paused.', {
        retryAfterSeconds: Math.ceil(this.#settings.restMs / 1000),
      });
    }
  }

  /**
   * False if the last calls to the provider as a whole could not connect. Forgotten after a quarter of an hour: there may
   * be no later call that would show that it is back.
   */
  connects(provider: ProviderIdentifier): boolean {
    const breaker = this.#shared.get(provider);
    if (breaker === undefined || breaker.state === CircuitState.Closed) return true;
    return performance.now() - (this.#openedAt.get(provider) ?? 0) > KNOWN_MS;
  }

  /** Determines whether a failure says something about the bank. */
  async #noted<T>({ provider, institution, owner }: GuardedCall, work: () => Promise<T>): Promise<T> {
    const bank = `${provider} ${institution}`;
    try {
      const result = await work();
      this.#timedOut.delete(bank);
      return result;
    } catch (error) {
      if (error instanceof UpstreamFailure) {
        const { breaker } = UPSTREAM_FAILURES[error.situation];
        if (breaker === 'bank' || (breaker === 'owners' && this.#severalTimedOut(bank, owner)))
          this.#counted.add(error);
      }
      throw error;
    }
  }

  #severalTimedOut(bank: string, owner: CallOwner): boolean {
    const only = this.#timedOut.get(bank);
    if (only === undefined) this.#timedOut.set(bank, owner);
    else if (only !== owner) this.#timedOut.set(bank, null);
    return this.#timedOut.get(bank) === null;
  }

  #sharedBreaker(key: string, counts: (failure: UpstreamFailure) => boolean): CircuitBreakerPolicy {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const breaker = this.#breaker(counts);
    breaker.onBreak(() => this.#openedAt.set(key, performance.now()));
    this.#shared.set(key, breaker);
    return breaker;
  }

  #accountBreaker(about: string): CircuitBreakerPolicy {
    const breaker =
      this.#accounts.get(about) ??
      this.#breaker(({ situation }) => UPSTREAM_FAILURES[situation].breaker !== false);
    this.#accounts.delete(about);
    this.#accounts.set(about, breaker);
    if (this.#accounts.size > ACCOUNTS) {
      const idle = [...this.#accounts].find(([, { state }]) => state === CircuitState.Closed);
      this.#accounts.delete(idle?.[0] ?? this.#accounts.keys().next().value ?? '');
    }
    return breaker;
  }

  #breaker(counts: (failure: UpstreamFailure) => boolean): CircuitBreakerPolicy {
    return circuitBreaker(
      handleWhen((error) => error instanceof UpstreamFailure && counts(error)),
      { halfOpenAfter: this.#settings.restMs, breaker: new ConsecutiveBreaker(this.#settings.failures) },
    );
  }
}

function through<T>(breaker: CircuitBreakerPolicy | null, work: () => Promise<T>): Promise<T> {
  return breaker === null ? work() : breaker.execute(work);
}

/** A single account record gets up to three quarters of the calls. */
const SHARE = 3;
/** One institution gets up to three quarters of its provider's calls: while it hangs, the others continue. */
const OF_INSTITUTION = 3 / 4;
const RETRY_AFTER_S = 5;
const SERVICE = 'service';

/**
 * Keeps a burst of reads from overloading a provider, or this process, and one account record or slow institution from
 * using up what the others need: calls are shared among account records, first those of the institution, then those of
 * the provider.
 */
export class ConcurrencyLimit {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #pools = new Map<string, FairSlots>();

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Runs `work` when there is room for this owner. Raises UpstreamFailure `pool_full` if too many of the owner's calls
   * are waiting, or one has waited for half the deadline of a read: the rest would not be enough. Raises
   * `signal.reason` if the caller leaves first, or what `work` raised. While work with a retry budget waits for its
   * next attempt, its slot is released.
   */
  async run<T>(call: GuardedCall, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let give = await this.#take(call, signal);
    const rest = async (wait: () => Promise<void>): Promise<void> => {
      give();
      await wait();
      give = await this.#take(call, signal);
    };
    try {
      return await resting(rest, work);
    } finally {
      give();
    }
  }

  async #take({ provider, institution, owner }: GuardedCall, signal: AbortSignal): Promise<() => void> {
    const served = new AbortController();
    const late = new AbortController();
    this.#clock.sleep(this.#limits.read_deadline_ms / 2, served.signal).then(
      () => late.abort(new SlotsFull()),
      () => undefined,
    );
    const { provider_calls: calls } = this.#limits;
    const pools = [
      ...(institution === null
        ? []
        : [this.#pool(JSON.stringify([provider, institution]), Math.ceil(calls * OF_INSTITUTION))]),
      this.#pool(provider, calls),
    ];
    try {
      return await takeAll(pools, owner ?? SERVICE, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (!(error instanceof SlotsFull)) throw error;
      throw new UpstreamFailure('pool_full', 'Too many calls to the provider are in progress or waiting.', {
        retryAfterSeconds: RETRY_AFTER_S,
      });
    } finally {
      served.abort();
    }
  }

  #pool(name: string, slots: number): FairSlots {
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    const pool = new FairSlots({ slots, waiting: this.#limits.provider_calls_waiting, share: SHARE });
    this.#pools.set(name, pool);
    return pool;
  }
}

/** One slot of each, one after the other; none if one is refused. */
async function takeAll(pools: readonly FairSlots[], owner: string, signal: AbortSignal): Promise<() => void> {
  const taken: (() => void)[] = [];
  const give = () => {
    for (const slot of taken.toReversed()) slot();
  };
  try {
    for (const pool of pools) taken.push(await pool.take(owner, signal));
    return give;
  } catch (error) {
    give();
    throw error;
  }
}

/** Failures of calls that did not reach the bank. */
const UNASKED: ReadonlySet<UpstreamSituation> = new Set(['breaker_open', 'pool_full', 'connect']);

/**
 * Keeps below the number of reads that banks answer in a day while no person waits (`limitsUnattended` of the
 * provider), for which they would refuse further ones. One that a person waits for at their browser does not count.
 */
export class Rations {
  readonly #options: Pick<CallGuardsOptions, 'clock' | 'unattended'>;

  constructor(options: Pick<CallGuardsOptions, 'clock' | 'unattended'>) {
    this.#options = options;
  }

  /** Raises UpstreamFailure `account_cooldown` once the day's reads are used up, or what `work` raises. */
  async run<T>({ provider, rationed, begins }: GuardedCall, work: () => Promise<T>): Promise<T> {
    const { clock, unattended } = this.#options;
    const counts = begins === true && PROVIDERS[provider].limitsUnattended && personPresent() === null;
    if (unattended === undefined || rationed === undefined || !counts) return work();
    const at = clock.now();
    const wait = await unattended.take(rationed, at);
    if (wait !== null)
      throw new UpstreamFailure(
        'account_cooldown',
        'The bank answers only a few reads a day of this account while you are away.',
        { retryAfterSeconds: Math.ceil(wait / 1000) },
      );
    try {
      return await work();
    } catch (error) {
      if (error instanceof UpstreamFailure && UNASKED.has(error.situation))
        await unattended.giveBack(rationed, at);
      throw error;
    }
  }
}

/**
 * Makes no calls about an account for as long as its provider asked. A read sent earlier would be refused again, and
 * some providers count refused ones too.
 */
export class Cooldowns {
  readonly #options: Pick<CallGuardsOptions, 'clock' | 'log' | 'pauses'>;

  constructor(options: Pick<CallGuardsOptions, 'clock' | 'log' | 'pauses'>) {
    this.#options = options;
  }

  /** Raises UpstreamFailure `account_cooldown` while the provider wants no such read. */
  async require(read: RationedRead): Promise<void> {
    const pause = (await this.#options.pauses?.of(read)) ?? null;
    if (pause === null) return;
    const left = pause.until - this.#options.clock.now();
    // A clock that was set back must not make a pause longer than the provider asked for.
    if (left <= 0 || left > pause.until - pause.since) return;
    throw new UpstreamFailure(
      'account_cooldown',
      'The provider asked us to wait before reading this account again.',
      { retryAfterSeconds: Math.ceil(left / 1000) },
    );
  }

  /**
   * Stores the pause that a failed read asks for, if it does. The failure is reported as it is even if that cannot be
   * stored.
   */
  async learn(read: RationedRead, error: unknown): Promise<void> {
    if (!(error instanceof UpstreamFailure) || error.situation !== 'rate_limited') return;
    if (error.retryAfterSeconds === null) return;
    const { clock, log, pauses } = this.#options;
    const since = clock.now();
    try {
      await pauses?.note(read, { since, until: since + error.retryAfterSeconds * 1000 });
    } catch (failure) {
      log.warn('Failed to store a pause.', { account: read.account }, failure);
    }
  }
}

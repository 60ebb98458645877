import { CallQuota } from '../shared/call-quota.ts';
import { VendorError } from '../shared/vendor-error.ts';

const SECOND_MS = 1_000;
const PENALTY_MS = 30_000;
const BASE_CALLS = 5;
const PERSON_CALLS = 50;
/** For a base whose workspace has used up its month, on plans that slow down instead of refusing. */
const SLOW_CALLS = 2;

/** What the plan of the workspace allows; null for any number. */
export interface Plan {
  readonly callsPerMonth: number | null;
  /** What happens to calls once the month is used up. */
  readonly whenSpent: 'refuse' | 'slow';
  readonly recordsPerBase: number | null;
}

/** Limits: calls of a base in a second, of a person in a second, and of the workspace in a month. */
export class PlanLimits {
  readonly #now: () => number;
  readonly #ofBase: CallQuota;
  readonly #slow: CallQuota;
  readonly #ofPerson: CallQuota;
  readonly #penalties = new Map<string, number>();
  #month = '';
  #calls = 0;
  plan: Plan = { callsPerMonth: null, whenSpent: 'refuse', recordsPerBase: null };
  /** Calls refused for coming too fast since the simulator started. */
  refused = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#ofBase = new CallQuota(now, BASE_CALLS, SECOND_MS);
    this.#slow = new CallQuota(now, SLOW_CALLS, SECOND_MS);
    this.#ofPerson = new CallQuota(now, PERSON_CALLS, SECOND_MS);
  }

  /** Calls of this month. */
  get calls(): number {
    this.#turn();
    return this.#calls;
  }

  /**
   * Counts a call, or refuses it. Calls about bases, tables and columns are still allowed when the month is used up.
   */
  take(person: string, base: string | null, about: 'records' | 'schema'): void {
    this.#turn();
    if (this.#ofPerson.take(person) !== null) throw this.#tooFast(person);
    if (this.#isPenalised(person)) throw this.#tooFast(null);
    if (base !== null) {
      if (this.#isPenalised(base)) throw this.#tooFast(null);
      if (this.#ofBase.take(base) !== null) throw this.#tooFast(base);
    }
    this.#calls += 1;
    const { callsPerMonth, whenSpent } = this.plan;
    if (callsPerMonth === null || this.#calls <= callsPerMonth) return;
    if (whenSpent === 'refuse' && about === 'records')
      throw new VendorError(
        429,
        'PUBLIC_API_BILLING_LIMIT_EXCEEDED',
        'The API calls of this workspace for the month are used up.',
      );
    if (whenSpent === 'slow' && base !== null && this.#slow.take(base) !== null) throw this.#tooFast(base);
  }

  clear(): void {
    for (const quota of [this.#ofBase, this.#slow, this.#ofPerson]) quota.clear();
    this.#penalties.clear();
    this.refused = 0;
  }

  #turn(): void {
    const month = new Date(this.#now()).toISOString().slice(0, 7);
    if (month === this.#month) return;
    this.#month = month;
    this.#calls = 0;
  }

  #isPenalised(key: string): boolean {
    return (this.#penalties.get(key) ?? 0) > this.#now();
  }

  /** @param key the key that is refused for half a minute from now on */
  #tooFast(key: string | null): VendorError {
    this.refused += 1;
    if (key !== null) this.#penalties.set(key, this.#now() + PENALTY_MS);
    return new VendorError(429, 'RATE_LIMIT_REACHED', 'Rate limit exceeded. Wait 30 seconds.');
  }
}

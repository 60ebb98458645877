import { Misbehaviours } from './misbehaviours.ts';
import { type Random, seededRandom } from './random.ts';

/** What can go wrong on purpose. The page kinds act on lists of rows only, and each simulator applies them itself. */
export const FAULT_KINDS = [
  'latency',
  'hang',
  'slow-header',
  'slow-body',
  'connection-reset',
  'rate-limit',
  'refusal',
  'server-error',
  'unavailable',
  'expired-token',
  'malformed-json',
  'truncated-body',
  'wrong-content-type',
  'html-page',
  'oversized-body',
  'drop-answer',
  'duplicate-row',
  'empty-page',
  'endless-pages',
  'stale-cursor',
  'foreign-row',
  'row-without-id',
  'override',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

const PAGE_FAULTS = [
  'duplicate-row',
  'empty-page',
  'endless-pages',
  'stale-cursor',
  'foreign-row',
  'row-without-id',
] as const satisfies readonly FaultKind[];

export type RowFault = (typeof PAGE_FAULTS)[number];

export function isRowFault(kind: FaultKind): kind is RowFault {
  return PAGE_FAULTS.some((fault) => fault === kind);
}

export type FaultSpec = {
  /**
   * `GET /v1/banking/*`, `/v1/token` (any method) or `*`; `*` matches any characters. With a question mark the query is
   * matched as well: `GET /v1/banking/balances?*account_id=acc-1*`.
   */
  readonly route: string;
  readonly kind: FaultKind;
  /** How many requests are affected; default 1, or unlimited if a probability is given and for `override`. */
  readonly count?: number;
  /** Share of matching requests that are affected, drawn from the sandbox's seed; default all. */
  readonly probability?: number;
  /** How many matching requests are not affected first; default 0. */
  readonly after?: number;
  /** For `latency`; default 1000. */
  readonly latencyMs?: number;
  /** For `refusal`: the status, 400 to 599; default 400. */
  readonly status?: number;
  /** For `rate-limit` and `unavailable`: the `Retry-After` header; absent = no header. */
  readonly retryAfterSeconds?: number;
  /** For `override`: the vendor's id of the row or account. */
  readonly row?: string;
  /** For `override`: the member, with dots for nested ones: `amount`, `attributes.amount.value`. */
  readonly member?: string;
  /** For `override`: any JSON value that the member then has. */
  readonly value?: unknown;
};

export type ArmedFault = FaultSpec & { readonly id: number; remaining: number; skip: number };

/** The armed faults. */
export class Faults {
  /** What is wrong with the data, apart from requests. */
  readonly misbehaviours: Misbehaviours;
  readonly #random: Random;
  #armed: ArmedFault[] = [];
  #nextId = 1;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.misbehaviours = new Misbehaviours(seed);
  }

  add(spec: FaultSpec): number {
    const lasts = spec.probability !== undefined || spec.kind === 'override';
    const unlimited = lasts && spec.count === undefined;
    const remaining = unlimited ? Number.POSITIVE_INFINITY : (spec.count ?? 1);
    const id = this.#nextId++;
    this.#armed.push({ ...spec, id, remaining, skip: spec.after ?? 0 });
    return id;
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  remove(id: number): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((fault) => fault.id !== id);
    return this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
  }

  /** The faults that affect a request; each use counts. */
  take(method: string, path: string, query = ''): readonly FaultSpec[] {
    if (this.#armed.length === 0) return [];
    const hits = this.#armed.filter((fault) => {
      if (!matches(fault.route, method, path, query)) return false;
      if (fault.skip > 0) {
        fault.skip -= 1;
        return false;
      }
      if (fault.probability !== undefined && !this.#random.chance(fault.probability)) return false;
      fault.remaining -= 1;
      return true;
    });
    this.#armed = this.#armed.filter((fault) => fault.remaining > 0);
    return hits;
  }
}

function matches(route: string, method: string, path: string, query: string): boolean {
  const [first = '', second] = route.split(' ');
  if (second !== undefined && first !== method) return false;
  const wanted = second ?? first;
  const pattern = wanted.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(wanted.includes('?') ? path + query : path);
}

import type { FaultSpec } from '../../../sandbox/shared/faults.ts';
import type { UpstreamSituation } from '../../../src/vocabulary/upstream-failures.ts';

/** `answers`: the read succeeds, with every row once. */
export type Ending = UpstreamSituation | 'answers';

/** What happens to a link instead of to an answer. */
export type Happening = 'withdrawn' | 'closed' | 'disabled' | 'history-late';

/** One line of docs/provider-failures.md#what-each-fault-ends-as. */
export interface FaultRow {
  readonly ends: Ending;
  /** What is done to the answers of the simulator, or what happens to the link. */
  readonly by: Omit<FaultSpec, 'route' | 'count'> | Happening;
  /** Whether only lists of rows can be hit. */
  readonly pagesOnly?: boolean;
  /** The deadline of a read is let pass. */
  readonly slow?: boolean;
  /** What the caller is told to wait for, in seconds. */
  readonly retryAfterSeconds?: number;
}

export const NAMED_WAIT_S = 7;

export const FAULT_ROWS = {
  outage: { ends: 'server_error', by: { kind: 'unavailable' } },
  'slow-header': { ends: 'deadline', by: { kind: 'slow-header' }, slow: true },
  'slow-body': { ends: 'deadline', by: { kind: 'slow-body' }, slow: true },
  'rate-limit-until': {
    ends: 'rate_limited',
    by: { kind: 'rate-limit', retryAfterSeconds: NAMED_WAIT_S },
    retryAfterSeconds: NAMED_WAIT_S,
  },
  'rate-limit': { ends: 'rate_limited', by: { kind: 'rate-limit' } },
  unauthorised: { ends: 'own_credentials', by: { kind: 'refusal', status: 401 } },
  'withdrawn-consent': { ends: 'grant_rejected', by: 'withdrawn' },
  'closed-account': { ends: 'account_gone', by: 'closed' },
  'malformed-json': { ends: 'malformed', by: { kind: 'malformed-json' } },
  'html-page': { ends: 'malformed', by: { kind: 'html-page' } },
  'wrong-content-type': { ends: 'answers', by: { kind: 'wrong-content-type' } },
  'truncated-body': { ends: 'connect', by: { kind: 'truncated-body' } },
  'oversized-body': { ends: 'malformed', by: { kind: 'oversized-body' } },
  reset: { ends: 'connect', by: { kind: 'connection-reset' } },
  'stale-cursor': { ends: 'stale_cursor', by: { kind: 'stale-cursor' }, pagesOnly: true },
  'duplicate-rows': { ends: 'answers', by: { kind: 'duplicate-row' }, pagesOnly: true },
  'endless-pages': { ends: 'malformed', by: { kind: 'endless-pages' }, pagesOnly: true },
  'empty-pages': { ends: 'malformed', by: { kind: 'empty-page' }, pagesOnly: true },
  'disabled-connection': { ends: 'grant_rejected', by: 'disabled' },
  'late-history': { ends: 'answers', by: 'history-late', pagesOnly: true },
} as const satisfies Record<string, FaultRow>;

export type FaultName = keyof typeof FAULT_ROWS;

/** Where a provider differs from the table: how the fault ends there, or that it cannot happen, and why. */
export type FaultDifferences = Readonly<
  Partial<Record<FaultName, { readonly ends: Ending | 'cannot'; readonly why: string }>>
>;

export function isFaultName(text: string): text is FaultName {
  return Object.hasOwn(FAULT_ROWS, text);
}

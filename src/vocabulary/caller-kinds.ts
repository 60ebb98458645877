import type { RatePool } from './rate-tiers.ts';
import type { RunTrigger } from './syncs.ts';

/** The ways in which a request is authenticated. */
export const CALLER_KIND_NAMES = ['api_key', 'oauth_token', 'session', 'bridge_app'] as const;
export type CallerKind = (typeof CALLER_KIND_NAMES)[number];

interface CallerKindEntry {
  /** What the request carries. */
  readonly credential: string;
  /** The `id` of such a caller, under which its requests are counted and which the audit trail names. */
  readonly id: string;
  /** In messages: "for this key". */
  readonly label: string;
  /** Whose limits it counts towards, its own and those of its account record (docs/scopes.md#rate-tiers). */
  readonly rates: RatePool;
  /** The `trigger` of the runs that it starts. */
  readonly trigger: Extract<RunTrigger, 'api' | 'dashboard'>;
  /** Whether the plan must include API access (the gate `api_access`). */
  readonly apiAccess: boolean;
  /** Whether it uses the idempotency keys of its account record, or its own. */
  readonly idempotencyKeys: 'account_record' | 'caller';
  /** Whether it may create and rotate API keys: a key must not outlive the revocation of the app that made it. */
  readonly makesKeys: boolean;
}

/** The properties of each kind of caller. A test compares this table with `docs/callers.md`. */
export const CALLER_KINDS: Readonly<Record<CallerKind, CallerKindEntry>> = {
  api_key: {
    credential: 'An API key, as a bearer token',
    id: 'The id of the key',
    label: 'key',
    rates: 'keys',
    trigger: 'api',
    apiAccess: true,
    idempotencyKeys: 'account_record',
    makesKeys: true,
  },
  oauth_token: {
    credential: 'An OAuth access token, as a bearer token',
    id: 'The id of the grant, the same for every token refreshed from it',
    label: 'connected app',
    rates: 'keys',
    trigger: 'api',
    apiAccess: true,
    idempotencyKeys: 'caller',
    makesKeys: false,
  },
  session: {
    credential: 'The session cookie of the web application',
    id: 'The id of the session',
    label: 'session',
    rates: 'sessions',
    trigger: 'dashboard',
    apiAccess: false,
    idempotencyKeys: 'account_record',
    makesKeys: true,
  },
  bridge_app: {
    credential: 'The user name and password of a SimpleFIN app',
    id: 'The id of the app',
    label: 'bridge app',
    rates: 'keys',
    trigger: 'api',
    apiAccess: true,
    idempotencyKeys: 'caller',
    makesKeys: false,
  },
};

import type { RunTrigger } from './syncs.ts';

/** The ways in which a request shows whose it is. */
export const CALLER_KIND_NAMES = ['api_key', 'oauth_token', 'session', 'bridge_app'] as const;
export type CallerKind = (typeof CALLER_KIND_NAMES)[number];

interface CallerKindEntry {
  /** What the request carries. */
  readonly credential: string;
  /** What the `id` of such a caller is: its requests are counted under it, and the audit trail names it. */
  readonly id: string;
  /** In messages: "for this key". */
  readonly label: string;
  /** What the runs it asks for say in `trigger`. */
  readonly trigger: Extract<RunTrigger, 'api' | 'dashboard'>;
  /** Whether the plan must include API access (the gate `api_access`). */
  readonly apiAccess: boolean;
  /** Whose idempotency keys it uses: those of its account record, or its own. */
  readonly idempotencyKeys: 'account_record' | 'caller';
  /** Whether it may create and rotate API keys: a key must not outlive the revocation of the app that made it. */
  readonly makesKeys: boolean;
}

/** What follows from the kind of a caller. `docs/callers.md` shows the same table and a test keeps the two equal. */
export const CALLER_KINDS: Readonly<Record<CallerKind, CallerKindEntry>> = {
  api_key: {
    credential: 'An API key, as a bearer token',
    id: 'The id of the key',
    label: 'key',
    trigger: 'api',
    apiAccess: true,
    idempotencyKeys: 'account_record',
    makesKeys: true,
  },
  oauth_token: {
    credential: 'An OAuth access token, as a bearer token',
    id: 'The id of the grant, the same for every token refreshed from it',
    label: 'connected app',
    trigger: 'api',
    apiAccess: true,
    idempotencyKeys: 'caller',
    makesKeys: false,
  },
  session: {
    credential: 'The session cookie of the web application',
    id: 'The id of the session',
    label: 'session',
    trigger: 'dashboard',
    apiAccess: false,
    idempotencyKeys: 'account_record',
    makesKeys: true,
  },
  bridge_app: {
    credential: 'The user name and password of a SimpleFIN app',
    id: 'The id of the app',
    label: 'bridge app',
    trigger: 'api',
    apiAccess: true,
    idempotencyKeys: 'caller',
    makesKeys: false,
  },
};

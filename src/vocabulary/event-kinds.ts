import type { Noun } from './ids.ts';

interface EventRow {
  /** What the event is about. */
  readonly of: Noun;
  /** When it fires: with the transaction that makes this true, and once. */
  readonly when: string;
}

/**
 * Kinds of events (SPEC, Events 2; service facts 16). `docs/events.md` shows the same table and a test keeps the two
 * equal.
 */
export const EVENT_KINDS = {
  'connection.created': { of: 'connection', when: 'a link session completed with a new connection' },
  'connection.renewed': { of: 'connection', when: 'a reauthorisation completed on the connection' },
  'connection.refreshed': { of: 'connection', when: "the connection's accounts were listed anew" },
  'connection.expiring': { of: 'connection', when: 'its consent has 30 days to go' },
  'connection.expired': { of: 'connection', when: 'its consent came to its end' },
  'connection.invalidated': { of: 'connection', when: 'the bank rejected the grant' },
  'connection.revoked': { of: 'connection', when: 'the connection was deleted' },
  'consent.withdrawn': { of: 'consent', when: 'the consent ended before its time, here or at the bank' },
  'sync_run.queued': { of: 'sync_run', when: 'the run was queued' },
  'sync_run.started': { of: 'sync_run', when: 'a worker took the run for the first time' },
  'sync_run.succeeded': { of: 'sync_run', when: 'the run ended well' },
  'sync_run.failed': { of: 'sync_run', when: 'the run failed or was superseded' },
  'sync_run.cancelled': {
    of: 'sync_run',
    when: 'the run was cancelled, or its sync deleted before it had ended',
  },
  'destination.reauth_required': { of: 'destination', when: 'the grant failed during a sync' },
  'destination.disabled': { of: 'destination', when: 'the webhook was switched off after its failures' },
  'sync.attention': { of: 'sync', when: '`attention.code` was set, or changed to another' },
  'api_key.expiring': { of: 'api_key', when: 'the key was rotated and goes on for its grace' },
} as const satisfies Record<string, EventRow>;

export type EventKind = keyof typeof EVENT_KINDS;
/** The noun whose id an event of the kind carries. */
export type SubjectOf<K extends EventKind> = (typeof EVENT_KINDS)[K]['of'];

export const EVENT_KIND_NAMES: readonly EventKind[] = Object.keys(EVENT_KINDS).filter(isEventKind);

export function isEventKind(text: string): text is EventKind {
  return Object.hasOwn(EVENT_KINDS, text);
}

import type { ResourceType } from './ids.ts';

interface EventRow {
  /** What the event is about. */
  readonly of: ResourceType;
  /** When it fires: with the transaction that makes this true, and once. */
  readonly when: string;
}

/** Kinds of events. A test compares them with `docs/events.md`. */
export const EVENT_KINDS = {
  'connection.created': { of: 'connection', when: 'a link session completed with a new connection' },
  'connection.renewed': { of: 'connection', when: 'the connection was reauthorised' },
  'connection.refreshed': { of: 'connection', when: "the connection's accounts were listed again" },
  'connection.expiring': { of: 'connection', when: 'its consent expires in 30 days' },
  'connection.expired': { of: 'connection', when: 'its consent expired' },
  'connection.invalidated': {
    of: 'connection',
    when: 'the bank rejected the grant, or the provider lost its login there',
  },
  'connection.revoked': { of: 'connection', when: 'the connection was deleted' },
  'consent.withdrawn': { of: 'consent', when: 'the consent ended before its time, here or at the bank' },
  'sync_run.queued': { of: 'sync_run', when: 'the run was queued' },
  'sync_run.started': { of: 'sync_run', when: 'a worker took the run for the first time' },
  'sync_run.succeeded': { of: 'sync_run', when: 'the run succeeded' },
  'sync_run.failed': { of: 'sync_run', when: 'the run failed or was superseded' },
  'sync_run.cancelled': {
    of: 'sync_run',
    when: 'the run was cancelled, or its sync deleted before it had ended',
  },
  'destination.reauth_required': { of: 'destination', when: 'the grant failed during a sync' },
  'destination.disabled': { of: 'destination', when: 'the webhook was disabled after repeated failures' },
  'sync.attention': { of: 'sync', when: '`attention.code` was set or changed' },
  'event_destination.ping': {
    of: 'event_destination',
    when: 'its owner asked for a ping; it goes to no other',
  },
  'event_destination.disabled': {
    of: 'event_destination',
    when: 'the event destination was disabled after repeated failures, or because its receiver answered 410',
  },
  'api_key.expiring': { of: 'api_key', when: 'the key was rotated and stays valid during its grace period' },
} as const satisfies Record<string, EventRow>;

export type EventKind = keyof typeof EVENT_KINDS;
/** The resource whose id an event of the kind carries. */
export type SubjectOf<K extends EventKind> = (typeof EVENT_KINDS)[K]['of'];

export const EVENT_KIND_NAMES: readonly EventKind[] = Object.keys(EVENT_KINDS).filter(isEventKind);

export function isEventKind(text: string): text is EventKind {
  return Object.hasOwn(EVENT_KINDS, text);
}

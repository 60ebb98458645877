import type { EventKind } from './event-kinds.ts';

/**
 * States of resources and the moves between them, as data (docs/states.md). Moves that are not in the table are
 * impossible; a test compares the tables with `docs/states.md`. Storage changes a stored status only by a `StatusMove`,
 * which is made from a row of these tables.
 */
export interface Move<S extends string> {
  readonly from: readonly S[];
  readonly by: string;
  readonly to: S;
  /** The event that is emitted with the move, if any. */
  readonly emits?: EventKind;
}

/** The row of the table for the trigger. Raises UnlistedMove if it has none. */
export function moveBy<M extends Move<string>, B extends M['by']>(
  moves: readonly M[],
  by: B,
): Extract<M, { by: B }> {
  const row = moves.find((move): move is Extract<M, { by: B }> => move.by === by);
  if (row === undefined) throw new UnlistedMove(by, null);
  return row;
}

/** A status was about to change in a way that its table does not list, which is a bug in the service. */
export class UnlistedMove extends Error {
  override readonly name = 'UnlistedMove';

  constructor(by: string, from: string | null) {
    super(from === null ? `no move by "${by}"` : `no move from "${from}" by "${by}"`);
  }
}

/** A change of a stored status that its table lists; made by `of` alone. */
export class StatusMove<M extends Move<string>> {
  readonly row: M;

  private constructor(row: M) {
    this.row = row;
  }

  get to(): M['to'] {
    return this.row.to;
  }

  /** Raises UnlistedMove if the table has no move from the status by the trigger. */
  static of<M extends Move<string>, B extends M['by']>(
    moves: readonly M[],
    by: B,
    from: M['from'][number] | M['to'],
  ): StatusMove<Extract<M, { by: B }>> {
    const row = moveBy(moves, by);
    if (!row.from.includes(from)) throw new UnlistedMove(by, from);
    return new StatusMove(row);
  }
}

/** Whether the table has a move between the two. */
export function isMove<S extends string>(moves: readonly Move<S>[], from: S, to: S): boolean {
  return moves.some((move) => move.to === to && move.from.includes(from));
}

export const API_KEY_STATUSES = ['active', 'expiring', 'revoked', 'expired'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];
export const API_KEY_MOVES = [
  { from: ['active'], by: 'rotated', to: 'expiring', emits: 'api_key.expiring' },
  { from: ['active', 'expiring'], by: 'reached its expiry', to: 'expired' },
  { from: ['active', 'expiring', 'expired'], by: 'revoked', to: 'revoked' },
] as const satisfies readonly Move<ApiKeyStatus>[];

export const DOCUMENT_STATUSES = ['uploaded', 'taken', 'undone'] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];
export const DOCUMENT_MOVES: readonly Move<DocumentStatus>[] = [
  { from: ['uploaded', 'undone'], by: 'its rows were taken', to: 'taken' },
  { from: ['taken'], by: 'its rows were taken out again', to: 'undone' },
];

export const SIMPLEFIN_SETUP_TOKEN_STATUSES = ['open', 'claimed', 'expired', 'revoked'] as const;
export type SimplefinSetupTokenStatus = (typeof SIMPLEFIN_SETUP_TOKEN_STATUSES)[number];
export const SIMPLEFIN_SETUP_TOKEN_MOVES: readonly Move<SimplefinSetupTokenStatus>[] = [
  { from: ['open'], by: 'claimed by an app', to: 'claimed' },
  { from: ['open'], by: '7 days passed', to: 'expired' },
  { from: ['open', 'claimed', 'expired'], by: 'revoked', to: 'revoked' },
];

export const SIMPLEFIN_APP_STATUSES = ['active', 'revoked'] as const;
export type SimplefinAppStatus = (typeof SIMPLEFIN_APP_STATUSES)[number];
export const SIMPLEFIN_APP_MOVES: readonly Move<SimplefinAppStatus>[] = [
  { from: ['active'], by: 'revoked, or its setup token was', to: 'revoked' },
];

export const INVITATION_STATUSES = ['open', 'accepted', 'expired', 'revoked'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];
export const INVITATION_MOVES: readonly Move<InvitationStatus>[] = [
  { from: ['open'], by: 'accepted by the person who has its link', to: 'accepted' },
  { from: ['open'], by: 'its days passed', to: 'expired' },
  { from: ['open', 'expired'], by: 'revoked, or its inviter may invite no more', to: 'revoked' },
];

export const ONE_TIME_LINK_STATUSES = ['open', 'used', 'expired'] as const;
export type OneTimeLinkStatus = (typeof ONE_TIME_LINK_STATUSES)[number];
export const ONE_TIME_LINK_MOVES: readonly Move<OneTimeLinkStatus>[] = [
  { from: ['open'], by: 'used by the person who has it', to: 'used' },
  { from: ['open'], by: 'its time passed', to: 'expired' },
];

export const CONNECTED_APP_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ConnectedAppStatus = (typeof CONNECTED_APP_STATUSES)[number];
export const CONNECTED_APP_MOVES: readonly Move<ConnectedAppStatus>[] = [
  { from: ['active'], by: 'the last of its tokens expired', to: 'expired' },
  { from: ['active', 'expired'], by: 'revoked, or a code or refresh token was used twice', to: 'revoked' },
];

export const LINK_SESSION_STATUSES = ['pending', 'completed', 'failed', 'expired'] as const;
export type LinkSessionStatus = (typeof LINK_SESSION_STATUSES)[number];
export const LINK_SESSION_MOVES: readonly Move<LinkSessionStatus>[] = [
  { from: ['pending'], by: 'consent completed', to: 'completed' },
  { from: ['pending'], by: 'consent failed', to: 'failed' },
  { from: ['pending'], by: '30 minutes passed', to: 'expired' },
  { from: ['expired'], by: 'the person returned in time and the bank answered late', to: 'completed' },
  { from: ['expired'], by: 'the person returned too late', to: 'failed' },
];

export const CONNECTION_STATUSES = [
  'pending',
  'active',
  'expiring',
  'expired',
  'invalidated',
  'revoked',
] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];
export const CONNECTION_MOVES = [
  { from: ['pending'], by: 'accounts listed', to: 'active' },
  { from: ['pending'], by: 'accounts listed with at most 30 days left', to: 'expiring' },
  { from: ['active'], by: '30 days left', to: 'expiring', emits: 'connection.expiring' },
  { from: ['pending', 'expiring'], by: 'consent ended', to: 'expired', emits: 'connection.expired' },
  {
    from: ['pending', 'active', 'expiring'],
    by: 'bank rejected the grant',
    to: 'invalidated',
    emits: 'connection.invalidated',
  },
  {
    from: ['pending', 'active', 'expiring'],
    by: 'login at the bank lost',
    to: 'invalidated',
    emits: 'connection.invalidated',
  },
  { from: ['invalidated'], by: 'login at the bank works again', to: 'active' },
  { from: ['invalidated'], by: 'login works again with at most 30 days left', to: 'expiring' },
  { from: ['invalidated'], by: 'login works again before accounts were ever listed', to: 'pending' },
  {
    from: ['expiring', 'expired', 'invalidated'],
    by: 'reauthorised',
    to: 'active',
    emits: 'connection.renewed',
  },
  {
    from: ['active', 'expired', 'invalidated'],
    by: 'reauthorised for 30 days or less',
    to: 'expiring',
    emits: 'connection.renewed',
  },
  {
    from: ['expired', 'invalidated'],
    by: 'reauthorised before accounts were ever listed',
    to: 'pending',
    emits: 'connection.renewed',
  },
  {
    from: ['pending', 'active', 'expiring', 'expired', 'invalidated'],
    by: 'deleted by the caller',
    to: 'revoked',
    emits: 'connection.revoked',
  },
] as const satisfies readonly Move<ConnectionStatus>[];
/**
 * Days before the consent's end at which a connection and its consent become `expiring` (docs/resources.md#connection).
 */
export const EXPIRING_DAYS = 30;

export const CONSENT_STATUSES = ['active', 'expiring', 'expired', 'withdrawn'] as const;
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];
export const CONSENT_MOVES = [
  { from: ['active'], by: '30 days left', to: 'expiring' },
  { from: ['expiring'], by: 'reached its expiry', to: 'expired' },
  {
    from: ['active', 'expiring'],
    by: 'withdrawn here or at the bank',
    to: 'withdrawn',
    emits: 'consent.withdrawn',
  },
  { from: ['expiring', 'expired', 'withdrawn'], by: 'renewed in place', to: 'active' },
  { from: ['active', 'expired', 'withdrawn'], by: 'renewed for 30 days or less', to: 'expiring' },
] as const satisfies readonly Move<ConsentStatus>[];

export const ACCOUNT_STATUSES = ['available', 'unavailable'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];
export const ACCOUNT_MOVES: readonly Move<AccountStatus>[] = [
  { from: ['available'], by: 'missing from a complete list', to: 'unavailable' },
  { from: ['available'], by: 'listed as closed', to: 'unavailable' },
  { from: ['unavailable'], by: 'listed again', to: 'available' },
];

export const DESTINATION_STATUSES = ['active', 'incomplete', 'reauth_required', 'disabled'] as const;
export type DestinationStatus = (typeof DESTINATION_STATUSES)[number];
export const DESTINATION_MOVES = [
  { from: ['incomplete'], by: 'target set', to: 'active' },
  {
    from: ['active'],
    by: 'grant failed during a sync',
    to: 'reauth_required',
    emits: 'destination.reauth_required',
  },
  { from: ['active'], by: 'webhook auto-disabled', to: 'disabled', emits: 'destination.disabled' },
  { from: ['disabled'], by: 'enabled', to: 'active' },
  { from: ['reauth_required'], by: 'destination link completed', to: 'active' },
  { from: ['reauth_required'], by: 'new secret accepted', to: 'active' },
] as const satisfies readonly Move<DestinationStatus>[];

export const DESTINATION_LINK_STATUSES = ['pending', 'completed', 'failed', 'expired'] as const;
export type DestinationLinkStatus = (typeof DESTINATION_LINK_STATUSES)[number];
export const DESTINATION_LINK_MOVES: readonly Move<DestinationLinkStatus>[] = [
  { from: ['pending'], by: 'access granted', to: 'completed' },
  { from: ['pending'], by: 'access refused, or the person cancelled', to: 'failed' },
  { from: ['pending'], by: '30 minutes passed', to: 'expired' },
  {
    from: ['expired'],
    by: 'the person returned in time and the vendor granted access late',
    to: 'completed',
  },
  { from: ['expired'], by: 'the person returned in time and the vendor refused access late', to: 'failed' },
];

export const SYNC_STATUSES = ['idle', 'running', 'attention'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];
export const SYNC_MOVES: readonly Move<SyncStatus>[] = [
  { from: ['idle', 'attention'], by: 'a run is queued', to: 'running' },
  { from: ['running'], by: 'the run succeeded', to: 'idle' },
  { from: ['running'], by: 'the run failed', to: 'attention' },
  { from: ['running'], by: 'the run was cancelled with no outstanding problem', to: 'idle' },
  { from: ['running'], by: 'the run was cancelled and an earlier problem remains', to: 'attention' },
  { from: ['idle', 'running'], by: 'parked because its connection was deleted', to: 'attention' },
  { from: ['attention'], by: 'the destination was enabled again', to: 'idle' },
  { from: ['attention'], by: 'the destination was linked again', to: 'idle' },
];

export const SYNC_RUN_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type SyncRunStatus = (typeof SYNC_RUN_STATUSES)[number];
export const SYNC_RUN_MOVES = [
  { from: ['queued'], by: 'worker starts', to: 'running', emits: 'sync_run.started' },
  { from: ['running'], by: 'finished', to: 'succeeded', emits: 'sync_run.succeeded' },
  { from: ['queued', 'running'], by: 'failed', to: 'failed', emits: 'sync_run.failed' },
  { from: ['queued'], by: 'cancelled by the caller', to: 'cancelled', emits: 'sync_run.cancelled' },
  { from: ['queued', 'running'], by: 'its sync was disabled', to: 'cancelled', emits: 'sync_run.cancelled' },
  { from: ['queued', 'running'], by: 'sync deleted', to: 'cancelled', emits: 'sync_run.cancelled' },
] as const satisfies readonly Move<SyncRunStatus>[];
/** A move that ends a run. */
export type RunEndMove = Exclude<(typeof SYNC_RUN_MOVES)[number], { to: 'running' }>;
export const FINAL_RUN_STATUSES: readonly SyncRunStatus[] = ['succeeded', 'failed', 'cancelled'];

export const EVENT_DESTINATION_STATUSES = ['enabled', 'disabled'] as const;
export type EventDestinationStatus = (typeof EVENT_DESTINATION_STATUSES)[number];
export const EVENT_DESTINATION_MOVES = [
  { from: ['enabled'], by: 'disabled by the caller', to: 'disabled' },
  {
    from: ['enabled'],
    by: 'deliveries failed for 5 days',
    to: 'disabled',
    emits: 'event_destination.disabled',
  },
  { from: ['enabled'], by: 'its receiver answered 410', to: 'disabled', emits: 'event_destination.disabled' },
  { from: ['disabled'], by: 'enabled by the caller', to: 'enabled' },
] as const satisfies readonly Move<EventDestinationStatus>[];

export const EVENT_DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type EventDeliveryStatus = (typeof EVENT_DELIVERY_STATUSES)[number];
export const EVENT_DELIVERY_MOVES = [
  { from: ['pending'], by: 'answered with 2xx', to: 'succeeded' },
  { from: ['pending'], by: 'the last attempt failed', to: 'failed' },
  { from: ['succeeded', 'failed'], by: 'sent again by the caller', to: 'pending' },
] as const satisfies readonly Move<EventDeliveryStatus>[];

export const ACCOUNT_RECORD_STATUSES = ['active', 'trialing', 'past_due', 'canceled'] as const;
export type AccountRecordStatus = (typeof ACCOUNT_RECORD_STATUSES)[number];

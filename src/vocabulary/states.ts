/**
 * States of resources and the moves between them, as data (docs/states.md). A move that is not in its table does not
 * happen; `docs/states.md` shows the same tables and a test keeps the two equal.
 */
export interface Move<S extends string> {
  readonly from: readonly S[];
  readonly by: string;
  readonly to: S;
}

export const API_KEY_STATUSES = ['active', 'expiring', 'revoked', 'expired'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];
export const API_KEY_MOVES: readonly Move<ApiKeyStatus>[] = [
  { from: ['active'], by: 'rotated', to: 'expiring' },
  { from: ['active', 'expiring'], by: 'reached its expiry', to: 'expired' },
  { from: ['active', 'expiring', 'expired'], by: 'revoked', to: 'revoked' },
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
export const CONNECTION_MOVES: readonly Move<ConnectionStatus>[] = [
  { from: ['pending'], by: 'accounts listed', to: 'active' },
  { from: ['pending'], by: 'accounts listed with at most 30 days left', to: 'expiring' },
  { from: ['active'], by: '30 days left', to: 'expiring' },
  { from: ['pending', 'expiring'], by: 'consent ended', to: 'expired' },
  { from: ['pending', 'active', 'expiring'], by: 'bank rejected the grant', to: 'invalidated' },
  { from: ['pending', 'active', 'expiring'], by: 'login at the bank lost', to: 'invalidated' },
  { from: ['invalidated'], by: 'login at the bank works again', to: 'active' },
  { from: ['invalidated'], by: 'login works again with at most 30 days left', to: 'expiring' },
  { from: ['invalidated'], by: 'login works again before accounts were ever listed', to: 'pending' },
  { from: ['expiring', 'expired', 'invalidated'], by: 'reauthorised', to: 'active' },
  { from: ['active', 'expired', 'invalidated'], by: 'reauthorised for 30 days or less', to: 'expiring' },
  { from: ['expired', 'invalidated'], by: 'reauthorised before accounts were ever listed', to: 'pending' },
  {
    from: ['pending', 'active', 'expiring', 'expired', 'invalidated'],
    by: 'deleted by the caller',
    to: 'revoked',
  },
];
/** Days before the consent's end at which a connection and its consent read `expiring` (docs/resources.md#connection). */
export const EXPIRING_DAYS = 30;

export const CONSENT_STATUSES = ['active', 'expiring', 'expired', 'withdrawn'] as const;
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];
export const CONSENT_MOVES: readonly Move<ConsentStatus>[] = [
  { from: ['active'], by: '30 days left', to: 'expiring' },
  { from: ['expiring'], by: 'reached its expiry', to: 'expired' },
  { from: ['active', 'expiring'], by: 'withdrawn here or at the bank', to: 'withdrawn' },
  { from: ['expiring', 'expired', 'withdrawn'], by: 'renewed in place', to: 'active' },
  { from: ['active', 'expired', 'withdrawn'], by: 'renewed for 30 days or less', to: 'expiring' },
];

export const ACCOUNT_STATUSES = ['available', 'unavailable'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];
export const ACCOUNT_MOVES: readonly Move<AccountStatus>[] = [
  { from: ['available'], by: 'missing from a complete list', to: 'unavailable' },
  { from: ['available'], by: 'listed as closed', to: 'unavailable' },
  { from: ['unavailable'], by: 'listed again', to: 'available' },
];

export const DESTINATION_STATUSES = ['active', 'incomplete', 'reauth_required', 'disabled'] as const;
export type DestinationStatus = (typeof DESTINATION_STATUSES)[number];
export const DESTINATION_MOVES: readonly Move<DestinationStatus>[] = [
  { from: ['incomplete'], by: 'target set', to: 'active' },
  { from: ['active'], by: 'grant failed during a sync', to: 'reauth_required' },
  { from: ['active'], by: 'webhook auto-disabled', to: 'disabled' },
  { from: ['disabled'], by: 'enabled', to: 'active' },
  { from: ['reauth_required'], by: 'destination link completed', to: 'active' },
  { from: ['reauth_required'], by: 'new secret accepted', to: 'active' },
];

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
export const SYNC_RUN_MOVES: readonly Move<SyncRunStatus>[] = [
  { from: ['queued'], by: 'worker starts', to: 'running' },
  { from: ['running'], by: 'finished', to: 'succeeded' },
  { from: ['queued', 'running'], by: 'failed', to: 'failed' },
  { from: ['queued'], by: 'cancelled by the caller', to: 'cancelled' },
  { from: ['queued', 'running'], by: 'its sync was disabled', to: 'cancelled' },
  { from: ['running'], by: 'sync deleted', to: 'cancelled' },
];
export const FINAL_RUN_STATUSES: readonly SyncRunStatus[] = ['succeeded', 'failed', 'cancelled'];

export const EVENT_DESTINATION_STATUSES = ['enabled', 'disabled'] as const;
export type EventDestinationStatus = (typeof EVENT_DESTINATION_STATUSES)[number];
export const EVENT_DESTINATION_MOVES: readonly Move<EventDestinationStatus>[] = [
  { from: ['enabled'], by: 'disabled by the caller', to: 'disabled' },
  { from: ['enabled'], by: 'deliveries failed for 5 days', to: 'disabled' },
  { from: ['enabled'], by: 'its receiver answered 410', to: 'disabled' },
  { from: ['disabled'], by: 'enabled by the caller', to: 'enabled' },
];

export const EVENT_DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type EventDeliveryStatus = (typeof EVENT_DELIVERY_STATUSES)[number];
export const EVENT_DELIVERY_MOVES: readonly Move<EventDeliveryStatus>[] = [
  { from: ['pending'], by: 'answered with 2xx', to: 'succeeded' },
  { from: ['pending'], by: 'the last attempt failed', to: 'failed' },
  { from: ['succeeded', 'failed'], by: 'sent again by the caller', to: 'pending' },
];

export const ACCOUNT_RECORD_STATUSES = ['active', 'trialing', 'past_due', 'canceled'] as const;
export type AccountRecordStatus = (typeof ACCOUNT_RECORD_STATUSES)[number];

// Generated from the operation table by `npm run client`. Changes here are lost.

export type EventConnectionCreated = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.created';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConnectionRenewed = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.renewed';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConnectionRefreshed = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.refreshed';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConnectionExpiring = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.expiring';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConnectionExpired = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.expired';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConnectionInvalidated = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.invalidated';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConnectionRevoked = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'connection.revoked';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'connection';
    readonly url: string;
  };
  readonly data: null;
};

export type EventConsentWithdrawn = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'consent.withdrawn';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'consent';
    readonly url: string;
  };
  readonly data: null;
};

export type EventSyncRunQueued = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'sync_run.queued';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'sync_run';
    readonly url: string;
  };
  readonly data: null;
};

export type EventSyncRunStarted = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'sync_run.started';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'sync_run';
    readonly url: string;
  };
  readonly data: null;
};

export type EventSyncRunSucceeded = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'sync_run.succeeded';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'sync_run';
    readonly url: string;
  };
  readonly data: null;
};

export type EventSyncRunFailed = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'sync_run.failed';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'sync_run';
    readonly url: string;
  };
  readonly data: null;
};

export type EventSyncRunCancelled = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'sync_run.cancelled';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'sync_run';
    readonly url: string;
  };
  readonly data: null;
};

export type EventDestinationReauthRequired = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'destination.reauth_required';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'destination';
    readonly url: string;
  };
  readonly data: null;
};

export type EventDestinationDisabled = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'destination.disabled';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'destination';
    readonly url: string;
  };
  readonly data: null;
};

export type EventSyncAttention = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'sync.attention';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'sync';
    readonly url: string;
  };
  readonly data: null;
};

export type EventEventDestinationPing = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'event_destination.ping';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'event_destination';
    readonly url: string;
  };
  readonly data: null;
};

export type EventEventDestinationDisabled = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'event_destination.disabled';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'event_destination';
    readonly url: string;
  };
  readonly data: null;
};

export type EventApiKeyExpiring = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'event';
  readonly type: 'api_key.expiring';
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** Always true today. */
  readonly livemode: true;
  readonly account_record: string;
  readonly related_object: {
    readonly id: string;
    readonly object: 'api_key';
    readonly url: string;
  };
  readonly data: null;
};

/** What event destinations receive: pass it to `verifyWebhook`, and branch on `type`. */
export type EventPayload =
  | EventConnectionCreated
  | EventConnectionRenewed
  | EventConnectionRefreshed
  | EventConnectionExpiring
  | EventConnectionExpired
  | EventConnectionInvalidated
  | EventConnectionRevoked
  | EventConsentWithdrawn
  | EventSyncRunQueued
  | EventSyncRunStarted
  | EventSyncRunSucceeded
  | EventSyncRunFailed
  | EventSyncRunCancelled
  | EventDestinationReauthRequired
  | EventDestinationDisabled
  | EventSyncAttention
  | EventEventDestinationPing
  | EventEventDestinationDisabled
  | EventApiKeyExpiring;

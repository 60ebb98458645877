// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';

/** One change of who can do what, one sign-in, export or deletion. Kept for 400 days; it holds no financial data. */
export type AuditEvent = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'audit_event';
  /** What happened; see the table in the guide to the audit log. */
  readonly kind: 'session.started' | 'session.refused' | 'session.ended' | 'session.moved' | 'password.changed' | 'password.reset' | 'email.changed' | 'passkey.added' | 'passkey.removed' | 'second_factor.enabled' | 'second_factor.disabled' | 'recovery_codes.replaced' | 'notifications.changed' | 'push_device.added' | 'push_device.removed' | 'member.invited' | 'invitation.revoked' | 'member.joined' | 'member.role_changed' | 'member.removed' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked' | 'connected_app.allowed' | 'connected_app.revoked' | 'simplefin_setup_token.created' | 'simplefin_setup_token.revoked' | 'simplefin_app.connected' | 'simplefin_app.updated' | 'simplefin_app.revoked' | 'destination_link.created' | 'destination.created' | 'destination.updated' | 'destination.secret_rotated' | 'destination.target_created' | 'destination.deleted' | 'event_destination.created' | 'event_destination.updated' | 'event_destination.secret_rotated' | 'event_destination.deleted' | 'consent.granted' | 'consent.renewed' | 'connection.deleted' | 'category.deleted' | 'document.uploaded' | 'document.taken' | 'document.undone' | 'document.deleted' | 'saved_view.deleted' | 'ruleset.deleted' | 'rule.deleted' | 'sync.deleted' | 'export.stored_data' | 'export.transactions' | 'export.sync' | 'account_record.updated' | 'account_record.deletion_requested' | 'password.reset_link_issued' | 'operator.appointed' | 'operator.removed';
  /** For a sign-in: how the person was authenticated. */
  readonly detail: 'password' | 'second_factor' | 'recovery_code' | 'passkey' | 'invitation' | 'first_run' | null;
  /** Who did it: the kind and the id of the credential, and what it was called at the time. */
  readonly actor: {
    readonly type: 'api_key' | 'oauth_token' | 'session' | 'bridge_app' | 'operator' | 'service';
    readonly id: string | null;
    readonly name: string | null;
  };
  /** The id of what was acted on; null for the account record itself. */
  readonly target: string | null;
  /** The IPv4 address, or the /64 of the IPv6 address, that the request came from. */
  readonly network: string | null;
  /** What people call the browser; null for programs. */
  readonly browser: string | null;
  /** How often it happened that day from this network, where such events are counted together. */
  readonly occurrences: number;
  /** When it happened last. */
  readonly last_at: string;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
};

export interface AuditEventsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only events of this kind. */
  readonly kind?: 'session.started' | 'session.refused' | 'session.ended' | 'session.moved' | 'password.changed' | 'password.reset' | 'email.changed' | 'passkey.added' | 'passkey.removed' | 'second_factor.enabled' | 'second_factor.disabled' | 'recovery_codes.replaced' | 'notifications.changed' | 'push_device.added' | 'push_device.removed' | 'member.invited' | 'invitation.revoked' | 'member.joined' | 'member.role_changed' | 'member.removed' | 'api_key.created' | 'api_key.updated' | 'api_key.rotated' | 'api_key.revoked' | 'connected_app.allowed' | 'connected_app.revoked' | 'simplefin_setup_token.created' | 'simplefin_setup_token.revoked' | 'simplefin_app.connected' | 'simplefin_app.updated' | 'simplefin_app.revoked' | 'destination_link.created' | 'destination.created' | 'destination.updated' | 'destination.secret_rotated' | 'destination.target_created' | 'destination.deleted' | 'event_destination.created' | 'event_destination.updated' | 'event_destination.secret_rotated' | 'event_destination.deleted' | 'consent.granted' | 'consent.renewed' | 'connection.deleted' | 'category.deleted' | 'document.uploaded' | 'document.taken' | 'document.undone' | 'document.deleted' | 'saved_view.deleted' | 'ruleset.deleted' | 'rule.deleted' | 'sync.deleted' | 'export.stored_data' | 'export.transactions' | 'export.sync' | 'account_record.updated' | 'account_record.deletion_requested' | 'password.reset_link_issued' | 'operator.appointed' | 'operator.removed' | undefined;
}

/** Who did what to the access to the account record, and from where. */
export class AuditEvents {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List the events of the audit log.
   *
   * Newest first.
   *
   * Needs `keys:write`. Rate tier: `cheap`.
   */
  list(input: AuditEventsListInput = {}, options?: CallOptions): List<AuditEvent> {
    return this.#calls.list(
      { id: 'list_audit_events', method: 'GET', path: '/v2/audit_events', query: ['limit', 'page', 'kind'] },
      input,
      options,
    );
  }
}

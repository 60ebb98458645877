/** How an event of the audit log is recorded. */
interface AuditKindEntry {
  /** What happened, as shown in docs/audit-log.md and on the pages. */
  readonly text: string;
  /** Whether strangers can cause it at will; then those from one network on one day are one event with a count. */
  readonly repeats?: true;
}

/** What the audit log records, by kind. `docs/audit-log.md` shows the same table; a test compares the two. */
export const AUDIT_KINDS = {
  'session.started': { text: 'A person signed in' },
  'session.refused': { text: 'A person tried to sign in and was refused', repeats: true },
  'session.ended': { text: 'A session was ended' },
  'session.moved': { text: 'A session was switched to this account record' },
  'password.changed': { text: 'A password was changed' },
  'password.reset': { text: 'A password was set by a reset link' },
  'email.changed': { text: 'An e-mail address for signing in was changed' },
  'passkey.added': { text: 'A passkey was added' },
  'passkey.removed': { text: 'A passkey was removed' },
  'second_factor.enabled': { text: 'The second factor was turned on' },
  'second_factor.disabled': { text: 'The second factor was turned off' },
  'recovery_codes.replaced': { text: 'New recovery codes were made' },
  'notifications.changed': { text: 'A person changed which notifications they get' },
  'push_device.added': { text: 'A browser was added to receive notifications' },
  'push_device.removed': { text: 'A browser was removed from those that receive notifications' },
  'member.invited': { text: 'A person was invited' },
  'invitation.revoked': { text: 'An invitation was withdrawn' },
  'member.joined': { text: 'A member joined' },
  'member.role_changed': { text: 'The role of a member was changed' },
  'member.removed': { text: 'A member was removed' },
  'api_key.created': { text: 'An API key was created' },
  'api_key.updated': { text: 'An API key was renamed, or its metadata changed' },
  'api_key.rotated': { text: 'An API key was rotated' },
  'api_key.revoked': { text: 'An API key was revoked' },
  'connected_app.allowed': { text: 'An app was connected' },
  'connected_app.revoked': { text: 'An app was disconnected' },
  'simplefin_setup_token.created': { text: 'A setup token of the SimpleFIN bridge was created' },
  'simplefin_setup_token.revoked': { text: 'A setup token of the SimpleFIN bridge was revoked' },
  'simplefin_app.connected': { text: 'An app of the SimpleFIN bridge claimed its setup token' },
  'simplefin_app.updated': { text: 'The settings of an app of the SimpleFIN bridge were changed' },
  'simplefin_app.revoked': { text: 'An app of the SimpleFIN bridge was revoked' },
  'destination_link.created': { text: 'Signing in to a destination was begun' },
  'destination.created': { text: 'A destination was created' },
  'destination.updated': { text: 'A destination was changed' },
  'destination.secret_rotated': { text: 'The signing secret of a destination was rotated' },
  'destination.target_created': { text: 'A target was created at a destination' },
  'destination.deleted': { text: 'A destination was deleted' },
  'event_destination.created': { text: 'An event destination was created' },
  'event_destination.updated': { text: 'An event destination was changed' },
  'event_destination.secret_rotated': { text: 'The signing secret of an event destination was rotated' },
  'event_destination.deleted': { text: 'An event destination was deleted' },
  'consent.granted': { text: 'A bank connection was consented to' },
  'consent.renewed': { text: 'The consent of a bank connection was renewed' },
  'connection.deleted': { text: 'A bank connection was deleted, and its consent withdrawn' },
  'category.deleted': { text: 'A category was deleted' },
  'document.uploaded': { text: 'A statement file was uploaded' },
  'document.taken': { text: 'The rows of a statement file were taken' },
  'document.undone': { text: 'The rows of a statement file were taken out again' },
  'document.deleted': { text: 'A statement file was deleted' },
  'saved_view.deleted': { text: 'A saved view of transactions was deleted' },
  'ruleset.deleted': { text: 'A ruleset was deleted' },
  'rule.deleted': { text: 'A rule was deleted' },
  'sync.deleted': { text: 'A sync was deleted' },
  'export.stored_data': { text: 'Everything stored of the account record was exported' },
  'export.transactions': { text: 'Transactions were exported' },
  'export.sync': { text: 'The rows of a sync were exported' },
  'account_record.updated': { text: 'Plan, status, limits or settings of the account record were changed' },
  'account_record.deletion_requested': { text: 'Deleting the account record was requested' },
  'password.reset_link_issued': { text: 'A link for a new password was issued', repeats: true },
  'operator.appointed': { text: 'A member became an operator of the installation' },
  'operator.removed': { text: 'A member ceased to be an operator of the installation' },
} as const satisfies Readonly<Record<string, AuditKindEntry>>;

export type AuditKind = keyof typeof AUDIT_KINDS;

export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS).filter(isAuditKind);

export function isAuditKind(text: string): text is AuditKind {
  return Object.hasOwn(AUDIT_KINDS, text);
}

/** Whether the events from one network on one day are one event with a count. */
export function isRepeating(kind: AuditKind): boolean {
  return 'repeats' in AUDIT_KINDS[kind];
}

/** How a person proved who they are, or tried to. */
export const AUDIT_DETAILS = [
  'password',
  'second_factor',
  'recovery_code',
  'passkey',
  'invitation',
  'first_run',
] as const;
export type AuditDetail = (typeof AUDIT_DETAILS)[number];

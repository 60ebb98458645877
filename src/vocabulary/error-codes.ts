import { CURRENT_RELEASE } from './service-version.ts';

/**
 * Every code v2 can answer (docs/errors.md): its status, its type and its default message. Codes are stable; callers
 * branch on them. `docs/errors.md` has an anchor for each.
 */
export const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'rate_limit_error',
  'idempotency_error',
  'upstream_error',
  'api_error',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

interface ErrorRow {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
}

const invalid = (message: string, status = 400): ErrorRow => ({
  status,
  type: 'invalid_request_error',
  message,
});
const conflict = (message: string): ErrorRow => ({ status: 409, type: 'invalid_request_error', message });
const unauthenticated = (message: string): ErrorRow => ({
  status: 401,
  type: 'authentication_error',
  message,
});
const forbidden = (message: string): ErrorRow => ({ status: 403, type: 'permission_error', message });
const limited = (message: string): ErrorRow => ({ status: 429, type: 'rate_limit_error', message });
const idempotency = (status: number, message: string): ErrorRow => ({
  status,
  type: 'idempotency_error',
  message,
});
const upstream = (status: number, message: string): ErrorRow => ({ status, type: 'upstream_error', message });
const fault = (status: number, message: string): ErrorRow => ({ status, type: 'api_error', message });

export const ERROR_CODES = {
  parameter_invalid: invalid('A field failed validation.'),
  parameter_missing: invalid('A required field is absent.'),
  version_required: invalid(
    `Send the API version in the Service-Version header, for example ${CURRENT_RELEASE}.`,
  ),
  version_invalid: invalid(
    'Service-Version must look like 2026-10-01.wattle and must not predate the first release.',
  ),
  version_unknown: invalid('This API version does not exist.'),
  page_invalid: invalid('page is not a token that this service issued for this list.'),
  page_filters_changed: invalid('A filter differs from those of the page token; start again without page.'),
  cursor_invalid: invalid('cursor is not one that this service issued for this account.'),
  cursor_expired: conflict('This cursor is too old, or others took its place; start again without cursor.'),
  include_invalid: invalid('include[] contains a value this endpoint does not support.'),
  idempotency_key_invalid: idempotency(400, 'Idempotency-Key is longer than 255 characters.'),
  body_invalid: invalid('The body is not valid JSON.'),
  body_too_large: invalid(
    'The body exceeds the size limit, which is 64 KiB unless the operator changed it.',
    413,
  ),
  destination_incomplete: invalid('The destination has no target yet; set its target first.'),
  mapping_required: invalid('This sync needs account_mappings.'),
  resource_missing: invalid('No such object.', 404),
  wrong_endpoint_for_category: invalid(
    'This endpoint does not serve accounts or connections of this category.',
  ),
  not_supported: invalid('The provider does not support this.'),
  invalid_date_range: invalid('from is after to.'),
  from_too_old: invalid('from is further back than banking history reaches (about 7 years).'),
  upstream_bad_request: invalid('The provider rejected the request; change it before retrying.'),
  transaction_search_incomplete: invalid('The search could not be finished; narrow from and to.'),
  document_unusable: invalid('The file cannot be read as a statement.'),
  transaction_not_found: invalid('No such transaction in the searched window.', 404),
  account_unavailable: invalid('The provider no longer returns this account.', 404),
  route_missing: invalid('There is no such route.', 404),

  api_key_missing: unauthenticated('Send an API key in the Authorization header: Bearer <API_KEY>.'),
  api_key_invalid: unauthenticated('The API key is unknown, revoked or expired.'),
  oauth_token_invalid: unauthenticated('The OAuth token is invalid, expired or not issued for this API.'),

  insufficient_scope: forbidden('The key lacks the scope this operation needs.'),
  scope_not_held: forbidden('A key cannot be granted more than its creator holds.'),
  fresh_sign_in_required: forbidden('Sign in again: this opens a way to the data that outlasts the session.'),
  ip_not_allowed: forbidden('The key may not be used from this address.'),
  plan_upgrade_required: forbidden('The plan has no API access.'),
  subscription_required: forbidden('Linking needs an active trial or subscription.'),
  connection_limit: forbidden('No connection slot is free.'),
  professional_required: forbidden('Brokerage data needs a Professional plan.'),
  sync_limit_reached: forbidden("The plan's limit of syncs has been reached."),

  idempotency_key_reused: idempotency(409, 'This idempotency key was used with other parameters.'),
  idempotency_key_in_use: idempotency(409, 'The first request with this idempotency key is still running.'),
  key_limit_reached: conflict('Too many active keys; revoke one first.'),
  key_revoked: conflict('The key is revoked.'),
  key_already_rotated: conflict('The key already has a replacement.'),
  key_expired: conflict('The key is past its expires_at.'),
  sync_already_running: conflict('A run of this sync is queued or running.'),
  sync_disabled: conflict('The sync is disabled; enable it first.'),
  sync_has_no_destination: conflict('The sync has no destination.'),
  run_not_cancellable: conflict('Only a queued run can be cancelled.'),
  destination_in_use: conflict('The destination is in use.'),
  destination_disabled: conflict('The destination is disabled; enable it first.'),
  destination_exists: conflict('A webhook destination with this URL already exists.'),
  no_resources: conflict('A webhook destination has no resources to list.'),
  not_a_webhook: conflict('Only a webhook destination has a signing secret.'),
  provider_mismatch: conflict("The session's provider differs from the connection's."),
  document_taken: conflict('The rows of the document are shown; undo it before you change how it is read.'),
  category_has_children: conflict('The group still has categories; use cascade=true.'),
  category_is_group: conflict('A group cannot claim sources or be moved under a group.'),
  rule_limit_reached: conflict('The ruleset already holds 50 rules.'),
  ruleset_create_failed: conflict('The ruleset was not created; try again.'),
  rule_create_failed: conflict('The rule was not created; try again.'),
  ruleset_duplicate_failed: conflict('The ruleset was not duplicated; try again.'),
  event_destination_limit_reached: conflict('There are already 10 event destinations.'),
  no_subscribed_destination: conflict('No enabled event destination subscribes to this event.'),
  api_key_create_failed: conflict('The key was not created; try again.'),
  simplefin_setup_token_create_failed: conflict('The setup token was not created; try again.'),
  api_key_rotate_failed: conflict('The key was not rotated; try again.'),
  link_session_create_failed: conflict('The link session was not created; try again.'),
  destination_create_failed: conflict('The destination was not created; try again.'),
  destination_rotate_failed: conflict('The signing secret was not rotated; try again.'),
  destination_link_create_failed: conflict('The destination link was not created; try again.'),
  sync_create_failed: conflict('The sync was not created; try again.'),
  event_destination_create_failed: conflict('The event destination was not created; try again.'),
  event_destination_rotate_failed: conflict('The signing secret was not rotated; try again.'),
  ping_failed: conflict('The ping was not sent; try again.'),
  category_create_failed: conflict('The category was not created; try again.'),
  categories_seed_failed: conflict('The default categories were not written; try again.'),
  destination_link_complete_failed: conflict('The destination link was not completed; try again.'),

  too_many_auth_attempts: limited('Too many attempts from this address; wait before trying again.'),
  rate_limit_exceeded: limited('Rate limit exceeded for this key; retry after Retry-After seconds.'),
  too_many_concurrent_requests: limited('More than 4 heavy requests are in progress with this key.'),
  balance_refresh_limited: limited('A live balance was requested less than 15 minutes ago.'),
  provider_wait: limited(
    'The request was deferred to protect the provider; retry after Retry-After seconds.',
  ),
  upstream_rate_limited: limited('The provider limits requests; retry after Retry-After seconds.'),

  upstream_failed: upstream(424, 'The provider or destination returned a permanent error.'),
  upstream_auth_failed: upstream(
    424,
    "The provider rejected the connection's authorisation; reauthorise it.",
  ),
  upstream_unavailable: upstream(503, 'The provider is not available; try again later.'),
  gateway_unavailable: upstream(503, 'The connection gateway is unreachable; try again later.'),
  upstream_timeout: upstream(503, 'The provider did not answer in time; try again later.'),
  internal_error: fault(500, 'Something failed on our side; quote request_id.'),
  sync_dispatch_failed: fault(500, 'The run exists but was not handed to a worker; run the sync again.'),
  connection_delete_failed: fault(500, 'The revocation is incomplete; delete the connection again.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

/** The anchor of a code in the error reference. */
export const errorAnchor = (code: ErrorCode): string => code;

import { type ClientMetadata, errors } from 'oidc-provider';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { hasPlainHost } from '../../vocabulary/plain-hosts.ts';
import { redirectObjection } from './redirect-rules.ts';
import { GRANT_TYPES } from './server-metadata.ts';

const MOST_REDIRECTS = 20;

/** The client metadata that is kept (RFC 7591, section 2); the rest would make the library do more. */
const KEPT: ReadonlySet<string> = new Set([
  'client_id',
  'client_id_issued_at',
  'client_secret',
  'client_secret_expires_at',
  'client_name',
  'client_uri',
  'logo_uri',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'application_type',
  'subject_type',
]);

/**
 * Normalises client metadata in place, so that most clients can register. Clients that support more than this server
 * get what both support (RFC 7591, section 3.2.1), and `application_type` follows from the redirect URIs, since the
 * clients that need it omit it. Raises `invalid_client_metadata` or `invalid_redirect_uri`.
 */
export function normaliseClient(metadata: ClientMetadata): void {
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  const redirects = checkedRedirects(metadata.redirect_uris);
  metadata.application_type = redirects.every((uri) => uri.startsWith('https:')) ? 'web' : 'native';
  metadata.grant_types = both(metadata.grant_types, GRANT_TYPES, 'grant_types');
  metadata.response_types = both(metadata.response_types, ['code'], 'response_types');
  checkText('client_name', metadata.client_name, FIXED_LIMITS.key_name_characters);
  checkAddress('client_uri', metadata.client_uri);
  checkAddress('logo_uri', metadata.logo_uri);
}

function checkedRedirects(sent: unknown): string[] {
  if (!Array.isArray(sent) || sent.length === 0 || sent.length > MOST_REDIRECTS) {
    throw new errors.InvalidClientMetadata(`redirect_uris must be a list of 1 to ${MOST_REDIRECTS} URIs`);
  }
  return sent.map((uri: unknown) => {
    const objection = typeof uri === 'string' ? redirectObjection(uri) : 'must be text';
    if (objection !== null || typeof uri !== 'string') {
      throw new errors.InvalidClientMetadata(`redirect_uris: each ${objection}`);
    }
    return uri;
  });
}

/** Absent values stay absent, for the library to fill in. */
function both<T extends string>(sent: unknown, ours: readonly T[], name: string): T[] | undefined {
  if (sent === undefined) return undefined;
  const common = Array.isArray(sent) ? ours.filter((value) => sent.includes(value)) : [];
  if (common.length > 0) return common;
  throw new errors.InvalidClientMetadata(`${name} must contain ${ours.join(' or ')}`);
}

function checkAddress(name: string, value: unknown): void {
  checkText(name, value, FIXED_LIMITS.url_characters);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || hasPlainHost(url)) return;
  throw new errors.InvalidClientMetadata(`${name} must have a DNS name or an IP address as its host`);
}

function checkText(name: string, value: unknown, most: number): void {
  if (value === undefined || (typeof value === 'string' && value.length <= most)) return;
  throw new errors.InvalidClientMetadata(`${name} must be text of at most ${most} characters`);
}

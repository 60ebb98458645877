import { cidrHolds, parseAddress, parseCidr, plainAddress } from '../../platform/network-addresses.ts';
import type { ApiKey } from '../../storage/api-keys.ts';
import { CALLER_KINDS, type CallerKind } from '../../vocabulary/caller-kinds.ts';
import { parseDuration } from '../../vocabulary/durations.ts';
import { impliedScopes, type Scope } from '../../vocabulary/scopes.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import type { ApiKeyStatus } from '../../vocabulary/states.ts';

/** The status of a key at a moment (docs/states.md#api-key): computed, so time alone can end a key. */
export function apiKeyStatus(
  key: Pick<ApiKey, 'revoked_at' | 'expires_at' | 'expiring_at'>,
  now: number,
): ApiKeyStatus {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at !== null && key.expires_at.getTime() <= now) return 'expired';
  if (key.expiring_at === null) return 'active';
  return key.expiring_at.getTime() <= now ? 'expired' : 'expiring';
}

const DAY_MS = 86_400_000;

/** Raises `scope_not_held` for a kind of caller that makes no keys, whatever its scopes (docs/callers.md). */
export function refuseKeyless(maker: KeyMaker): void {
  const { makesKeys, label } = CALLER_KINDS[maker.kind];
  if (makesKeys) return;
  throw new ServiceError('scope_not_held', {
    message: `A ${label} cannot create or rotate API keys; use an API key that holds keys:write.`,
  });
}

/** Raises `scope_not_held` for scopes that the maker does not hold, implied ones included; `param` names where they were given. */
export function refuseUnheld(scopes: readonly Scope[], maker: KeyMaker, param: string | null): void {
  const unheld = [...impliedScopes(scopes)].filter((scope) => !maker.scopes.has(scope));
  if (unheld.length === 0) return;
  throw new ServiceError('scope_not_held', {
    param,
    message: `The calling ${CALLER_KINDS[maker.kind].label} does not hold ${unheld.join(', ')}, so it cannot grant ${unheld.length === 1 ? 'it' : 'them'}.`,
  });
}

/** The caller that makes a key, as far as that bounds what the key may do. */
export type KeyMaker = { readonly scopes: ReadonlySet<Scope> } & (
  | { readonly kind: 'api_key'; readonly key: KeyBounds }
  | { readonly kind: Exclude<CallerKind, 'api_key'> }
);

/** From where a key may be used, and until when; null for everywhere and without end. */
export type KeyBounds = Pick<ApiKey, 'allowed_ips' | 'expires_at'>;

/**
 * Raises `scope_not_held` for a key that could be used from more addresses or for longer than the key that makes it:
 * its holder would have found a way around its bounds. `param` names the member that would have to change.
 */
export function refuseLooser(made: KeyBounds, maker: KeyMaker): void {
  if (maker.kind !== 'api_key') return;
  const { allowed_ips: allowed, expires_at: end } = maker.key;
  if (!within(made.allowed_ips, allowed)) {
    throw new ServiceError('scope_not_held', {
      param: 'allowed_ips',
      message:
        'The calling key is restricted by allowed_ips; a key it creates or rotates must be restricted to a subset of them.',
    });
  }
  if (end !== null && (made.expires_at === null || made.expires_at > end)) {
    throw new ServiceError('scope_not_held', {
      param: 'expires_at',
      message: `The calling key expires at ${end.toISOString()}; a key it creates or rotates must expire by then.`,
    });
  }
}

/** Whether each of the networks lies in one of the others. Two that would only hold it together are not looked for. */
function within(made: KeyBounds['allowed_ips'], allowed: KeyBounds['allowed_ips']): boolean {
  if (allowed === null || allowed.length === 0) return true;
  if (made === null || made.length === 0) return false;
  const networks = allowed.map(parseCidr).filter((network) => network !== null);
  return made.every((entry) => {
    const inner = parseCidr(entry);
    return inner !== null && networks.some((outer) => inner[1] >= outer[1] && cidrHolds(outer, inner[0]));
  });
}

/**
 * IPv4 addresses or CIDR ranges and exact IPv6 addresses (docs/authentication.md#allow-lists). Raises
 * `parameter_invalid`.
 */
export function checkedAddresses(entries: readonly string[] | null, most: number): string[] | null {
  if (entries === null) return null;
  if (entries.length > most)
    throw invalidParameter('allowed_ips', `A key can have at most ${most} addresses.`);
  for (const [at, entry] of entries.entries()) {
    const network = parseCidr(entry);
    const exact = parseAddress(entry) !== null;
    // An IPv4 caller is known by its IPv4 address, however the socket spells it: a mapped entry would match nobody.
    const mapped = plainAddress(entry) !== entry;
    if (network === null || mapped || (network[0].kind() === 'ipv6' && !exact)) {
      throw invalidParameter(
        `allowed_ips[${at}]`,
        'Give an IPv4 address, an IPv4 range such as 203.0.113.0/24, or an exact IPv6 address.',
      );
    }
  }
  return [...entries];
}

/** Raises `parameter_invalid` for an end that has passed at `now`, epoch ms. */
export function futureOrNull(moment: Date | null, now: number): Date | null {
  if (moment !== null && moment.getTime() <= now)
    throw invalidParameter('expires_at', 'expires_at must be in the future.');
  return moment;
}

/** How long a rotated key goes on, in milliseconds. Raises `parameter_invalid` (`grace`). */
export function checkedGrace(text: string | null, mostDays: number): number {
  const most = mostDays * DAY_MS;
  if (text === null) return most;
  const grace = parseDuration(text);
  if (grace === null || grace > most) {
    throw invalidParameter(
      'grace',
      `grace must be a duration such as 30m, 12h or 7d, at most ${mostDays}d; 0 revokes the old key immediately.`,
    );
  }
  return grace;
}

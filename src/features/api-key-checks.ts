import { parseAddress, parseCidr } from '../platform/cidr.ts';
import { plainAddress } from '../platform/client-network.ts';
import { parseDuration } from '../vocabulary/durations.ts';
import { impliedScopes, type Scope } from '../vocabulary/scopes.ts';
import { invalidParameter, ServiceError } from '../vocabulary/service-error.ts';

const DAY_MS = 86_400_000;

/** Raises `scope_not_held` for scopes that whoever acts does not hold, implied ones included; `param` names where they came from. */
export function refuseUnheld(scopes: readonly Scope[], held: ReadonlySet<Scope>, param: string | null): void {
  const unheld = [...impliedScopes(scopes)].filter((scope) => !held.has(scope));
  if (unheld.length === 0) return;
  throw new ServiceError('scope_not_held', {
    param,
    message: `The calling key does not hold ${unheld.join(', ')}, so it cannot give ${unheld.length === 1 ? 'it' : 'them'} away.`,
  });
}

/** IPv4 addresses or CIDR ranges and exact IPv6 addresses (SPEC, api_key). Raises `parameter_invalid`. */
export function checkedAddresses(entries: readonly string[] | null, most: number): string[] | null {
  if (entries === null) return null;
  if (entries.length > most) throw invalidParameter('allowed_ips', `A key takes at most ${most} addresses.`);
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
    throw invalidParameter('expires_at', 'expires_at must lie in the future.');
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
      `grace is a time such as 30m, 12h or 7d, at most ${mostDays}d; 0 ends the old key at once.`,
    );
  }
  return grace;
}

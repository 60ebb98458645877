import { Resolver } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Once one family has addresses, the other may take this much longer (RFC 8305, section 3, names 50 ms). */
const OTHER_FAMILY_MS = 100;
const TRIES = 2;
/** Addresses of one family; nobody tries more of them before the deadline. */
const MOST = 16;
/** What c-ares says of a name that has no address of that family, or is not there at all. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA']);

export interface DnsQuery {
  readonly host: string;
  /** As `ip` or `ip:port`; null for those of the machine. */
  readonly servers: readonly string[] | null;
  /** For all tries together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * The addresses of a name by DNS, IPv4 first. Empty when the servers say that there are none; raises when they say
 * nothing in time or `signal` aborts. Nothing of the query is left behind: its sockets are closed in every case.
 */
export async function queryAddresses({ host, servers, deadlineMs, signal }: DnsQuery): Promise<string[]> {
  const resolver = new Resolver({
    timeout: Math.ceil(deadlineMs / TRIES),
    tries: TRIES,
    maxTimeout: deadlineMs,
  });
  if (servers !== null) resolver.setServers([...servers]);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(cancel, deadlineMs);
  try {
    const found: string[] = [];
    const v4 = resolver.resolve4(host).then((addresses) => void found.unshift(...addresses.slice(0, MOST)));
    const v6 = resolver.resolve6(host).then((addresses) => void found.push(...addresses.slice(0, MOST)));
    const both = Promise.allSettled([v4, v6]);
    const first = Promise.any([v4, v6]).then(
      () => wait(OTHER_FAMILY_MS),
      () => undefined,
    );
    await Promise.race([both, first]);
    if (found.length > 0) return [...found];
    for (const outcome of await both) {
      if (outcome.status === 'rejected' && !NO_SUCH.has(codeOf(outcome.reason))) throw outcome.reason;
    }
    return [];
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

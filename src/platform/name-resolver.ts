import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { FairSlots } from './fair-slots.ts';
import type { Lookup } from './guarded-connect.ts';

/**
 * Once one family has answered with addresses, the other may take this much longer (RFC 8305, section 3, names 50 ms).
 */
const OTHER_FAMILY_MS = 100;
const TRIES = 2;
/** Addresses of one family; no one could try more of them before the deadline. */
const MOST = 16;
/** The codes of c-ares for a name that has no address of that family or does not exist. */
const NO_SUCH = new Set(['ENOTFOUND', 'ENODATA']);

interface DnsQuery {
  readonly host: string;
  /** As `ip` or `ip:port`; null for the machine's own. */
  readonly servers: readonly string[] | null;
  /** For all attempts together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * The addresses of a name by DNS, IPv4 first. Empty when the servers say that there are none; raises when they do not
 * answer in time or `signal` aborts. The sockets of the query are always closed.
 */
async function queryAddresses({ host, servers, deadlineMs, signal }: DnsQuery): Promise<string[]> {
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

/** After this long, the file is read again; names in it are changed by hand. */
const FRESH_MS = 5_000;

/** The names of the machine's hosts file (hosts(5)). A file that cannot be read has none. */
class HostsFile {
  readonly #path: string;
  #readAt = Number.NEGATIVE_INFINITY;
  #names: Promise<ReadonlyMap<string, readonly string[]>> = Promise.resolve(new Map());

  constructor(path: string) {
    this.#path = path;
  }

  /** Addresses of a name in lower case, in the order of the file; empty for a name it does not have. */
  async addresses(name: string): Promise<readonly string[]> {
    if (performance.now() - this.#readAt > FRESH_MS) {
      this.#readAt = performance.now();
      this.#names = readFile(this.#path, 'utf8').then(parse, () => new Map());
    }
    return (await this.#names).get(name) ?? [];
  }
}

function parse(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}

export interface NameResolverOptions {
  /** Names looked up at a time; one owner alone gets half. */
  readonly atOnce: number;
  /** Lookups that may wait, shared in the same way. */
  readonly waiting: number;
  /** For one lookup, from the request to the answer. */
  readonly deadlineMs: number;
  /** DNS servers as `ip` or `ip:port`; null for the machine's own. */
  readonly servers: readonly string[] | null;
  /** Whether the operating system resolves names of the local network. */
  readonly localNames: boolean;
  readonly hostsFile?: string;
}

/** Raised for a name that has no address, or whose address was not found in time. `code` is that of getaddrinfo. */
export class NameFailure extends Error {
  override readonly name = 'NameFailure';
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN';

  constructor(code: 'ENOTFOUND' | 'EAI_AGAIN', message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const LOCALHOST = /(^|\.)localhost$/;
/** Multicast DNS (RFC 6762) and names without a dot, which only the machine's own search list completes. */
const LOCAL_NETWORK = /^[^.]+$|\.local$/;

/**
 * Resolves names that users gave, separately from those that the operator configured. `getaddrinfo` uses the four
 * threads of the process and cannot be cancelled: a few names whose servers do not answer would block every new
 * connection. So these names are looked up by DNS, a few at a time, shared among owners, and cancelled at their
 * deadline.
 *
 * In this order: `localhost` is this machine (RFC 6761), then the hosts file, then DNS. Where the operator permits
 * local networks, the operating system resolves their names instead, one at a time.
 */
export class NameResolver {
  readonly #options: NameResolverOptions;
  readonly #hosts: HostsFile;
  readonly #queries: FairSlots;
  readonly #system: FairSlots;

  constructor(options: NameResolverOptions) {
    const { atOnce: slots, waiting } = options;
    this.#options = options;
    this.#hosts = new HostsFile(options.hostsFile ?? '/etc/hosts');
    this.#queries = new FairSlots({ slots, waiting, share: 1 });
    this.#system = new FairSlots({ slots: 1, waiting, share: 1 });
  }

  /** Addresses of a name, at least one. Raises NameFailure. */
  async resolve(owner: string, hostname: string): Promise<readonly string[]> {
    const host = hostname.toLowerCase().replace(/\.$/, '');
    if (LOCALHOST.test(host)) return ['127.0.0.1', '::1'];
    const listed = await this.#hosts.addresses(host);
    if (listed.length > 0) return listed;
    const late = AbortSignal.timeout(this.#options.deadlineMs);
    const local = this.#options.localNames && LOCAL_NETWORK.test(host);
    const found = await (local ? this.#askSystem(owner, host, late) : this.#query(owner, host, late)).catch(
      (error: unknown) => {
        throw new NameFailure('EAI_AGAIN', `The name ${host} could not be looked up in time.`, error);
      },
    );
    if (found.length === 0) throw new NameFailure('ENOTFOUND', `The name ${host} has no address.`);
    return found;
  }

  /** The same, in the form that sockets call. */
  lookupFor(owner: string): Lookup {
    return (hostname, options, callback) => {
      this.resolve(owner, hostname).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          const [first] = found;
          if (options.all === true) callback(null, found);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: unknown) => callback(asError(error), options.all === true ? [] : '', 0),
      );
    };
  }

  async #query(owner: string, host: string, late: AbortSignal): Promise<readonly string[]> {
    const { servers, deadlineMs } = this.#options;
    const give = await this.#queries.take(owner, late);
    try {
      return await queryAddresses({ host, servers, deadlineMs, signal: late });
    } finally {
      give();
    }
  }

  /** The slot is released when the thread is, no matter how late. */
  async #askSystem(owner: string, host: string, late: AbortSignal): Promise<readonly string[]> {
    const give = await this.#system.take(owner, late);
    const asked = systemLookup(host, { all: true }).finally(give);
    const found = await Promise.race([asked, aborted(late)]);
    return found.map(({ address }) => address);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { queryAddresses } from './dns-query.ts';
import { FairSlots } from './fair-slots.ts';
import type { Lookup } from './guarded-connect.ts';
import { HostsFile } from './hosts-file.ts';

export interface NameResolverOptions {
  /** Names looked up at a time; one owner alone has half. */
  readonly atOnce: number;
  /** Look-ups that may wait, shared out alike. */
  readonly waiting: number;
  /** For one look-up, from asking to the answer. */
  readonly deadlineMs: number;
  /** DNS servers as `ip` or `ip:port`; null for those of the machine. */
  readonly servers: readonly string[] | null;
  /** Whether names of the local network are asked of the operating system. */
  readonly localNames: boolean;
  readonly hostsFile?: string;
}

/** Raised for a name that has no address, or of which nobody said one in time. `code` is that of getaddrinfo. */
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
 * Resolves names that users gave, apart from those the operator configured. `getaddrinfo` shares the four threads of
 * the process and cannot be called off: a few names whose servers do not answer would hold up every new connection. So
 * these are asked by DNS, few at a time, shared out by owner, and called off at their deadline.
 *
 * In this order: `localhost` is this machine (RFC 6761), then the hosts file, then DNS. Where the operator opened local
 * networks, their names are asked of the operating system instead, one at a time.
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

  /** The same as a socket asks for it. */
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

  /** The place is given back when the thread is, however late that is. */
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

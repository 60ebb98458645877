import { AsyncLocalStorage } from 'node:async_hooks';
import { AddressGuard } from './address-guard.ts';
import { plainAddress } from './network-addresses.ts';

/** The person at whose request something is done, as their browser reached the service. */
export interface Presence {
  /** A public IP address. */
  readonly address: string;
  readonly userAgent: string | null;
}

const MOST_CHARACTERS = 500;
const PRINTABLE = /^[\x20-\x7e]+$/;
const PUBLIC = new AddressGuard([]);
const current = new AsyncLocalStorage<Presence | null>();

/**
 * A person by where their request comes from; null if that is not a public address, as on a network at home: a bank
 * would not accept it as the address of a person.
 */
export function presenceAt(address: string, userAgent: string | undefined): Presence | null {
  const plain = plainAddress(address);
  if (PUBLIC.classify(plain).kind !== 'public') return null;
  const agent = userAgent?.slice(0, MOST_CHARACTERS) ?? '';
  return { address: plain, userAgent: PRINTABLE.test(agent) ? agent : null };
}

/** Does work that a person waits for at their browser; null for work that no one is known to wait for. */
export function withPresence<T>(person: Presence | null, work: () => T): T {
  // Most work is no one's at a browser, and entering a context costs each promise within.
  return person === null && personPresent() === null ? work() : current.run(person, work);
}

/** Who waits for the current work. */
export function personPresent(): Presence | null {
  return current.getStore() ?? null;
}

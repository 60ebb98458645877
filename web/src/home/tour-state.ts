import type { Account, Connection, Destination, Sync } from '#client';

/**
 * The progress of the tour, derived from what exists in v2, so that it survives reloads, other browsers and visits to
 * vendors.
 */
export interface Tour {
  /** A bank whose accounts can be copied. */
  readonly bank: Connection | null;
  /** Where they are copied to; it may still lack a target, or need to be connected again. */
  readonly destination: Destination | null;
  readonly sync: Sync | null;
}

interface Existing {
  readonly connections: readonly Connection[];
  readonly destinations: readonly Destination[];
  readonly syncs: readonly Sync[];
}

/** Statuses of a connection that is read, or soon will be. */
const READ: ReadonlySet<Connection['status']> = new Set(['pending', 'active', 'expiring']);

/** Of several destinations, the one that needs the least work. */
const READINESS: Readonly<Record<Destination['status'], number>> = {
  active: 0,
  incomplete: 1,
  reauth_required: 2,
  disabled: 3,
};

/** With `type`, destinations of other types and their syncs do not count. */
export function tourOf(
  { connections, destinations, syncs }: Existing,
  type: Destination['type'] | null,
): Tour {
  const banks = connections.filter(({ category, status }) => category === 'banking' && READ.has(status));
  const sync =
    syncs.find(
      (one) => one.type === 'transactions' && (type ?? one.destination.type) === one.destination.type,
    ) ?? null;
  const free = destinations
    .filter((one) => (type ?? one.type) === one.type && one.sync_count === 0)
    .toSorted((a, b) => READINESS[a.status] - READINESS[b.status]);
  const used = destinations.find(({ id }) => id === sync?.destination.id);
  return {
    // One whose accounts have arrived needs no more waiting.
    bank: banks.find((one) => copiedAccounts(one).length > 0) ?? banks[0] ?? null,
    destination: used ?? free[0] ?? null,
    sync,
  };
}

/** The accounts of a bank that a sync of transactions can read. */
export function copiedAccounts({ accounts }: Connection): readonly Account[] {
  return (accounts ?? []).filter(({ category, status }) => category === 'banking' && status === 'available');
}

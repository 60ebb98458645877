import type { DestinationConnector } from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import type { Log } from '../../platform/log.ts';
import type { Db } from '../../storage/database.ts';
import { findDestination } from '../../storage/destinations.ts';
import { typeNotSetUp } from '../../vocabulary/consoles.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import { destinationError } from './destination-failures.ts';

const RETRY_AFTER_S = 5;

/** A secret that was accepted a moment ago. */
export interface SignedIn {
  /** What is stored of it, sealed. */
  readonly grant: string;
  /** The name of the destination if its owner gives none. */
  readonly name: string;
}

export interface DestinationSignInsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Pick<Log, 'warn'>;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly tries: DestinationTries;
}

/**
 * Attempts at what callers sent for a destination, before anything is stored: secrets and targets. Each may open a
 * connection to an address that the caller chose, so one process makes few at a time, shared out by account record.
 */
export class DestinationTries {
  readonly #slots: FairSlots;

  constructor(limits: Pick<Limits, 'sign_ins_at_once'>) {
    this.#slots = new FairSlots({ slots: limits.sign_ins_at_once, waiting: 0, share: 1 });
  }

  /** Raises `too_many_concurrent_requests`, and what `work` raises. */
  async run<T>(owner: OwnerId, work: () => Promise<T>): Promise<T> {
    const give = await this.#slots.take(owner).catch(tooMany);
    try {
      return await work();
    } finally {
      give();
    }
  }
}

/** Tries the secrets of destinations that connect by one, before anything is stored. */
export class DestinationSignIns {
  readonly #deps: DestinationSignInsDependencies;

  constructor(deps: DestinationSignInsDependencies) {
    this.#deps = deps;
  }

  /**
   * For a new destination; one that connects directly has an empty secret. Null for a type that connects in another
   * way. Raises `parameter_missing` and `parameter_invalid` (`secret`), `not_supported` (`type`) where the type is not
   * set up, `too_many_concurrent_requests`, the `upstream_…` codes, or `signal.reason`.
   */
  async check(
    owner: OwnerId,
    type: DestinationType,
    secret: string | undefined,
    signal: AbortSignal,
  ): Promise<SignedIn | null> {
    const { connects } = DESTINATION_KINDS[type];
    if (connects !== 'secret') {
      if (secret !== undefined) {
        throw invalidParameter('secret', `A destination of type ${type} takes no secret: omit it.`);
      }
      return connects === 'direct' ? this.#signedIn(owner, type, '', signal) : null;
    }
    if (secret === undefined) {
      const message = `secret is required for a destination of type ${type}.`;
      throw new ServiceError('parameter_missing', { param: 'secret', message });
    }
    return this.#signedIn(owner, type, secret, signal);
  }

  /** For a destination that gets a new secret. Raises `resource_missing` and what `check` raises. */
  async checkAgain(
    owner: OwnerId,
    id: RowId<'destination'>,
    secret: string,
    signal: AbortSignal,
  ): Promise<SignedIn | null> {
    const row = await findDestination(this.#deps.db, owner, id);
    if (row === null) throw missing('destination');
    return this.check(owner, row.type, secret, signal);
  }

  async #signedIn(
    owner: OwnerId,
    type: DestinationType,
    secret: string,
    signal: AbortSignal,
  ): Promise<SignedIn> {
    const { clock, limits, log, connectors, tries } = this.#deps;
    const signIn = connectors.get(type)?.signIn;
    if (signIn === undefined) {
      throw new ServiceError('not_supported', { param: 'type', message: typeNotSetUp(type) });
    }
    try {
      const outcome = await tries.run(owner, () =>
        withDeadline(clock, limits.read_deadline_ms, signal, (within) => signIn.check(owner, secret, within)),
      );
      if (outcome.kind === 'refused') throw invalidParameter('secret', outcome.message);
      return outcome;
    } catch (error) {
      if (error instanceof ServiceError || (signal.aborted && error === signal.reason)) throw error;
      log.warn('Failed to try the secret of a destination.', { type }, error);
      throw destinationError(error, type, `The ${type} server`);
    }
  }
}

function tooMany(error: unknown): never {
  if (!(error instanceof SlotsFull)) throw error;
  throw new ServiceError('too_many_concurrent_requests', {
    message:
      'Too many secrets and targets of this account record are being tried at the moment. Wait for one to finish.',
    retryAfterSeconds: RETRY_AFTER_S,
    cause: error,
  });
}

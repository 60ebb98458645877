import type {
  DestinationAccess,
  DestinationConnector,
  TargetProblem,
  TargetQuestion,
} from '../../connectors/destinations/destination-contract.ts';
import type { AddressGuard } from '../../platform/address-guard.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { validateWebhookUrl } from '../../platform/webhook-url.ts';
import type { DestinationRow } from '../../storage/destinations.ts';
import { apartFromUnit } from '../../storage/unit-of-work.ts';
import { typeNotSetUp } from '../../vocabulary/consoles.ts';
import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS, type Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import type { AskedPlace, AskedPlaces } from '../syncs/row-places.ts';
import { destinationError, lapsedGrant } from './destination-failures.ts';
import type { DestinationGrants } from './destination-grants.ts';
import type { DestinationSecrets } from './destination-secrets.ts';
import type { DestinationTries, SignedIn } from './destination-sign-ins.ts';

type Target = Readonly<Record<string, string>>;

interface TargetChecksDependencies {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Pick<Log, 'warn'>;
  readonly guard: AddressGuard;
  readonly secrets: Pick<DestinationSecrets, 'target'>;
  readonly grants: Pick<DestinationGrants, 'access'>;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly tries: DestinationTries;
}

/** Whose destination is checked, and with which grant; null if there is no valid one. */
interface Asker {
  readonly owner: OwnerId;
  readonly type: DestinationType;
  readonly access: DestinationAccess | null;
}

/** What is checked, and in which field of the request each part of it was sent. */
interface AskedTarget {
  readonly question: TargetQuestion;
  param(problem: TargetProblem): string;
}

/**
 * Asks the vendor whether a target and its contents exist and can be written to, before it is stored
 * (docs/destinations.md#checking-targets). No transaction is open meanwhile, and nothing is changed.
 *
 * Everything here raises `parameter_invalid` naming the field at fault; where the vendor does not say, one of the
 * `upstream_…` codes; `not_supported`, `too_many_concurrent_requests`, or `signal.reason`.
 */
export class TargetChecks {
  readonly #deps: TargetChecksDependencies;

  constructor(deps: TargetChecksDependencies) {
    this.#deps = deps;
  }

  /** For a destination that is about to be created with the target. @param signedIn what its secret was accepted for */
  async requireNew(
    { owner, type, signedIn }: Pick<Asker, 'owner' | 'type'> & { readonly signedIn: SignedIn | null },
    target: Target,
    signal: AbortSignal,
  ): Promise<void> {
    const access = signedIn === null ? null : unstored(owner, signedIn.grant);
    await this.#require({ owner, type, access }, aimedAt(target), signal);
  }

  /** For a destination that is about to get the target. @param signedIn of a secret that comes with it */
  async requireAim(
    row: DestinationRow,
    signedIn: SignedIn | null,
    target: Target,
    signal: AbortSignal,
  ): Promise<void> {
    const { account_record: owner } = row;
    const asker =
      signedIn === null ? this.#askerOf(row) : { ...row, owner, access: unstored(owner, signedIn.grant) };
    await this.#require(asker, aimedAt(target), signal);
  }

  /** For what a sync is about to write to: the destination's own target, and what is in it. */
  async requirePlaces(row: DestinationRow, asked: AskedPlaces, signal: AbortSignal): Promise<void> {
    const target = this.#deps.secrets.target(row);
    const { places, categories, targetParam } = asked;
    const question = { target, places: idsOf(places), categories: idsOf(categories) };
    const param = ({ part, name }: TargetProblem): string =>
      (part === 'target' ? undefined : asked[part].find(({ id }) => id === name)?.param) ?? targetParam;
    await this.#require(this.#askerOf(row), { question, param }, signal);
  }

  /** A grant that is known to be invalid is not used. */
  #askerOf(row: DestinationRow): Asker {
    const { account_record: owner, type, status } = row;
    const access = status === 'reauth_required' ? null : this.#deps.grants.access(row);
    return { owner, type, access };
  }

  async #require(asker: Asker, { question, param }: AskedTarget, signal: AbortSignal): Promise<void> {
    const problem = await this.#problem(asker, question, signal);
    if (problem !== null) throw invalidParameter(param(problem), problem.message);
  }

  async #problem(
    { owner, type, access }: Asker,
    question: TargetQuestion,
    signal: AbortSignal,
  ): Promise<TargetProblem | null> {
    const { clock, limits, log, guard, connectors, tries } = this.#deps;
    if (DESTINATION_KINDS[type].connects === 'url') return urlProblem(guard, question.target);
    const connector = connectors.get(type);
    if (connector?.checkTarget === undefined) {
      throw new ServiceError('not_supported', { message: typeNotSetUp(type) });
    }
    if (access === null) throw lapsedGrant(type);
    const check = connector.checkTarget.bind(connector);
    try {
      return await tries.run(owner, () =>
        apartFromUnit(() =>
          withDeadline(clock, limits.read_deadline_ms, signal, (within) => check(access, question, within)),
        ),
      );
    } catch (error) {
      if (error instanceof ServiceError || (signal.aborted && error === signal.reason)) throw error;
      log.warn('Failed to check the target of a destination.', { type }, error);
      throw destinationError(error, type, `The ${type} destination`);
    }
  }
}

const aimedAt = (target: Target): AskedTarget => ({
  question: { target, places: [], categories: [] },
  param: ({ name }) => `target.${name}`,
});

const idsOf = (asked: readonly AskedPlace[]): readonly string[] => [...new Set(asked.map(({ id }) => id))];

function urlProblem(guard: AddressGuard, { url = '' }: Target): TargetProblem | null {
  const judged = validateWebhookUrl(guard, url);
  return 'refusal' in judged ? { part: 'target', name: 'url', message: judged.refusal } : null;
}

/** The grant of a secret that was accepted a moment ago. */
function unstored(owner: OwnerId, grant: string): DestinationAccess {
  return {
    owner,
    current: async () => grant,
    renew: async () => {
      throw new TypeError('what a secret grants is not renewed');
    },
  };
}

/**
 * A target with exactly the keys of its type (docs/resources.md#destination). Raises `parameter_missing` for a key left
 * out and `parameter_invalid` for one the type does not have or a value that is empty or too long.
 */
export function validateTarget(type: DestinationType, given: Target): Target {
  const keys: readonly string[] = DESTINATION_KINDS[type].target.keys;
  for (const [key, value] of Object.entries(given)) {
    const param = `target.${key}`;
    if (!keys.includes(key)) {
      throw invalidParameter(param, `The target of a destination of type ${type} is ${keys.join(', ')}.`);
    }
    const most = key === 'url' ? FIXED_LIMITS.url_characters : FIXED_LIMITS.name_characters;
    if (value.length === 0 || value.length > most) {
      throw invalidParameter(param, `${param} must have 1 to ${most} characters.`);
    }
  }
  for (const key of keys) {
    if (!Object.hasOwn(given, key)) {
      throw new ServiceError('parameter_missing', {
        param: `target.${key}`,
        message: `target.${key} is required for a destination of type ${type}.`,
      });
    }
  }
  return given;
}

/** Whether two targets are the same place: their names are for people and may change. */
export function samePlace(one: Target, other: Target): boolean {
  const ids = (target: Target) =>
    Object.entries(target)
      .filter(([key]) => !key.endsWith('_name'))
      .map(([key, value]) => `${key}\n${value}`)
      .toSorted();
  return ids(one).join('\n\n') === ids(other).join('\n\n');
}

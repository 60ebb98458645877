import type { FaultSpec } from '../../sandbox/shared/faults.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Answer } from '../support/v2-client.ts';
import { send } from './asks.ts';
import { askAbout, type Ids } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import type { LinkedOwner } from './stage.ts';
import { liveDocumentBody, made, okay, syncBody, webhook } from './things.ts';

const ROUTE = 'GET /v1/banking/*';

/** What every operation that reads an account at its bank answers when the bank fails it. */
export const BANK_CODES: Provocations = {
  upstream_unavailable: faulty({ kind: 'server-error' }),
  upstream_timeout: faulty({ kind: 'hang' }),
  upstream_failed: faulty({ kind: 'malformed-json' }),
  upstream_bad_request: faulty({ kind: 'refusal', status: 400 }),
  not_supported: faulty({ kind: 'refusal', status: 501 }),
  upstream_rate_limited: (scene, operation) => limited(scene, operation, 1),
  provider_wait: (scene, operation) => limited(scene, operation, 2),
  account_unavailable: async ({ stage, things }, operation) => {
    const owner = await stage.linkedToClosed();
    return send(owner, askAbout(operation, await idsOf(owner, things, operation)));
  },
  upstream_auth_failed: async ({ stage, things }, operation) => {
    const owner = await stage.linkedToRevoked();
    return send(owner, askAbout(operation, await idsOf(owner, things, operation)));
  },
};

/** What another owner can name: their own account, ruleset and statement file of the account; the rest belongs to someone else. */
export async function idsOf(
  owner: LinkedOwner,
  things: Scene['things'],
  operation: Operation | null = null,
): Promise<Ids> {
  const ruleset = (await made(owner, '/v2/rulesets', { name: 'Mine' })).id;
  const ofSync = operation?.path.startsWith('/v2/syncs/') === true;
  const sync = ofSync
    ? (await made(owner, '/v2/syncs', syncBody(owner.account, await webhook(owner)))).id
    : null;
  const document =
    operation?.path.startsWith('/v2/documents/') === true
      ? (await made(owner, '/v2/documents', liveDocumentBody(owner.account))).id
      : null;
  return (thing) => {
    if (thing === 'account') return owner.account;
    if (thing === 'document' && document !== null) return document;
    if (thing === 'sync' && sync !== null) return sync;
    return thing === 'ruleset' ? ruleset : things.ids(thing);
  };
}

/** Asks while the bank is at fault, then again without, so that one fault does not open the breaker for the next. */
function faulty(fault: Omit<FaultSpec, 'route' | 'count'>): Provoke {
  return async ({ stage, things }, operation) => {
    const ask = askAbout(operation, things.ids);
    stage.bank.addFault({ ...fault, route: ROUTE, count: 10 });
    const answer = await send(things.owner, ask).finally(() => stage.bank.clearFaults());
    if (answer.status >= 400) okay(await send(things.owner, ask));
    return answer;
  };
}

/** The `nth` answer after the bank has answered once with too many requests: it gets no calls from then on. */
async function limited({ stage, things }: Scene, operation: Operation, nth: 1 | 2): Promise<Answer> {
  const owner = await stage.linked('sole-trader');
  const ask = askAbout(operation, await idsOf(owner, things, operation));
  stage.bank.addFault({ kind: 'rate-limit', retryAfterSeconds: 30, route: ROUTE });
  const first = await send(owner, ask).finally(() => stage.bank.clearFaults());
  return nth === 1 ? first : send(owner, ask);
}

import type { FaultSpec } from '../../sandbox/shared/faults.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Answer } from '../support/v2-client.ts';
import { send } from './asks.ts';
import { idsOf } from './bank-faults.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { okay } from './things.ts';

const ROUTE = 'GET /accounts/*';

/** What every operation that reads an account at its broker answers when the broker fails it. */
export const BROKER_CODES: Provocations = {
  upstream_unavailable: faulty({ kind: 'unavailable' }),
  upstream_timeout: faulty({ kind: 'hang' }),
  upstream_failed: faulty({ kind: 'malformed-json' }),
  upstream_bad_request: faulty({ kind: 'refusal', status: 422 }),
  not_supported: faulty({ kind: 'refusal', status: 501 }),
  upstream_rate_limited: (scene, operation) => limited(scene, operation, 1),
  provider_wait: (scene, operation) => limited(scene, operation, 2),
  account_unavailable: async ({ stage, things }, operation) => {
    // A separate persona: the account is gone for everyone who connected it.
    const owner = await stage.newBrokerage('no-transactions');
    const { accounts } = newest(stage);
    for (const account of accounts) stage.broker.setAccountStatus(account, 'gone');
    const answer = await send(owner, askAbout(operation, await idsOf(owner, things)));
    for (const account of accounts) stage.broker.setAccountStatus(account, 'open');
    return answer;
  },
  upstream_auth_failed: async ({ stage, things }, operation) => {
    const owner = await stage.newBrokerage();
    stage.broker.deleteConnection(newest(stage).id);
    return send(owner, askAbout(operation, await idsOf(owner, things)));
  },
};

/** The connection that was made last. */
function newest({ broker }: Scene['stage']) {
  const found = broker.connections().at(-1);
  if (found === undefined) throw new Error('Nobody has connected a broker.');
  return found;
}

/** Asks while the broker is at fault, then again without, so that one fault does not open the breaker for the next. */
function faulty(fault: Omit<FaultSpec, 'route' | 'count'>): Provoke {
  return async ({ stage, things }, operation) => {
    const owner = await stage.brokerage();
    const ask = askAbout(operation, await idsOf(owner, things));
    stage.broker.addFault({ ...fault, route: ROUTE, count: 10 });
    const answer = await send(owner, ask).finally(() => stage.broker.clearFaults());
    if (answer.status >= 400) okay(await send(owner, ask));
    return answer;
  };
}

/** The `nth` answer after the broker has answered once with too many requests: it gets no calls from then on. */
async function limited({ stage, things }: Scene, operation: Operation, nth: 1 | 2): Promise<Answer> {
  const owner = await stage.newBrokerage();
  const ask = askAbout(operation, await idsOf(owner, things));
  stage.broker.addFault({ kind: 'rate-limit', retryAfterSeconds: 30, route: ROUTE });
  const first = await send(owner, ask).finally(() => stage.broker.clearFaults());
  return nth === 1 ? first : send(owner, ask);
}

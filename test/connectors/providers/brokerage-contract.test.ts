import type { FaultSpec } from '../../../sandbox/shared/faults.ts';
import { openBrokerage } from './brokerage-broker.ts';
import {
  type BrokerFault,
  type BrokerHarness,
  type BrokerRoute,
  describeBroker,
} from './brokerage-contract.ts';

const ROUTES: Record<BrokerRoute, string> = {
  accounts: 'GET /authorizations/*/accounts',
  connections: 'GET /authorizations*',
  holdings: 'GET /accounts/*/positions/all',
  trades: 'GET /accounts/*/activities',
};
const FAULTS: Record<BrokerFault, Omit<FaultSpec, 'route'>> = {
  outage: { kind: 'unavailable' },
  'rate-limit': { kind: 'rate-limit', retryAfterSeconds: 7 },
  'rate-limit-unsaid': { kind: 'rate-limit' },
  reset: { kind: 'connection-reset' },
  malformed: { kind: 'malformed-json' },
  truncated: { kind: 'truncated-body' },
  html: { kind: 'wrong-content-type' },
  hang: { kind: 'hang' },
  'row-without-id': { kind: 'row-without-id' },
  unsupported: { kind: 'refusal', status: 501 },
  copying: { kind: 'refusal', status: 425 },
};

for (const personal of [false, true]) {
  for (const pagedPositions of [false, true]) {
    const name = `brokerage with a ${personal ? 'personal' : 'commercial'} key, positions ${pagedPositions ? 'by pages' : 'whole'}`;
    describeBroker(name, () => open(personal, pagedPositions), !personal);
  }
}

async function open(personal: boolean, pagedPositions: boolean): Promise<BrokerHarness> {
  const settings = { accountRequestsPerMinute: 1000 };
  const brokerage = await openBrokerage({ personal, pagedPositions, settings });
  const { provider, simulator, time, shut } = brokerage;
  const { control } = simulator;
  let brokers = 0;
  return {
    provider,
    person: 'self-directed',
    // The one user of a personal key has one connection for each broker, so the others link at the next.
    link: (person, outcome = 'approve') =>
      brokerage.link(person, {
        outcome,
        broker: personal ? (['SANDBOX', 'MAPLE'][brokers++ % 2] ?? '') : 'SANDBOX',
      }),
    fault: (route, fault, count) => {
      control.addFault({ route: ROUTES[route], count, ...FAULTS[fault] });
    },
    clearFaults: () => control.clearFaults(),
    loseLogin: ({ consent }) => control.disable(consent),
    regainLogin: ({ consent }) => control.enable(consent),
    wait: () => {
      time.now += 61_000;
    },
    revoke: ({ consent }) => control.deleteConnection(consent),
    close: (account) => control.setAccountStatus(account, 'gone'),
    rowsAtBroker: (account) => ({
      holdings: control.positionsOf(account),
      trades: control.activitiesOf(account),
    }),
    shut,
  };
}

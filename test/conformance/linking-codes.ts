import { mock } from 'node:test';
import type { Operation } from '../../src/operations/operation.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import type { TestOwner } from '../support/service.ts';
import { send } from './asks.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';

const INSTITUTION = 'inst_fk_90001';

/** Asks a service that caches no list of institutions, while the bank fails. */
function strange(kind: 'server-error' | 'hang'): Provoke {
  return async ({ stage, things }, operation) => {
    const bank = sandboxBank(stage.hurried.app);
    bank.addFault({ route: 'GET /*', kind, count: 10 });
    const owner = await stage.hurried.owner();
    return send(owner, askLinking(operation, things)).finally(() => bank.clearFaults());
  };
}

/** Asks for the banks of a provider whose adapter lists none. */
const unlisted: Provoke = async ({ stage, things }, operation) => {
  const { gateway } = stage.service.app;
  const offered = new Set(
    [...gateway.providers.capabilities('au_banking')].filter((one) => one !== 'institutions'),
  );
  const mocked = mock.method(gateway.providers, 'capabilities', () => offered);
  const ask = { ...askAbout(operation, things.ids), query: 'provider=au_banking' };
  return send(things.owner, ask).finally(() => mocked.mock.restore());
};

function askLinking(operation: Operation, things: Scene['things'], provider = 'au_banking') {
  const ask = askAbout(operation, things.ids);
  if (operation.id !== 'create_link_session') return ask;
  const institution = provider === 'au_banking' ? INSTITUTION : null;
  return { ...ask, body: { provider, institution, return_url: 'https://app.example.test/back' } };
}

/** The shared owner's subscription is cancelled, and restored after the answer. */
const unsubscribed: Provoke = async ({ stage, things }, operation) => {
  const { id } = things.owner.record;
  const { accountRecords } = stage.service.app.services;
  await accountRecords.update(id, { status: 'canceled' });
  return send(things.owner, askLinking(operation, things)).finally(() =>
    accountRecords.update(id, { status: 'active' }),
  );
};

async function onPlan(stage: Scene['stage'], owner: TestOwner, plan: 'developer'): Promise<TestOwner> {
  await stage.service.app.services.accountRecords.update(owner.record.id, { plan });
  return owner;
}

export const LINKING_CODES: Readonly<Record<string, Provocations>> = {
  list_institutions: {
    not_supported: unlisted,
    upstream_unavailable: strange('server-error'),
    upstream_timeout: strange('hang'),
  },
  create_link_session: {
    upstream_unavailable: strange('server-error'),
    upstream_timeout: strange('hang'),
    subscription_required: unsubscribed,
    professional_required: async ({ stage, things }, operation) =>
      send(
        await onPlan(stage, await stage.service.owner(), 'developer'),
        askLinking(operation, things, 'brokerage'),
      ),
    connection_limit: async ({ stage, things }, operation) => {
      const owner = await stage.service.owner();
      const limits = { connections: 0, accounts: 0, syncs: 0, destinations: 0 };
      await stage.service.app.services.accountRecords.update(owner.record.id, { limits });
      return send(owner, askLinking(operation, things));
    },
    link_session_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('link_sessions', () => send(things.owner, askLinking(operation, things))),
  },
  reauthorize_connection: {
    provider_mismatch: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { provider: 'nz_banking' } }),
    not_supported: async ({ stage }, operation) => {
      const owner = await stage.unprovided();
      return send(
        owner,
        askAbout(operation, () => owner.connection),
      );
    },
    professional_required: async ({ stage }, operation) => {
      const owner = await stage.brokerage();
      await onPlan(stage, owner, 'developer');
      const answer = await send(
        owner,
        askAbout(operation, () => owner.connection),
      );
      await stage.service.app.services.accountRecords.update(owner.record.id, { plan: 'professional' });
      return answer;
    },
    subscription_required: unsubscribed,
    link_session_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('link_sessions', () => send(things.owner, askAbout(operation, things.ids))),
  },
  delete_connection: {
    connection_delete_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('connections', () => send(things.owner, askAbout(operation, things.ids))),
  },
};

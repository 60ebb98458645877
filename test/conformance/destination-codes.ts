import assert from 'node:assert/strict';
import { aimed, draft, RETURN_URL } from '../connectors/destinations/support/linked.ts';
import type { Trouble } from '../connectors/destinations/support/vendor.ts';
import { send } from './asks.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { budgetBody, made, syncBody, webhook } from './things.ts';

/** A webhook of the shared owner, changed past the service; the operation is asked about it. */
function about(values: Readonly<Record<string, string>>): Provoke {
  return async ({ stage, things }, operation) => {
    const id = await webhook(things.owner);
    await stage.change('destinations', 'destination', id, values);
    return send(
      things.owner,
      askAbout(operation, () => id),
    );
  };
}

const otherType = about({ type: 'sheets' });

async function taken({ things }: Scene): Promise<string> {
  const { owner } = things;
  return (await owner.v2('GET', `/v2/destinations/${await webhook(owner)}`)).body.target.url;
}

/** A destination that connects with a secret, or a new secret for one, while its server has trouble. */
function signingIn(trouble: Trouble, times = 1): Provoke {
  return async ({ stage, things }, operation) => {
    const { owner } = things;
    stage.vendor.secrets.add('good');
    const connect = { type: 'postgres', secret: 'good' };
    const { id } = await made(owner, '/v2/destinations', connect);
    const body = operation.id === 'create_destination' ? connect : { secret: 'good' };
    stage.vendor.troubles.set('/sign-in', trouble);
    const answers = await stage
      .atOnce(times, () => send(owner, { ...askAbout(operation, () => id), body }))
      .finally(() => stage.vendor.troubles.clear());
    return answers.find(({ status }) => status === 429) ?? answers[0] ?? assert.fail();
  };
}

const SECRET_CODES: Provocations = {
  upstream_bad_request: signingIn({ status: 404 }),
  upstream_auth_failed: signingIn({ status: 401 }),
  upstream_rate_limited: signingIn({ status: 429 }),
  upstream_unavailable: signingIn({ status: 500 }),
  upstream_failed: signingIn('not json'),
  upstream_timeout: signingIn('hang'),
  too_many_concurrent_requests: signingIn('hang', 9),
};

export const DESTINATION_CODES: Readonly<Record<string, Provocations>> = {
  create_destination: {
    ...SECRET_CODES,
    parameter_missing: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { type: 'postgres' } }),
    not_supported: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { type: 'sheets', name: 'books' } }),
    destination_exists: async (scene, operation) =>
      send(scene.things.owner, {
        ...askAbout(operation, scene.things.ids),
        body: { type: 'webhook', name: 'books', target: { url: await taken(scene) } },
      }),
    destination_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('destinations', () => send(things.owner, askAbout(operation, things.ids))),
  },
  update_destination: {
    ...SECRET_CODES,
    not_supported: async ({ stage, things }, operation) => {
      const id = await webhook(things.owner);
      await stage.change('destinations', 'destination', id, { type: 'actual' });
      return send(things.owner, { ...askAbout(operation, () => id), body: { secret: 'x' } });
    },
    parameter_missing: ({ things }, operation) =>
      send(things.owner, { ...askAbout(operation, things.ids), body: { target: {} } }),
    destination_exists: async (scene, operation) => {
      const id = await webhook(scene.things.owner);
      const url = await taken(scene);
      return send(scene.things.owner, { ...askAbout(operation, () => id), body: { target: { url } } });
    },
    destination_in_use: async ({ things }, operation) => {
      const { owner } = things;
      const { id } = await aimed(owner, 'ynab');
      await made(owner, '/v2/syncs', budgetBody(owner.account, id));
      return send(owner, { ...askAbout(operation, () => id), body: { target: { budget_id: 'another' } } });
    },
  },
  delete_destination: {
    destination_in_use: async ({ stage, things }, operation) => {
      const id = await webhook(things.owner);
      const sync = await made(things.owner, '/v2/syncs', {
        ...syncBody(things.owner.account, id),
        run_now: false,
      });
      const run = await made(things.owner, `/v2/syncs/${sync.id}/run`, undefined);
      await stage.change('sync_runs', 'sync_run', run.id, { status: 'running', completed_at: null });
      return send(
        things.owner,
        askAbout(operation, () => id),
      );
    },
  },
  rotate_destination_secret: {
    not_a_webhook: otherType,
    destination_rotate_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('destinations', () => send(things.owner, askAbout(operation, things.ids))),
  },
  create_destination_link: {
    not_supported: ({ things }, operation) =>
      send(things.owner, {
        ...askAbout(operation, things.ids),
        body: { type: 'notion', return_url: RETURN_URL },
      }),
    destination_link_create_failed: ({ stage, things }, operation) =>
      stage.withBrokenTable('destination_links', () =>
        send(things.owner, {
          ...askAbout(operation, things.ids),
          body: { type: 'sheets', return_url: RETURN_URL },
        }),
      ),
  },
  create_destination_target: {
    not_supported: ({ things }, operation) => send(things.owner, askAbout(operation, things.ids)),
    destination_in_use: async ({ stage, things }, operation) => {
      const { id } = await draft(things.owner);
      const creating = {
        creation_key: '01234567-89ab-4cde-8f01-23456789abcd',
        creating_until: '2999-01-01T00:00:00Z',
      };
      await stage.change('destinations', 'destination', id, creating);
      return send(
        things.owner,
        askAbout(operation, () => id),
      );
    },
    upstream_bad_request: troubled({ status: 404 }, '/things'),
    upstream_auth_failed: troubled({ status: 401 }, '/things'),
    upstream_rate_limited: troubled({ status: 429 }, '/things'),
    upstream_unavailable: troubled({ status: 500 }, '/things'),
    upstream_failed: troubled('not json', '/things'),
    upstream_timeout: troubled('hang', '/things'),
  },
  list_destination_resources: {
    no_resources: ({ things }, operation) => send(things.owner, askAbout(operation, things.ids)),
    not_supported: async ({ stage, things }, operation) => {
      const id = await webhook(things.owner);
      await stage.change('destinations', 'destination', id, { type: 'notion' });
      return send(things.owner, { ...askAbout(operation, () => id), query: 'type=database' });
    },
    upstream_bad_request: troubled({ status: 404 }),
    upstream_auth_failed: troubled({ status: 401 }),
    upstream_rate_limited: troubled({ status: 429 }),
    upstream_unavailable: troubled({ status: 500 }),
    upstream_failed: troubled('not json'),
    upstream_timeout: troubled('hang'),
  },
};

/** A draft destination whose vendor fails while it is listed or something is created. */
function troubled(trouble: Trouble, path: '/resources' | '/things' = '/resources'): Provoke {
  return async ({ stage, things }, operation) => {
    const { id } = await draft(things.owner);
    stage.vendor.troubles.set(path, trouble);
    const query = path === '/resources' ? 'type=spreadsheet' : '';
    const ask = { ...askAbout(operation, () => id), query };
    return send(things.owner, ask).finally(() => stage.vendor.troubles.clear());
  };
}

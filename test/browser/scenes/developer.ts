import { connectApp, newSetupToken } from '../../support/bridge.ts';
import type { TestOwner } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { letIn, signIn } from '../../surfaces/oauth/stage.ts';
import { linkedOwner } from '../lives.ts';
import { type Scenes, sceneAt } from './scene.ts';

export async function addEventDestination(
  owner: TestOwner,
  name: string,
  enabled_events: readonly string[] = ['*'],
): Promise<Json> {
  const url = 'https://receiver.none.test/events';
  const made = await owner.v2('POST', '/v2/event_destinations', {
    name,
    webhook_endpoint: { url },
    enabled_events,
  });
  return made.body;
}

async function withKeys(owner: TestOwner): Promise<TestOwner> {
  await owner.v2('POST', '/v2/api_keys', { name: 'Every read', scopes: ['data:read', 'syncs:read'] });
  const old = await owner.v2('POST', '/v2/api_keys', {
    name: 'Budget script on the home server',
    scopes: ['data:read', 'syncs:write'],
    allowed_ips: ['203.0.113.0/24', '2001:db8::7'],
    expires_at: '2031-01-31T00:00:00Z',
  });
  await owner.v2('POST', `/v2/api_keys/${old.body.id}/rotate`, { grace: '24h' });
  const gone = await owner.v2('POST', '/v2/api_keys', { name: 'Old laptop', scopes: ['data:read'] });
  await owner.v2('DELETE', `/v2/api_keys/${gone.body.id}`);
  return owner;
}

export const DEVELOPER_SCENES: Scenes = {
  'api-keys': sceneAt('/developer', async (service) => ({
    owner: await withKeys(await service.owner()),
    ready: (page) => page.getByText('Old laptop').waitFor(),
  })),
  'api-key': sceneAt('/developer/keys/:id', async (service) => {
    const owner = await withKeys(await service.owner());
    const { data } = (await owner.v2('GET', '/v2/api_keys')).body;
    const shown = data.find((key: Json) => key.status === 'expiring');
    return {
      owner,
      path: `/developer/keys/${shown.id}`,
      ready: (page) => page.getByText('Stops working').waitFor(),
    };
  }),
  'api-key-revoke': sceneAt('/developer', async (service) => ({
    owner: await withKeys(await service.owner()),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Actions for Every read' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await page.getByText('This cannot be undone').waitFor();
    },
  })),
  'api-key-new': sceneAt('/developer/keys/new', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Budget script');
      await page.getByRole('button', { name: 'All that read' }).click();
      await page.getByText('8 scopes chosen').waitFor();
    },
  })),
  'api-key-secret': sceneAt('/developer/keys/new', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Budget script');
      await page.getByLabel('data:read').check();
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByText('Copy the secret now').waitFor();
    },
  })),
  events: sceneAt('/developer/events', async (service) => ({
    owner: await linkedOwner(service),
    ready: (page) => page.getByText('connection.created').last().waitFor(),
  })),
  'events-empty': sceneAt('/developer/events', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No events yet').waitFor(),
  })),
  event: sceneAt('/developer/events/:id', async (service) => {
    const owner = await service.owner();
    const destination = await addEventDestination(owner, 'Ledger');
    const { body } = await owner.v2('POST', `/v2/event_destinations/${destination.id}/ping`);
    return {
      owner,
      path: `/developer/events/${body.id}`,
      ready: (page) => page.getByText(/The connection broke|No answer in time/).waitFor({ timeout: 60_000 }),
    };
  }),
  'event-destinations': sceneAt('/developer/event-destinations', async (service) => {
    const owner = await service.owner();
    await addEventDestination(owner, 'Ledger');
    const off = await addEventDestination(owner, 'Chat', ['sync_run.failed', 'sync.attention']);
    await owner.v2('POST', `/v2/event_destinations/${off.id}/disable`);
    return {
      owner,
      ready: (page) => page.getByText('Disabled').waitFor(),
    };
  }),
  'event-destinations-empty': sceneAt('/developer/event-destinations', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No event destination yet').waitFor(),
  })),
  'event-destination': sceneAt('/developer/event-destinations/:id', async (service) => {
    const owner = await linkedOwner(service);
    const off = await addEventDestination(owner, 'Chat', ['connection.*', 'sync.attention']);
    await owner.v2('POST', `/v2/event_destinations/${off.id}/disable`);
    return {
      owner,
      path: `/developer/event-destinations/${off.id}`,
      ready: (page) => page.getByText('A member of this account disabled it.').waitFor(),
    };
  }),
  'event-destination-new': sceneAt('/developer/event-destinations/new', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByLabel('Everything that happens').uncheck();
      await page.getByLabel('Everything about sync runs').check();
      await page.getByText('Included in the group.').first().waitFor();
    },
  })),
  reference: sceneAt('/developer/reference', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('/v2/me').first().waitFor(),
  })),
  'reference-operation': sceneAt('/developer/reference/:operation', async (service) => {
    const owner = await linkedOwner(service);
    return {
      owner,
      path: '/developer/reference/list_accounts',
      ready: async (page) => {
        await page.getByRole('button', { name: 'Send request' }).click();
        await page.getByText('Status 200').waitFor();
      },
    };
  }),
  'reference-writes': sceneAt('/developer/reference/:operation', async (service) => ({
    owner: await service.owner(),
    path: '/developer/reference/create_sync',
    ready: (page) => page.getByText('uuidgen').waitFor(),
  })),
  agents: sceneAt('/developer/agents', async (service) => ({
    owner: await service.owner(),
    ready: async (page) => {
      await page.getByLabel('Agent', { exact: true }).selectOption('Claude Code');
      await page.getByText('claude mcp add').first().waitFor();
    },
  })),
  'connected-apps': sceneAt('/developer/apps', async (service) => {
    const owner = await service.owner();
    await letIn(service, await signIn(service, owner), {});
    return {
      owner,
      ready: (page) => page.getByText('It may:').waitFor(),
    };
  }),
  'connected-apps-empty': sceneAt('/developer/apps', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('No app is connected').waitFor(),
  })),
  simplefin: sceneAt('/developer/simplefin', async (service) => {
    const owner = await service.owner();
    await connectApp(service, owner, 'Actual on the home server');
    await newSetupToken(owner, 'Home Assistant');
    return {
      owner,
      ready: (page) => page.getByText('Not used yet').first().waitFor(),
    };
  }),
};

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { startService } from '../../support/service.ts';
import {
  formOf,
  letIn,
  newVerifier,
  openConsent,
  postForm,
  refresh,
  register,
  request,
  signIn,
} from '../oauth/stage.ts';

test('a reader sees and disconnects the apps they connected, has room for so many, and leaves the others room [limit connected_apps_per_user]', async (t) => {
  const service = await startService({ LIMIT_CONNECTED_APPS_PER_USER: '1' });
  t.after(() => service.close());
  const owner = await service.owner();
  const [parent, child] = [await signIn(service, owner), await signIn(service, owner, 'reader')];
  const resource = `${service.url}/v2`;
  const app = await letIn(service, child, { resource });
  const { body } = await register(service);
  const page = await openConsent(child, request(body.client_id, newVerifier().challenge, { resource }));
  const { proof, ticked } = formOf(page);
  const full = await postForm(child, page.path, [
    ['proof', proof],
    ['decision', 'allow'],
    ...ticked.map((scope): [string, string] => ['scope', scope]),
  ]);
  assert.match(full.text, /Too many apps/);
  await letIn(service, parent, { resource });
  const [address = ''] = [
    ...(await child.get('/settings/security')).text.matchAll(/action="([^"]+\/apps\/oag_\w+\/disconnect)"/g),
  ].map(([, found]) => found);
  const { db } = service.app.database;
  const grants = await db.selectFrom('oauth_grants').select(['id', 'client']).execute();
  const foreign = grants.find(({ client }) => client !== app.client);
  assert.ok(foreign);
  const other = `/settings/security/apps/${publicId('oauth_grant', foreign.id)}/disconnect`;
  assert.equal((await child.post(other)).status, 404, 'another person’s');
  assert.equal((await child.post(address)).status, 303);
  assert.equal((await refresh(service, app.client, app.refresh)).status, 400);
  assert.doesNotMatch((await child.get('/settings/security')).text, /disconnect"/);
  await letIn(service, child, { resource });
});

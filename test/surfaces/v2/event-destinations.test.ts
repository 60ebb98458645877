import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { EventReceiver } from '../../features/event-destinations/support/event-receiver.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';

const PATH = '/v2/event_destinations';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await commonService();
});
after(() => service.close());
beforeEach(async () => {
  owner = await service.owner();
});

const create = (more: object = {}) =>
  owner.v2('POST', PATH, {
    name: 'Receiver',
    webhook_endpoint: { url: 'http://127.0.0.1:9/events' },
    enabled_events: ['*'],
    ...more,
  });

describe('an event destination over HTTP', () => {
  test('shows its secret when it is made and when the secret is rotated, and at no other time', async () => {
    const made = await create();
    assert.equal(made.status, 200);
    const { id, webhook_endpoint } = made.body;
    assert.match(webhook_endpoint.signing_secret, /^whsec_/);
    const rotated = await owner.v2('POST', `${PATH}/${id}/rotate_secret`);
    assert.match(rotated.body.webhook_endpoint.signing_secret, /^whsec_/);
    assert.notEqual(rotated.body.webhook_endpoint.signing_secret, webhook_endpoint.signing_secret);
    const list = await owner.v2('GET', PATH);
    const quiet = [
      list.body.data[0],
      (await owner.v2('GET', `${PATH}/${id}`)).body,
      (await owner.v2('POST', `${PATH}/${id}`, { name: 'x' })).body,
      (await owner.v2('POST', `${PATH}/${id}/disable`)).body,
      (await owner.v2('POST', `${PATH}/${id}/enable`)).body,
    ];
    for (const shown of quiet) assert.equal(shown.webhook_endpoint.signing_secret, null);
  });

  test('is changed by POST and by PATCH, and keeps the metadata that a change does not name', async () => {
    const { id } = (await create({ metadata: { team: 'books', colour: 'green' } })).body;
    const posted = await owner.v2('POST', `${PATH}/${id}`, { metadata: { colour: 'red' } });
    assert.deepEqual(posted.body.metadata, { team: 'books', colour: 'red' });
    const patched = await owner.v2('PATCH', `${PATH}/${id}`, {
      name: 'Other',
      enabled_events: ['sync_run.*'],
      webhook_endpoint: { url: 'http://127.0.0.1:9/others' },
    });
    const { name, enabled_events, webhook_endpoint, metadata } = patched.body;
    assert.deepEqual(
      [name, enabled_events, webhook_endpoint.url],
      ['Other', ['sync_run.*'], 'http://127.0.0.1:9/others'],
    );
    assert.deepEqual(metadata, { team: 'books', colour: 'red' });
  });

  test('is refused with unknown events', async () => {
    const unknown = await create({ enabled_events: ['sync.nonsense'] });
    assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'parameter_invalid']);
  });

  test('is listed page by page, and not after it was deleted', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await create()).body.id);
    const seen: string[] = [];
    let path: string | null = `${PATH}?limit=2`;
    while (path !== null) {
      const { body } = await owner.v2('GET', path);
      for (const one of body.data) seen.push(one.id);
      path = body.next_page_url;
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted());
    assert.deepEqual((await owner.v2('DELETE', `${PATH}/${ids[0]}`)).body.deleted, true);
    assert.equal((await owner.v2('GET', `${PATH}/${ids[0]}`)).status, 404);
    assert.equal((await owner.v2('GET', PATH)).body.data.length, 2);
  });
});

test('what happens reaches an event destination on its own, signed, and the log shows that it did', async () => {
  await using receiver = await EventReceiver.open();
  const { body } = await create({
    webhook_endpoint: { url: receiver.url },
    enabled_events: ['api_key.*'],
  });
  receiver.secrets = [body.webhook_endpoint.signing_secret];
  const key = (await owner.v2('POST', '/v2/api_keys', { name: 'k', scopes: ['data:read'] })).body;
  await owner.v2('POST', `/v2/api_keys/${key.id}/rotate`, { grace: '1d' });
  await until(() => receiver.events.length > 0);
  assert.deepEqual(receiver.faults, []);
  const [event] = receiver.events;
  assert.deepEqual([event?.type, event?.related_object.id], ['api_key.expiring', key.id]);
  const read = await owner.v2('GET', `/v2/events/${event?.id}`);
  assert.deepEqual(read.body, event);
  const deliveries = `/v2/events/${event?.id}/deliveries`;
  await until(async () => (await owner.v2('GET', deliveries)).body.data[0]?.status === 'succeeded');
  await owner.v2('POST', `/v2/events/${event?.id}/redeliver`);
  await until(() => receiver.bodies.length === 2);
  assert.equal(receiver.bodies[0], receiver.bodies[1]);
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

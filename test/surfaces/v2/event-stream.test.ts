import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Authentication } from '../../../src/features/access/authentication.ts';
import { EventLog } from '../../../src/features/events/event-log.ts';
import { streamedOperation } from '../../../src/operations/operation.ts';
import { eventOperations } from '../../../src/operations/v2/events/operations.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { EventKind } from '../../../src/vocabulary/event-kinds.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { SCOPES } from '../../../src/vocabulary/scopes.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { openSurface } from './open-surface.ts';
import { SseClient } from './server-sent.ts';

const ROOM = { LIMIT_EVENT_STREAMS: '2' };

/** Something happens to the owner. Answers the event's id as callers see it. */
async function happens({ app }: TestService, owner: TestOwner, kind: EventKind = 'sync.attention') {
  const { clock, database, notices } = app;
  const log = new EventLog({ clock, notices });
  const event = await database.db
    .transaction()
    .execute((trx) => log.record(trx, owner.record.id, kind, rowId('sync', newRowId(clock))));
  return publicId('event', event.id);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it did not come about within a minute');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the stream of events', () => {
  let service: TestService;
  let owner: TestOwner;
  before(async () => {
    service = await startService(ROOM);
    owner = await service.owner();
  });
  after(() => service.close());
  const open = (options?: Parameters<typeof SseClient.open>[2], key = owner.key) =>
    SseClient.open(service.url, key, options);

  test('sends each event with its id, its kind and the body that a read of it answers', async () => {
    const client = await open();
    const { headers, status } = client.response;
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-accel-buffering'), 'no');
    assert.equal(headers.get('content-disposition'), null);
    const id = await happens(service, owner);
    const [sent] = await client.events(1);
    client.leave();
    assert.deepEqual([sent?.id, sent?.event], [id, 'sync.attention']);
    assert.deepEqual(JSON.parse(sent?.data ?? ''), (await owner.v2('GET', `/v2/events/${id}`)).body);
  });

  test('continues behind the event that is named, by header or by query, with the kinds that are asked for', async () => {
    const first = await open();
    const ids = [await happens(service, owner), await happens(service, owner, 'sync_run.queued')];
    ids.push(await happens(service, owner));
    assert.deepEqual(
      (await first.events(3)).map(({ id }) => id),
      ids,
    );
    first.leave();
    const byHeader = await open({ headers: { 'last-event-id': ids[0] ?? '' } });
    assert.deepEqual(
      (await byHeader.events(2)).map(({ id }) => id),
      ids.slice(1),
    );
    byHeader.leave();
    const byQuery = await open({ query: `?last_event_id=${ids[0]}&type[]=sync_run.*` });
    assert.deepEqual(
      (await byQuery.events(1)).map(({ id }) => id),
      ids.slice(1, 2),
    );
    byQuery.leave();
  });

  test('refuses an event it cannot continue behind', async () => {
    for (const id of ['evt_nonsense', await happens(service, await service.owner())]) {
      const header = await owner.v2('GET', '/v2/events/stream', undefined, { 'last-event-id': id });
      const query = await owner.v2('GET', `/v2/events/stream?last_event_id=${id}`);
      for (const { status, body } of [header, query]) {
        assert.deepEqual(
          [status, body.error.code, body.error.param],
          [400, 'parameter_invalid', 'last_event_id'],
        );
      }
    }
  });

  test('of a key that is revoked ends at once, and that of another key goes on', async () => {
    const { apiKeys } = service.app.services;
    const other = await apiKeys.create(owner.record.id, { name: 'other', scopes: SCOPES }, null);
    const [revoked, kept] = [await open({}, other.secret), await open()];
    const { body } = await owner.v2('GET', '/v2/api_keys?limit=100');
    const { id } = body.data.find((key: { name: string }) => key.name === 'other');
    await owner.v2('DELETE', `/v2/api_keys/${id}`);
    await revoked.end();
    const happened = await happens(service, owner);
    assert.deepEqual(
      (await kept.events(1)).map((event) => event.id),
      [happened],
    );
    kept.leave();
  });

  test('ends when the plan no longer has access to the API', async () => {
    const downgraded = await service.owner();
    const client = await open({}, downgraded.key);
    await service.app.services.accountRecords.update(downgraded.record.id, { plan: 'saver' });
    await client.end();
  });

  test('has so many places for one account record, which a caller who leaves gives back [limit event_streams]', async () => {
    const greedy = await service.owner();
    const clients = [await open({}, greedy.key), await open({}, greedy.key)];
    const { secret } = await service.app.services.apiKeys.create(
      greedy.record.id,
      { name: 'more', scopes: SCOPES },
      null,
    );
    const refused = await open({}, secret);
    assert.equal(refused.response.status, 429);
    assert.ok(Number(refused.response.headers.get('retry-after')) > 0);
    refused.leave();
    const other = await open();
    assert.equal(other.response.status, 200);
    other.leave();
    clients[0]?.leave();
    await until(async () => {
      const again = await open({}, greedy.key);
      clients.push(again);
      return again.response.status === 200;
    });
    for (const client of clients) client.leave();
  });

  test('goes by any credential that the surface takes, and ends within 15 seconds of its end', async () => {
    let signedIn = true;
    const caller = {
      kind: 'session',
      id: 'a session',
      accountRecord: owner.record,
      scopes: new Set(SCOPES),
      user: rowId('user', randomUUID()),
      role: 'owner',
      began: Date.now(),
    } as const;
    const authentication = new Authentication({
      authenticators: [
        {
          credentialIn: ({ cookie }) => cookie ?? null,
          identify: () => (signedIn ? caller : 'api_key_invalid'),
        },
      ],
      attempts: service.app.rateLimits.attempts,
    });
    const clock = new SimulatedClock(Date.now());
    const surface = await openSurface(service.app, eventOperations, authentication, { clock });
    const client = await SseClient.open(surface.url, '', { headers: { cookie: 'session=1' } });
    assert.equal(client.response.status, 200);
    await clock.runFor(60_000);
    const happened = await happens(service, owner);
    assert.deepEqual(
      (await client.events(1)).map(({ id }) => id),
      [happened],
    );
    signedIn = false;
    await clock.runFor(15_000);
    await client.end();
    await surface.close();
  });

  test('is answered to HEAD by its head alone, which takes no place', async () => {
    const asking = await service.owner();
    const got = await open({}, asking.key);
    const lasting = ({ headers }: Response) =>
      [...headers.keys()]
        .filter((name) => !['transfer-encoding', 'connection', 'keep-alive'].includes(name))
        .toSorted();
    for (let asked = 0; asked < 5; asked++) {
      const head = await fetch(new URL('/v2/events/stream', service.url), {
        method: 'HEAD',
        headers: { authorization: `Bearer ${asking.key}`, 'service-version': '2026-10-01.wattle' },
      });
      assert.equal(head.status, 200);
      assert.deepEqual(lasting(head), lasting(got.response));
    }
    got.leave();
  });

  test('to a client that does not read is aborted, and no more than it could take was made', async () => {
    let made = 0;
    let ended = false;
    const piece = `data: ${'x'.repeat(65_536)}\n\n`;
    async function* pieces() {
      try {
        for (;;) {
          made += 1;
          yield piece;
        }
      } finally {
        ended = true;
      }
    }
    const endless = streamedOperation({
      id: 'stream_here',
      summary: 'Streams',
      path: '/v2/endless',
      scope: null,
      alsoScopes: [],
      tier: 'mid',
      longest: null,
      live: true,
      errors: [],
      mediaTypes: ['text/event-stream'],
      handle: async () => ({
        mediaType: 'text/event-stream',
        fileName: null,
        text: async () => pieces(),
      }),
    });
    const surface = await openSurface(service.app, [endless], undefined, { stallMs: 500 });
    const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    socket.write(
      `GET /v2/endless HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.key}\r\nService-Version: 2026-10-01.wattle\r\n\r\n`,
    );
    await until(() => ended);
    // What the two ends of a connection on one machine hold.
    assert.ok(made * piece.length < 64 * 1024 * 1024, `${made} pieces were made`);
    socket.destroy();
    await surface.close();
  });
});

test('A service that stops ends its streams in order, and is not kept waiting by them', async () => {
  const service = await startService({ ...ROOM, SHUTDOWN_SECONDS: '120' });
  const owner = await service.owner();
  const clients = await Promise.all([1, 2].map(() => SseClient.open(service.url, owner.key)));
  const ends = clients.map((client) => client.end());
  const began = performance.now();
  await Promise.all([service.close(), ...ends]);
  assert.ok(performance.now() - began < 60_000);
});

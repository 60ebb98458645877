import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer } from '../../support/v2-client.ts';

let service: TestService;
let owner: TestOwner;

before(async () => {
  service = await startService({ LIMIT_API_KEYS: '10000' });
});
after(() => service.close());
beforeEach(async () => {
  owner = await service.owner();
});

const create = (name: string, headers: Record<string, string> = {}): Promise<Answer> =>
  owner.v2('POST', '/v2/api_keys', { name, scopes: ['data:read'] }, headers);

/**
 * One key, as a careful client makes it. On a slow machine the last of hundreds may wait longer than a statement may
 * take; that is `service_unavailable`, and the same Idempotency-Key makes it safe to ask again.
 */
async function insert(name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { status, body } = await create(name, { 'idempotency-key': name });
    if (status === 201) return;
    assert.deepEqual([status, attempt < 10], [503, true], `${name}: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Walks the list from its newest page on; `each` is called for every page. */
async function walk(limit: number, each: () => void = () => undefined): Promise<string[]> {
  const ids: string[] = [];
  let path: string | null = `/v2/api_keys?limit=${limit}`;
  while (path !== null) {
    const { status, body }: Answer = await owner.v2('GET', path);
    // A busy database may let a request wait for too long; clients ask again.
    if (status === 503) continue;
    for (const { id } of body.data) ids.push(id);
    path = body.next_page_url === null ? null : body.next_page_url.slice(body.next_page_url.indexOf('/v2/'));
    each();
  }
  return ids;
}

describe('many at once', () => {
  test('200 clients with the same idempotency key make one object', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => create('once', { 'idempotency-key': 'the same for all' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    const first = made.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    assert.equal(first.length, 1);
    assert.equal(new Set(made.map(({ body }) => JSON.stringify(body))).size, 1);
    for (const { status, body } of answers) {
      if (status !== 201) assert.deepEqual([status, body.error.code], [409, 'idempotency_key_in_use']);
    }
    const { body } = await owner.v2('GET', '/v2/api_keys');
    assert.deepEqual(
      body.data.filter(({ name }: { name: string }) => name === 'once').map(({ id }: { id: string }) => id),
      [made[0]?.body.id],
    );
  });

  test('500 inserts while a client pages: nothing twice, and nothing left out that was there at the start', async () => {
    for (let index = 0; index < 40; index++) await create(`before ${index}`);
    const atStart = await walk(100);
    let pages = 0;
    let inserted = 0;
    let settled = false;
    const inserts = Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        await insert(`meanwhile ${index}`);
        inserted += 1;
      }),
    ).finally(() => {
      settled = true;
    });
    const during: number[] = [];
    const walks: string[][] = [];
    const walking = (async () => {
      do {
        walks.push(
          await walk(5, () => {
            pages += 1;
            during.push(inserted);
          }),
        );
      } while (!settled);
    })();
    await Promise.all([inserts, walking]);
    assert.equal(inserted, 500);
    assert.ok(pages > 8 && during.some((count) => count > 0 && count < 500), 'they did not overlap');
    for (const ids of walks) {
      assert.equal(new Set(ids).size, ids.length);
      const seen = new Set(ids);
      assert.deepEqual(
        atStart.filter((id) => !seen.has(id)),
        [],
      );
    }
    const all = await walk(100);
    assert.equal(new Set(all).size, 541);
    assert.equal(all.length, 541);
  });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ApiKeys } from '../../../src/features/access/api-keys.ts';
import {
  Idempotency,
  type RepeatableEffect,
  type StoredAnswer,
} from '../../../src/features/idempotency/idempotency.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newKeyEntry, parseKeyring } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { insertAccountRecord } from '../../../src/storage/account-records.ts';
import { actorColumns } from '../../../src/storage/actor-columns.ts';
import { type Db, openEmbeddedInstance } from '../../../src/storage/database.ts';
import { keepAnswer } from '../../../src/storage/idempotency-keys.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { noEvents } from '../../support/no-events.ts';
import { Death } from '../sync-engine/support/death.ts';

const DAY_MS = 86_400_000;
const onServer = (process.env.DATABASE_URL ?? '') !== '';
const oldKey = newKeyEntry();
const log = createLog({ level: 'silent' });

let database: TestDatabase;
let clock: SimulatedClock;
let owner: ReturnType<typeof rowId<'account_record'>>;

before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());
beforeEach(async () => {
  clock = new SimulatedClock(Date.UTC(2026, 9, 1));
  owner = rowId('account_record', newRowId(clock));
  const now = new Date(clock.now());
  await insertAccountRecord(database.db, {
    id: owner,
    email: `${owner}@example.test`,
    name: null,
    plan: 'professional',
    status: 'active',
    trial_ends_at: null,
    limits: null,
    timezone: 'Australia/Sydney',
    caching: true,
    removal_asked_at: null,
    created: now,
    updated: now,
  });
});

/** Idempotency keys of a session are those of the account record, as those of an API key are. */
const PERSON = { kind: 'session', id: 'session-1' } as const;

/** One process of the service: what it remembers on its own, on the database that all of them share. */
function startProcess(db: Db = database.db, keys: string = oldKey) {
  const limits = DEFAULT_LIMITS;
  const notices = new Notices(database.database);
  const apiKeys = new ApiKeys({ db, clock, notices, limits, events: noEvents });
  const idempotency = new Idempotency({ db, clock, limits, log, keyring: parseKeyring(keys, 'test') });
  const create = async (name = 'reader') => apiKeys.create(owner, { name, scopes: ['data:read'] }, null);
  const answer = (
    work: () => Promise<unknown>,
    effect: RepeatableEffect = 'commits',
    request = 'the same',
  ): Promise<{ answer: StoredAnswer; replayed: boolean }> =>
    idempotency.answer(
      { owner, caller: PERSON, secret: true, connection: null, key: 'k', request },
      effect,
      async () => ({
        status: 201,
        headers: [],
        text: JSON.stringify(await work()),
      }),
    );
  return { db, apiKeys, idempotency, create, answer };
}

type Process = ReturnType<typeof startProcess>;

const createOne = ({ answer, create }: Process) => answer(async () => (await create()).secret);
/** As a refresh does, which queues a run for each of several syncs. */
const createTwo = ({ answer, create }: Process) =>
  answer(async () => [(await create('one')).secret, (await create('two')).secret]);

/** Stored rows of the owner's idempotency keys. */
async function kept(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from idempotency_keys where account_record = ${owner}`.execute(database.db);
  return rows[0]?.count ?? -1;
}

async function keysMade(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from api_keys where account_record = ${owner}`.execute(database.db);
  return rows[0]?.count ?? -1;
}

/** Dies before each statement in turn, the first time before the first; after each death, `check` looks around. */
async function dieEverywhere(
  act: (dying: Process) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<number> {
  for (let statements = 0; ; statements++) {
    const death = new Death(statements);
    const dying = startProcess(database.db.withPlugin(death));
    await act(dying).catch((error: unknown) => {
      if (!death.happened) throw error;
    });
    if (!death.happened) return statements;
    await check();
    await sql`delete from api_keys`.execute(database.db);
    await sql`delete from idempotency_keys`.execute(database.db);
  }
}

describe('a process that dies between the work and its answer', () => {
  for (const [name, act, objects] of [
    ['one transaction', createOne, 1],
    ['two transactions', createTwo, 2],
  ] as const) {
    test(`leaves nothing of ${name}, so that a retry does it exactly once and gets the secret`, async () => {
      const deaths = await dieEverywhere(act, async () => {
        assert.equal(await keysMade(), 0);
        const retry = await act(startProcess());
        assert.equal(retry.replayed, false);
        assert.equal(await keysMade(), objects);
        const again = await act(startProcess());
        assert.deepEqual(again, { ...retry, replayed: true });
        assert.equal(await keysMade(), objects);
      });
      assert.ok(deaths >= 4 + 2 * objects, `${deaths} deaths`);
    });
  }

  test('after the commit has lost only the answer, which the retry gets', async () => {
    const first = await createOne(startProcess());
    const retry = await createOne(startProcess());
    assert.deepEqual(retry, { answer: first.answer, replayed: true });
    assert.equal(await keysMade(), 1);
  });

  test('or a connection that breaks with the answer to the commit, is answered from what was committed', {
    skip: onServer ? 'breaks the line to the embedded database' : false,
  }, async () => {
    const { pglite } = database.database;
    assert.ok(pglite !== null);
    const line = { breaks: false };
    const db = openEmbeddedInstance({
      ready: true,
      closed: false,
      waitReady: Promise.resolve(),
      query: (text, parameters) => pglite.query(text, parameters),
      exec: (text) => pglite.exec(text),
      listen: (channel, callback) => pglite.listen(channel, callback),
      close: async () => undefined,
      transaction: async (work) => {
        const result = await pglite.transaction(work);
        if (line.breaks) throw new Error('the line broke');
        return result;
      },
    }).db;
    const { answer, create } = startProcess(db);
    const first = await answer(async () => {
      const { secret } = await create();
      line.breaks = true;
      return secret;
    });
    line.breaks = false;
    assert.equal(first.replayed, true);
    assert.deepEqual(await createOne(startProcess()), first);
    assert.equal(await keysMade(), 1);
  });

  test('in the middle of reaching out keeps the key until its lease ends, then what is harmless is done again', async () => {
    const withdrawn: string[] = [];
    const { key } = await startProcess().create();
    const reachOut = ({ answer, apiKeys }: Process) =>
      answer(async () => {
        await apiKeys.revoke(owner, key.id);
        withdrawn.push(key.id);
        return (await apiKeys.find(owner, key.id)).id;
      }, 'reaches_out');
    let held = 0;
    for (let statements = 0; ; statements++) {
      const death = new Death(statements);
      const dying = startProcess(database.db.withPlugin(death));
      await reachOut(dying).catch(() => undefined);
      if (!death.happened) break;
      if ((await kept()) > 0) {
        held += 1;
        await assert.rejects(reachOut(startProcess()), { code: 'idempotency_key_in_use' });
        clock.advance(10_000);
      }
      const retry = await reachOut(startProcess());
      assert.equal(retry.replayed, false);
      assert.deepEqual(await reachOut(startProcess()), { ...retry, replayed: true });
      await sql`delete from idempotency_keys`.execute(database.db);
    }
    assert.ok(held >= 3, `held ${held} times`);
    assert.ok(withdrawn.length > held);
  });

  test('holds up no one once the only process is started again', async () => {
    const unanswered = new Promise<never>(() => undefined);
    const dying = startProcess();
    void dying.answer(() => unanswered, 'reaches_out');
    while ((await kept()) === 0);
    const next = startProcess();
    await assert.rejects(createOne(next), { code: 'idempotency_key_in_use' });
    await next.idempotency.freeAll();
    assert.equal((await createOne(next)).replayed, false);
  });
});

describe('an attempt that reaches out', () => {
  test('keeps its lease for as long as it runs', async () => {
    let finish = (_answer: string): void => undefined;
    const finished = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const first = startProcess().answer(() => finished, 'reaches_out');
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    const until = async () => {
      const { rows } = await sql<{ lease_until: Date }>`
        select lease_until from idempotency_keys where account_record = ${owner}`.execute(database.db);
      return rows[0]?.lease_until.getTime() ?? 0;
    };
    for (let beat = 0; beat < 4; beat++) {
      clock.advance(4_000);
      while ((await until()) < clock.now() + 10_000);
      while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await assert.rejects(
      startProcess().answer(() => finished, 'reaches_out'),
      { code: 'idempotency_key_in_use' },
    );
    finish('done');
    const { answer } = await first;
    assert.deepEqual(await startProcess().answer(() => finished, 'reaches_out'), { answer, replayed: true });
    assert.equal(clock.sleeping, 0);
  });

  test('that fails frees the key at once', async () => {
    const failing = startProcess().answer(() => Promise.reject(new Error('the bank is down')), 'reaches_out');
    await assert.rejects(failing, { message: 'the bank is down' });
    assert.equal((await createOne(startProcess())).replayed, false);
  });
});

describe('several processes with the same key at once', () => {
  test('make one object, and every client that gets an answer gets the same', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => createOne(startProcess())));
    const texts = new Set<string>();
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') texts.add(outcome.value.answer.text);
      else assert.equal(outcome.reason.code, 'idempotency_key_in_use');
    }
    assert.equal(texts.size, 1);
    assert.equal(await keysMade(), 1);
  });

  for (const [what, end] of [
    ['whose work fails because another has just done it', () => Promise.reject(new Error('it is gone'))],
    ['whose work comes second', ({ create }: Process) => create()],
  ] as const) {
    test(`one ${what} gets the answer of the other`, async () => {
      const [one, other] = [startProcess(), startProcess()];
      const texts: string[] = [];
      const late = await one.answer(async () => {
        texts.push((await createOne(other)).answer.text);
        return end(one);
      });
      assert.equal(late.replayed, true);
      assert.deepEqual(texts, [late.answer.text]);
      assert.equal(await keysMade(), 1);
    });
  }

  test('one whose work comes second gets the answer of the other, also while the encryption key is being changed', async () => {
    const newKey = newKeyEntry();
    const one = startProcess(database.db, `${oldKey},${newKey}`);
    const other = startProcess(database.db, `${newKey},${oldKey}`);
    const texts: string[] = [];
    const late = await one.answer(async () => {
      texts.push((await createOne(other)).answer.text);
      return one.create();
    });
    assert.equal(late.replayed, true);
    assert.deepEqual(texts, [late.answer.text]);
    assert.equal(await keysMade(), 1);
    assert.equal(await kept(), 1);
  });

  test('one process refuses at once while its own first attempt has not even written', async () => {
    let go = (): void => undefined;
    const barrier = new Promise<void>((resolve) => {
      go = resolve;
    });
    const one = startProcess();
    const first = one.answer(() => barrier.then(() => 'done'));
    await assert.rejects(createOne(one), { code: 'idempotency_key_in_use' });
    go();
    assert.equal((await first).replayed, false);
    assert.equal((await one.answer(async () => 'again')).answer.text, '"done"');
  });

  test('do what reaches out once', async () => {
    let calls = 0;
    const act = ({ answer }: Process) => answer(async () => (calls += 1), 'reaches_out');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => act(startProcess())));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'idempotency_key_in_use');
    }
    assert.equal(calls, 1);
  });

  // The embedded database belongs to one process, and a second transaction waits there.
  const skip = onServer ? false : 'needs a Postgres server in DATABASE_URL';
  for (const ends of ['commits', 'is cut off'] as const) {
    test(`never wait for each other, and the key is free once the first ${ends}`, { skip }, async () => {
      let go = (): void => undefined;
      const barrier = new Promise<void>((resolve) => {
        go = resolve;
      });
      let wrote = (): void => undefined;
      const written = new Promise<void>((resolve) => {
        wrote = resolve;
      });
      const one = startProcess();
      const first = one.answer(async () => {
        const { secret } = await one.create();
        wrote();
        await barrier;
        return secret;
      });
      await written;
      await assert.rejects(createOne(startProcess()), { code: 'idempotency_key_in_use' });
      if (ends === 'is cut off') {
        // Waits until it is gone: until then the connection still holds its locks.
        await sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`.execute(
          database.db,
        );
        const retry = createOne(startProcess());
        assert.equal((await retry).replayed, false);
        go();
        // Its own work is lost with its connection; what it may answer is that of the retry.
        const settled = await first.catch(() => null);
        if (settled !== null) assert.deepEqual(settled, { answer: (await retry).answer, replayed: true });
      } else {
        go();
        const { answer } = await first;
        assert.deepEqual(await createOne(startProcess()), { answer, replayed: true });
      }
      assert.equal(await keysMade(), 1);
    });
  }
});

describe('an answer', () => {
  test('is stored for 30 days and no longer', async () => {
    const first = await createOne(startProcess());
    clock.advance(30 * DAY_MS - 1);
    await startProcess().idempotency.prune();
    assert.deepEqual(await createOne(startProcess()), { answer: first.answer, replayed: true });
    clock.advance(1);
    const second = await createOne(startProcess());
    assert.equal(second.replayed, false);
    assert.notEqual(second.answer.text, first.answer.text);
    assert.deepEqual(await createOne(startProcess()), { answer: second.answer, replayed: true });
    clock.advance(30 * DAY_MS);
    await startProcess().idempotency.prune();
    assert.equal(await kept(), 0);
  });

  test('that replaces one past its days is not deleted with it', {
    skip: onServer ? false : 'needs a Postgres server in DATABASE_URL',
  }, async () => {
    await createOne(startProcess());
    clock.advance(30 * DAY_MS);
    const now = new Date(clock.now());
    const waits = sql<{ waits: boolean }>`select exists (
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`;
    let pruned: Promise<void> = Promise.resolve();
    await database.db.transaction().execute(async (trx) => {
      const { id } = await trx
        .selectFrom('idempotency_keys')
        .select('id')
        .where('account_record', '=', owner)
        .executeTakeFirstOrThrow();
      const key = { id, account_record: owner, api_key: null, connection: null, ...actorColumns(PERSON) };
      assert.equal(await keepAnswer(trx, key, Buffer.from('anew'), { now, since: now }), true);
      pruned = startProcess().idempotency.prune();
      while ((await waits.execute(database.db)).rows[0]?.waits !== true);
    });
    await pruned;
    assert.equal(await kept(), 1);
  });

  test('is found again after the encryption key was rotated', async () => {
    const first = await createOne(startProcess());
    const rotated = `${newKeyEntry()},${oldKey}`;
    assert.deepEqual(await createOne(startProcess(database.db, rotated)), {
      answer: first.answer,
      replayed: true,
    });
    const other = startProcess(database.db, rotated);
    await assert.rejects(
      other.answer(async () => (await other.create()).secret, 'commits', 'another'),
      { code: 'idempotency_key_reused' },
    );
  });

  test('goes with the account record it belongs to', async () => {
    await createOne(startProcess());
    await sql`delete from account_records where id = ${owner}`.execute(database.db);
    assert.equal(await kept(), 0);
  });

  test('that is too large to store fails its request, rather than leave work that a retry would repeat', async () => {
    const { answer, create } = startProcess();
    const large = answer(async () => [(await create()).secret, 'x'.repeat(5_000_000)]);
    await assert.rejects(large, TypeError);
    assert.equal(await keysMade(), 0);
  });
});

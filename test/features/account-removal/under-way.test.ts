import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { closeAccountRecord } from '../../../src/storage/account-removals.ts';
import { findUser, lockUser } from '../../../src/storage/users.ts';
import { insertWebSession } from '../../../src/storage/web-sessions.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { comeBack, signIn, startLink, WITHOUT_LINKED } from '../../connectors/destinations/support/linked.ts';
import { Vendor } from '../../connectors/destinations/support/vendor.ts';
import { vendorConnector } from '../../connectors/destinations/support/vendor-connector.ts';
import { addPerson, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { until } from '../linking/person.ts';

let service: TestService;
let vendor: Vendor;
const logged: string[] = [];
before(async () => {
  vendor = await new Vendor().open();
  const connectors: NonNullable<Parameters<typeof startService>[1]>['connectors'] = (http) => {
    const plain = vendorConnector('sheets', vendor.origin, http);
    const { linking } = plain;
    assert.ok(linking);
    return [{ ...plain, linking: { ...linking, revoke: async (grant) => void vendor.grants.delete(grant) } }];
  };
  service = await startService(
    { LOG_LEVEL: 'info' },
    {
      integrations: WITHOUT_LINKED,
      connectors,
      destination: { write: (line: string) => void logged.push(line) },
    },
  );
});
after(async () => {
  await service.close();
  await vendor.close();
});

const isGone = async ({ record }: TestOwner): Promise<boolean> =>
  !(await service.app.services.accountRecords.list()).some(({ id }) => id === record.id);

test('a grant that a vendor gives while the account record is being deleted is ended there', async () => {
  const owner = await service.owner();
  const address = await signIn((await startLink(owner)).url);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  vendor.beforeExchange = async () => {
    asked.resolve();
    await answered.promise;
  };
  const back = comeBack(address);
  await asked.promise;
  await service.app.accountRemoval.ask(owner.record.id, null);
  // As long as the rest of the deletion takes.
  await service.app.accountRemoval.work(owner.record.id, AbortSignal.timeout(10_000));
  answered.resolve();
  await back;
  assert.equal(vendor.grants.size, 1);
  await until(
    async () => vendor.grants.size,
    (standing) => standing === 0,
  );
  await until(
    () => isGone(owner),
    (gone) => gone,
  );
});

test('a member who is no owner any more deletes nothing, whatever their session still says', async () => {
  const owner = await service.owner();
  const { record } = owner;
  const outsider = await addPerson(service, await service.owner());
  const reader = await addPerson(service, owner, { role: 'reader' });
  for (const { id } of [outsider, reader]) {
    await assert.rejects(service.app.accountRemoval.ask(record.id, id), { code: 'insufficient_scope' });
  }
  assert.equal((await owner.v2('GET', '/v2/me')).status, 200);
  const manager = await addPerson(service, owner);
  await service.app.accountRemoval.ask(record.id, manager.id);
  assert.equal((await owner.v2('GET', '/v2/me')).status, 401);
});

/** What a count is once it has not grown for a while. */
async function settled(count: () => number): Promise<number> {
  for (;;) {
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    if (count() === before) return before;
  }
}

test('one that several people, tabs and the operator delete at the same moment is deleted once, and each is told so', async () => {
  const mine = await service.owner();
  const people = await Promise.all([addPerson(service, mine), addPerson(service, mine)]);
  const [one, other] = await Promise.all(people.map((person) => signedIn(service, person)));
  assert.ok(one && other);
  const tabs = [one, one, one, other, other];
  const { id, email } = mine.record;
  const deletions = () => logged.filter((line) => line.includes('An account record was deleted.')).length;
  // Those of earlier tests are logged in their own time.
  const before_it = await settled(deletions);
  const asked = tabs.map((tab) => tab.post('/settings/delete', { confirm: email }));
  await Promise.race(asked);
  await service.app.accountRemoval.ask(id, null).catch((error) => assert.match(String(error), /No such/));
  const answers = await Promise.all(asked);
  assert.ok(answers.some(({ headers }) => headers.get('location') === '/settings/deleted'));
  for (const { status, headers, text } of answers) {
    assert.equal(status, 303, text);
    assert.match(headers.get('location') ?? '', /^\/(settings\/deleted|sign-in\?next=)/);
  }
  const turns = Array.from({ length: 4 }, () =>
    service.app.accountRemoval.work(id, AbortSignal.timeout(60_000)),
  );
  await Promise.all(turns);
  assert.ok(await until(() => isGone(mine), Boolean));
  assert.equal(deletions(), before_it + 1);
});

test('what was sent of events is deleted in parts, and none of it while the account record is being closed', async () => {
  const { record } = await service.owner();
  const { db } = service.app.database;
  const { services } = service.app;
  const made = await services.eventDestinations.create(record.id, {
    name: 'Events',
    url: 'http://127.0.0.1:9/',
    enabledEvents: ['*'],
    metadata: null,
  });
  await sql`
    with made as (
      insert into events (id, account_record, kind, subject, created)
      select gen_random_uuid(), ${record.id}, 'sync.attention', gen_random_uuid(), now()
      from generate_series(1, 300) returning id), batched as (
      insert into event_batches (destination, first_position, account_record, events, size, due_at, attempts)
      select destination.id, place, ${record.id}, array[gen_random_uuid()], 1, now(), '{}'
      from generate_series(1, 300) as place, event_destinations as destination
      where destination.account_record = ${record.id})
    insert into event_deliveries (event, destination, account_record, position, status, due_at)
    select made.id, destination.id, ${record.id}, 1, 'succeeded', now()
    from made, event_destinations as destination where destination.account_record = ${record.id}`.execute(db);
  const sent = async () => [
    ...(await db
      .selectFrom('event_deliveries')
      .select('event as id')
      .where('account_record', '=', record.id)
      .execute()),
    ...(await db
      .selectFrom('event_batches')
      .select('destination as id')
      .where('account_record', '=', record.id)
      .execute()),
  ];
  await db.transaction().execute((trx) => closeAccountRecord(trx, record.id, new Date()));
  assert.equal((await sent()).length, 600);
  const { row } = await services.eventDestinations.read(record.id, made.id);
  assert.equal(row.status, 'disabled', 'nothing more is sent');
  assert.equal(await service.app.accountRemoval.work(record.id, AbortSignal.timeout(60_000)), null);
  assert.deepEqual(await sent(), []);
});

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

test('someone who signs in while their account record is deleted does not keep it from being so', {
  skip,
}, async () => {
  const owner = await service.owner();
  const person = await addPerson(service, owner);
  const { db } = service.app.database;
  const now = new Date();
  const removal: { asked: Promise<Date> | null } = { asked: null };
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, person.id);
    removal.asked = service.app.accountRemoval.ask(owner.record.id, person.id);
    // As long as it takes until it waits for this one.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await insertWebSession(trx, {
      id: rowId('web_session', randomUUID()),
      secret_hash: randomBytes(32),
      user_id: person.id,
      account_record: owner.record.id,
      created: now,
      last_seen_at: now,
      browser: null,
      expires_at: new Date(now.getTime() + 60_000),
    });
  });
  assert.ok((await removal.asked) instanceof Date);
  assert.equal(await findUser(db, person.id), null);
});

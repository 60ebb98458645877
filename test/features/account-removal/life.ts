import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { OwnerId } from '../../../src/vocabulary/ids.ts';
import { startLink } from '../../connectors/destinations/support/linked.ts';
import { connectApp } from '../../support/bridge.ts';
import { addPerson, type Browser, signedIn } from '../../support/people.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { letIn } from '../../surfaces/oauth/stage.ts';
import { ofxOf, STATEMENT, upload, uploadAndTake } from '../documents/statements.ts';
import { importedConnection, linkBank, startSession, until } from '../linking/person.ts';

/** An account record that uses everything there is, and the ways into it. */
export interface Life {
  readonly owner: TestOwner;
  readonly browser: Browser;
  readonly email: string;
  readonly token: string;
  readonly connection: string;
  readonly sync: string;
  readonly bridge: Awaited<ReturnType<typeof connectApp>>;
}

async function made(owner: TestOwner, path: string, body: unknown, key?: string): Promise<Json> {
  const answer = await owner.v2('POST', path, body, key === undefined ? {} : { 'idempotency-key': key });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

/** @param receiver the address of a webhook that takes what is sent */
export async function wholeLife(service: TestService, receiver: string): Promise<Life> {
  const owner = await service.owner();
  const connection = await importedConnection(
    owner,
    await linkBank(owner, { customer: 'salaried-household' }),
  );
  await made(owner, '/v2/categories', { name: 'Mine' }, 'once');
  const { data: tree } = (await owner.v2('GET', '/v2/categories')).body;
  await made(owner, '/v2/category_assignments', {
    account: connection.accounts[0].id,
    transactions: ['txn_fk_1'],
    category: tree.find(({ parent }: Json) => parent !== null).id,
  });
  await uploadAndTake(owner, 'september.ofx', ofxOf(STATEMENT));
  await upload(owner, 'october.ofx', ofxOf(STATEMENT.slice(1)));
  await made(owner, '/v2/saved_views', { name: 'Mine', query: 'kind=out' });
  const changes = await owner.v2('GET', `/v2/changes?account=${connection.accounts[0].id}`);
  assert.equal(changes.status, 200, JSON.stringify(changes.body));
  const ruleset = await made(owner, '/v2/rulesets', { name: 'Set' });
  await made(owner, `/v2/rulesets/${ruleset.id}/rules`, {
    name: 'All',
    conditions: null,
    actions: [{ type: 'set_memo', value: 'all' }],
  });
  const target = { url: receiver };
  const destination = await made(owner, '/v2/destinations', { type: 'webhook', name: 'Ledger', target });
  const sync = await made(owner, '/v2/syncs', {
    type: 'transactions',
    name: 'Ledger',
    destination: destination.id,
    accounts: [connection.accounts[0].id],
    mapping_mode: 'bulk',
  });
  await made(owner, `/v2/syncs/${sync.id}/rulesets`, { rulesets: [ruleset.id] });
  await until(
    async () => (await owner.v2('GET', `/v2/syncs/${sync.id}/runs`)).body.data,
    (runs: Json[]) => runs.some(({ status }) => status === 'succeeded' || status === 'failed'),
  );
  await made(owner, '/v2/event_destinations', {
    name: 'Events',
    webhook_endpoint: { url: receiver },
    enabled_events: ['*'],
  });
  const bridge = await connectApp(service, owner);
  await startLink(owner);
  await startSession(owner);
  const person = await addPerson(service, owner);
  const browser = await signedIn(service, person);
  const { access } = await letIn(service, browser, { resource: `${service.app.config.publicUrl}/v2` });
  await service.app.signIn.invitations.create(owner.record.id, {
    email: 'guest@example.test',
    role: 'reader',
    by: person.id,
  });
  return {
    owner,
    browser,
    email: person.email,
    token: access,
    connection: connection.id,
    sync: sync.id,
    bridge,
  };
}

/** Tables of the application that have a column for whose rows they are. */
export async function ownedTables({ app }: TestService): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select columns.table_name as table from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where columns.table_schema = 'public' and columns.column_name = 'account_record'
      and tables.table_type = 'BASE TABLE'
    order by 1`.execute(app.database.db);
  return rows.map(({ table }) => table);
}

/** Every table of the application. */
export async function allTables({ app }: TestService): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(app.database.db);
  return rows.map(({ table }) => table);
}

/** How many rows of the table are the owner's. */
export async function countOwned({ app }: TestService, table: string, owner: OwnerId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where account_record = ${owner}`.execute(app.database.db);
  return rows[0]?.count ?? 0;
}

/** Notes of when something was last used, which are written in the background. */
const USES = ['last_used_at', 'last_seen_at'];

/** The rows of every owned table that are this owner's, as text. */
export async function rowsOf(service: TestService, owner: TestOwner): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of await ownedTables(service)) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - ${sql.val(USES)}::text[])::text as row from ${sql.table(table)} as t
      where account_record = ${owner.record.id} order by 1`.execute(service.app.database.db);
    // Jobs end on their own.
    if (table !== 'jobs') found[table] = rows.map(({ row }) => row);
  }
  return found;
}

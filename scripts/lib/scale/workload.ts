import { setTimeout } from 'node:timers/promises';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { V1_ENDPOINTS } from '../../../src/operations/v1/endpoint-table.ts';
import { serviceFigures } from '../../../src/storage/service-figures.ts';
import { COMMANDS } from '../../../src/surfaces/cli/command-table.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { send } from '../../../test/conformance/asks.ts';
import { askAbout } from '../../../test/conformance/inputs.ts';
import { Stage } from '../../../test/conformance/stage.ts';
import { made, makeThings, type Things } from '../../../test/conformance/things.ts';
import { askBridge } from '../../../test/support/bridge.ts';
import { addPerson, signedIn } from '../../../test/support/people.ts';
import type { TestService } from '../../../test/support/service.ts';
import { agentOf } from '../../../test/surfaces/mcp/support/agent.ts';

/** Commands that ask about the installation, with arguments they accept. */
const ASKED = ['account list', 'inspect'];
/** Last, since others ask about what these end. */
const ENDS = /^(?:delete|revoke|rotate|reset|disable)_/;
const PAGES = [
  '/',
  '/settings',
  '/settings/account',
  '/settings/security',
  '/settings/members',
  '/settings/activity',
  '/settings/apps',
  '/settings/notifications',
  '/settings/export',
  '/settings/operator',
  '/settings/operator/health',
  '/settings/operator/accounts',
  '/status',
  '/readyz',
];

export interface Asked {
  readonly what: string;
  readonly status: number;
}

/**
 * What a service does, once each: every operation, every endpoint of v1, the bridge, agents, people, apps, commands,
 * metrics, a sync with its deliveries, and the first round of everything periodic, which begins with the service.
 */
export async function work(environment: Readonly<Record<string, string>>): Promise<readonly Asked[]> {
  const stage = await Stage.open({
    ...environment,
    ROLES: 'api,worker,scheduler',
    METRICS_PORT: '0',
    LIMIT_API_KEYS: '10000',
  });
  const { service } = stage;
  try {
    const things = await makeThings(await stage.linked(), service);
    const asked = [...(await askPages(service, things)), ...(await askV1(service, things))];
    await askAgentsAndApps(service, things);
    for (const name of ASKED) {
      const command = COMMANDS.find((one) => one.name === name);
      const context = { app: partsOf(service), url: service.url, signal: AbortSignal.timeout(60_000) };
      await command?.run(context, {});
    }
    if (service.metricsUrl !== null) await fetch(service.metricsUrl).then((answer) => answer.text());
    const ending = OPERATIONS.filter(({ id }) => ENDS.test(id)).toReversed();
    for (const operation of [...OPERATIONS.filter(({ id }) => !ENDS.test(id)), ...ending]) {
      const { status } = await send(things.owner, askAbout(operation, things.ids));
      asked.push({ what: operation.id, status });
    }
    await untilQuiet(service);
    await removeRecord(service, stage);
    return asked;
  } finally {
    await stage.close();
  }
}

function partsOf({ app }: TestService) {
  return { ...app, integrations: [] };
}

async function askPages(service: TestService, { owner }: Things): Promise<Asked[]> {
  const person = await addPerson(service, owner, { operator: true });
  const browser = await signedIn(service, person);
  const asked: Asked[] = [];
  for (const path of PAGES) asked.push({ what: path, status: (await browser.get(path)).status });
  await browser.post('/forgot-password', { email: person.email });
  await browser.v2('GET', '/v2/me');
  return asked;
}

async function askV1({ url }: TestService, { owner, ids }: Things): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { path } of V1_ENDPOINTS) {
    const query = new URLSearchParams({ accountIds: rowIdOf(ids('account')) });
    const answer = await fetch(`${url}${path}?${query}`, {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    await answer.text();
    asked.push({ what: `v1 ${path}`, status: answer.status });
  }
  return asked;
}

/** v1 shows the ids of rows as they are stored. */
function rowIdOf(account: string): string {
  return parsePublicId('account', account) ?? account;
}

async function askAgentsAndApps(service: TestService, { owner, ids }: Things): Promise<void> {
  const agent = agentOf(service.url, owner.key);
  await agent.call('list_accounts');
  await agent.call('list_transactions', { account: ids('account') });
  const token = await made(owner, '/v2/simplefin_setup_tokens', { name: 'another app' });
  const address = Buffer.from(token.setup_token, 'base64').toString();
  const access = new URL(await (await fetch(address, { method: 'POST' })).text());
  const authorization = `Basic ${Buffer.from(`${access.username}:${access.password}`).toString('base64')}`;
  await askBridge(service.url, '/accounts', { headers: { authorization } });
}

/** Until runs, jobs and deliveries have been worked on, or it is clear that some will not be. */
async function untilQuiet({ app }: TestService): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const now = new Date(app.clock.now());
    const { queuedRuns, runningRuns } = await serviceFigures(app.database.db, now, app.config.limits);
    if (queuedRuns + runningRuns === 0) break;
    await setTimeout(100);
  }
  // The slowest of what workers repeat, apart from what scans for expiries, has its second round.
  await setTimeout(6_000);
}

/** An account record with everything in it is deleted. */
async function removeRecord(service: TestService, stage: Stage): Promise<void> {
  const { owner } = await makeThings(await stage.linked('sole-trader'), service);
  await service.app.operator.accounts.delete(owner.record.id, owner.record.email);
  for (let attempt = 0; attempt < 200; attempt++) {
    const { db } = service.app.database;
    const found = await db
      .selectFrom('account_records')
      .select('id')
      .where('id', '=', owner.record.id)
      .executeTakeFirst();
    if (found === undefined) return;
    await setTimeout(100);
  }
}

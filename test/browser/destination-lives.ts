import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { sql } from 'kysely';
import type { DestinationType } from '../../src/vocabulary/destination-kinds.ts';
import { parsePublicId } from '../../src/vocabulary/ids.ts';
import type { DestinationStatus } from '../../src/vocabulary/states.ts';
import { Browser } from '../features/linking/browser.ts';
import { openCallback, until } from '../features/linking/person.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';

/** A destination whose owner has just signed in at the simulated vendor, without a target. */
export async function draftAt(owner: TestOwner, type: DestinationType): Promise<Json> {
  const link = await owner.v2('POST', '/v2/destination_links', {
    type,
    return_url: 'https://app.example.test/back',
  });
  assert.equal(link.status, 200, JSON.stringify(link.body));
  const browser = new Browser();
  const { location } = await browser.visit(link.body.url, 'POST');
  const { html } = await browser.visit(location);
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? assert.fail(html);
  const allowed = await fetch(new URL(action, location), {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'approve' }),
    redirect: 'manual',
  });
  await openCallback(allowed.headers.get('location') ?? assert.fail(), browser);
  const { body } = await owner.v2('GET', `/v2/destination_links/${link.body.id}`);
  assert.equal(body.status, 'completed', JSON.stringify(body));
  return (await owner.v2('GET', `/v2/destinations/${body.destination}`)).body;
}

/** A new spreadsheet of that name, ready for syncs. */
export async function spreadsheet(owner: TestOwner, name: string): Promise<Json> {
  const { id } = await draftAt(owner, 'sheets');
  const { body } = await owner.v2('POST', `/v2/destinations/${id}/create_target`, { name });
  assert.equal(body.status, 'active', JSON.stringify(body));
  return body;
}

/** Puts a destination into a state that runs would lead to. */
export async function putInto(
  service: TestService,
  destination: Json,
  status: DestinationStatus,
): Promise<void> {
  const id = parsePublicId('destination', destination.id);
  await sql`update destinations set status = ${status} where id = ${id}`.execute(service.app.database.db);
}

interface Answering {
  readonly url: string;
  /** How it answers from now on. */
  answer: { status: number; body: string };
  /** Awaited before each answer, with the number of requests so far; null answers at once. */
  wait: ((request: number) => Promise<void>) | null;
}

/** A receiver of webhooks that lasts as long as the process. */
export async function answering(answer: Answering['answer']): Promise<Answering> {
  const state: Answering & { url: string } = { url: '', answer, wait: null };
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', async () => {
      requests += 1;
      await state.wait?.(requests);
      response.writeHead(state.answer.status, { 'content-type': 'text/html' }).end(state.answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') return assert.fail('a port was asked for');
  state.url = `http://127.0.0.1:${address.port}/hook`;
  return state;
}

/** A webhook at the receiver with a sync of the accounts, once the sync's first run has ended. */
export async function webhookWithRun(
  owner: TestOwner,
  { url }: Answering,
  accounts: readonly string[],
): Promise<{ readonly webhook: Json; readonly sync: Json }> {
  const { body: webhook } = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'Ledger service',
    target: { url },
  });
  const { body: sync } = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'Household ledger',
    destination: webhook.id,
    accounts,
    mapping_mode: 'bulk',
    run_now: false,
  });
  await runOnce(owner, sync);
  return { webhook, sync };
}

/** Runs a sync to the end, however it ends. */
export async function runOnce(owner: TestOwner, sync: Json): Promise<Json> {
  const { body: run } = await owner.v2('POST', `/v2/syncs/${sync.id}/run`);
  return until(
    async () => (await owner.v2('GET', `/v2/sync_runs/${run.id}`)).body,
    ({ completed_at: at }) => at !== null,
  );
}

/** The secret that connects a simulated server, as its page shows it. */
export async function secretOf(service: TestService, simulator: 'postgres' | 'actual'): Promise<string> {
  const html = await (await fetch(new URL(`/sandbox/${simulator}/`, service.url))).text();
  const [, secret = ''] = /<code>([^<]+)<\/code>/.exec(html) ?? assert.fail(html);
  return secret.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
}

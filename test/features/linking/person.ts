import assert from 'node:assert/strict';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { type ConsentChoices, completeConsent } from '../../support/consent-client.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { Browser, type Visit } from './browser.ts';

export const RETURN_URL = 'https://app.example.test/back?state=a%20b';
export const BANK = 'inst_fk_90001';

/** The browser of people who have none of their own. */
const home = new Browser();

/** A visit of a browser that was never here before. */
export function visit(
  address: string,
  method: 'GET' | 'POST' = 'GET',
  sent: Record<string, string> = {},
): Promise<Visit> {
  return new Browser().visit(address, method, sent);
}

/** Starts a session for the owner; the answer is the link_session. */
export async function startSession(owner: TestOwner, more: Record<string, unknown> = {}): Promise<Json> {
  const answer = await owner.v2('POST', '/v2/link_sessions', {
    provider: 'au_banking',
    institution: BANK,
    return_url: RETURN_URL,
    ...more,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Presses Continue and clicks through the bank's pages; the address the bank sends the person back to. */
export async function consentAtBank(
  sessionUrl: string,
  choices: ConsentChoices = {},
  browser = home,
): Promise<string> {
  const begun = await browser.visit(sessionUrl, 'POST');
  assert.equal(begun.status, 303, begun.html);
  return (await completeConsent(begun.location, choices)).href;
}

/** Opens the callback as a browser does, asking again while the page says to wait. */
export async function openCallback(address: string, browser = home): Promise<Visit> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await browser.visit(address);
    if (answer.status !== 200) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the callback never ended');
}

/** The whole way; returns the connection's id. */
export async function linkBank(
  owner: TestOwner,
  choices: ConsentChoices & { readonly at?: string } = {},
): Promise<string> {
  const { at = BANK, ...rest } = choices;
  const session = await startSession(owner, { institution: at });
  const answer = await openCallback(await consentAtBank(session.url, rest));
  assert.equal(answer.status, 303, answer.html);
  const read = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
  assert.equal(read.body.status, 'completed', JSON.stringify(read.body));
  return read.body.connection;
}

/** The whole way at a broker, whose own page asks which; returns the connection's id. */
export async function linkBroker(owner: TestOwner, customer: string): Promise<string> {
  const answer = await owner.v2('POST', '/v2/link_sessions', {
    provider: 'brokerage',
    return_url: RETURN_URL,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const browser = new Browser();
  const returned = await openCallback(await consentAtBank(answer.body.url, { customer }, browser), browser);
  assert.equal(returned.status, 303, returned.html);
  const read = await owner.v2('GET', `/v2/link_sessions/${answer.body.id}`);
  assert.equal(read.body.status, 'completed', JSON.stringify(read.body));
  return read.body.connection;
}

/** Asks until the answer is as wanted; what is asynchronous gets a minute, for a busy machine. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  for (let attempt = 0; attempt < 600 && !wanted(answer); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer = await ask();
  }
  assert.ok(wanted(answer), `it never came: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}

/** The connection once its accounts have arrived. */
export function importedConnection(owner: TestOwner, id: string): Promise<Json> {
  return until(
    async () => (await owner.v2('GET', `/v2/connections/${id}?include[]=accounts`)).body,
    (connection) => connection.status !== 'pending',
  );
}

/** The same where no one works in the background: what a busy machine did not list while the person waited is listed here. */
export async function importWithoutWorkers(
  service: TestService,
  owner: TestOwner,
  id: string,
): Promise<Json> {
  const row = parsePublicId('connection', id) ?? assert.fail(id);
  const { accountImport } = service.app.linking;
  await accountImport.importAsked(owner.record.id, row, AbortSignal.timeout(60_000)).catch(() => undefined);
  return importedConnection(owner, id);
}

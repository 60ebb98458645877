import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { DeliveryAccount } from '../src/connectors/destinations/delivery-rows.ts';
import { syncedEvent } from '../src/connectors/destinations/webhook/connector.ts';
import { encodeTransaction } from '../src/connectors/destinations/webhook/rows.ts';
import { mapTransaction } from '../src/connectors/providers/au-banking/map-transaction.ts';
import { isWireObject } from '../src/connectors/providers/kit/json.ts';
import { signatureHeaders } from '../src/platform/webhook-signature.ts';
import { isRowId, rowId } from '../src/vocabulary/ids.ts';
import { say, settingsOf } from './lib/child.ts';

/**
 * The reference of a sync: fetch a page, map its rows, sign and post them in the same chunks, one after another, and
 * record nothing. It cannot resume, cannot distinguish new from old, and loses or duplicates rows whenever anything
 * fails.
 */
const { vendorUrl, clientId, clientSecret, endUser, account, receiverUrl, secret, chunkRows } = settingsOf();
const accountRow = id('account');
const run = id('sync_run');
const owner = rowId('account_record', randomUUID());
const shown: DeliveryAccount = {
  id: accountRow,
  name: 'Everyday account',
  institution: 'Bank',
  type: 'transaction',
  maskedNumber: 'xxxx1234',
};
const context = { timezone: 'Australia/Sydney', currency: 'aud' };
const token = await minted();
const started = performance.now();
let rows = 0;
let chunk = 0;
let cursor: string | null = null;
do {
  const page = await fetched(cursor);
  const wire = page.transactions;
  if (!Array.isArray(wire)) throw new Error('A page has no transactions.');
  for (let at = 0; at < wire.length; at += Number(chunkRows)) {
    await posted(wire.slice(at, at + Number(chunkRows)));
  }
  rows += wire.length;
  cursor = nextOf(page);
} while (cursor !== null);
say({ rows, milliseconds: performance.now() - started });

async function posted(wire: readonly unknown[]): Promise<void> {
  chunk += 1;
  const eventId = randomUUID();
  const added = wire.filter(isWireObject).map((row) => {
    const transaction = mapTransaction(row, context);
    const shownRow = {
      account: shown,
      transaction,
      customCategory: null,
      memo: null,
      tags: [],
      replaces: null,
    };
    const text = encodeTransaction(shownRow);
    return { id: transaction.id, account: shown.id, text, replaces: null, remoteRef: null };
  });
  const body = syncedEvent(
    {
      eventId,
      run,
      number: chunk,
      total: null,
      rowForm: 1,
      created: Date.now(),
      again: false,
      added,
      updated: [],
      removed: [],
    },
    'transactions.synced',
    owner,
  );
  const answer = await request(String(receiverUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders([String(secret)], eventId, Math.floor(Date.now() / 1000), body),
    },
    body,
  });
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`The receiver answered ${answer.statusCode}.`);
}

async function fetched(after: string | null): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL('/v1/banking/transactions', String(vendorUrl));
  url.searchParams.set('end_user_id', String(endUser));
  url.searchParams.set('account_id', String(account));
  url.searchParams.set('page[size]', '1000');
  if (after !== null) url.searchParams.set('page[after]', after);
  const answer = await request(url, {
    headers: { authorization: `Bearer ${token}`, 'x-fiskil-version': 'v3' },
  });
  const page: unknown = JSON.parse(await answer.body.text());
  if (!isWireObject(page)) throw new Error(`The bank answered ${answer.statusCode} without a page.`);
  return page;
}

function nextOf(page: Readonly<Record<string, unknown>>): string | null {
  const links = page.links;
  const next = isWireObject(links) ? links.next : null;
  return typeof next === 'string' && next !== ''
    ? new URL(next, String(vendorUrl)).searchParams.get('page[after]')
    : null;
}

async function minted(): Promise<string> {
  const answer = await request(new URL('/v1/token', String(vendorUrl)), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-fiskil-version': 'v3' },
    body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
  });
  const body: unknown = await answer.body.json();
  return isWireObject(body) ? String(body.token ?? body.access_token) : '';
}

function id<N extends 'account' | 'sync_run'>(resource: N) {
  const uuid = randomUUID();
  if (!isRowId(resource, uuid)) throw new Error('Not a row id.');
  return uuid;
}

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import {
  createNzBankingProvider,
  type NzBankingProvider,
} from '../../../src/connectors/providers/nz-banking/connector.ts';
import type {
  ProviderAccess,
  TransactionQuery,
} from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { APP, fixedSecret, HandClock } from './nz-banking-bank.ts';
import { fails } from './provider-contract.ts';

const never = new AbortController().signal;
const ACCESS: ProviderAccess = {
  customer: 'user_1',
  secret: fixedSecret('{"v":1,"token":"user_token_1","granted_at":1}'),
  consent: 'auth_1',
  institution: 'conn_1',
};
const QUERY: TransactionQuery = {
  account: 'acc_1',
  timezone: 'Pacific/Auckland',
  currency: 'nzd',
  from: localDate('2026-01-01'),
  to: localDate('2026-01-31'),
  since: null,
  includePending: false,
};
const ACCOUNT = {
  _id: 'acc_1',
  _authorisation: 'auth_1',
  connection: { _id: 'conn_1', name: 'Bank' },
  name: 'Everyday',
  status: 'ACTIVE',
  type: 'CHECKING',
  attributes: ['TRANSACTIONS'],
  balance: { currency: 'NZD', current: 1 },
};
const row = (id: string) => ({ _id: id, _account: 'acc_1', date: '2026-01-15T11:00:00Z', amount: -1 });

type Answer = { readonly status?: number; readonly body: string };
/** Answers a path; null for the usual answer. */
type Script = (path: string, cursor: string | null) => Answer | object | null;

interface Hostile {
  readonly provider: NzBankingProvider;
  readonly asked: string[];
  rows(): Promise<number>;
}

/** Runs the work against a vendor that answers by script, for answers the simulator is too correct to give. */
async function against(
  script: Script,
  work: (vendor: Hostile) => Promise<unknown>,
  limits: Partial<Limits> = {},
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor.test');
    const path = pathname.replace(/^\/v1/, '');
    asked.push(path);
    const answer = script(path, searchParams.get('cursor')) ?? usual(path);
    const status = 'status' in answer && typeof answer.status === 'number' ? answer.status : 200;
    const body = 'body' in answer ? String(answer.body) : JSON.stringify(answer);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const baseUrl = `http://127.0.0.1:${address.port}`;
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [baseUrl] });
  const provider = createNzBankingProvider({
    http,
    clock: new HandClock(),
    log: createLog({ level: 'silent' }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    baseUrl,
    oauthUrl: baseUrl,
    ...APP,
    userToken: null,
    positiveDebt: new Set(),
  });
  const rows = async (): Promise<number> => {
    let count = 0;
    for await (const page of provider.transactionPages(ACCESS, QUERY, never)) count += page.length;
    return count;
  };
  try {
    await work({ provider, asked, rows });
  } finally {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function usual(path: string): object {
  if (path === '/accounts') return { success: true, items: [ACCOUNT] };
  if (path === '/accounts/acc_1') return { success: true, item: ACCOUNT };
  if (path === '/me') return { success: true, item: { _id: 'user_1' } };
  return { success: true, items: [row('trans_1')], cursor: { next: null } };
}

const onRows =
  (answer: (cursor: string | null) => Answer | object): Script =>
  (path, cursor) =>
    path.endsWith('/transactions') ? answer(cursor) : null;

describe('A vendor in New Zealand that answers with anything', () => {
  it('is believed only where it says that it succeeded, and in what it must say', async () => {
    for (const body of [
      '[]',
      'null',
      '{}',
      '<html>',
      '{"success":false,"items":[]}',
      '{"items":[],"cursor":{"next":null}}',
      '{"success":true,"items":{},"cursor":{"next":null}}',
      '{"success":true,"items":[1],"cursor":{"next":null}}',
      '{"success":true,"items":[]}',
    ])
      await against(
        onRows(() => ({ body })),
        ({ rows }) => fails(rows(), 'malformed'),
      );
    await against(
      (path) => (path === '/accounts' ? { success: true, items: [{ _authorisation: 'auth_1' }] } : null),
      ({ provider }) => fails(provider.listAccounts(ACCESS, never), 'malformed'),
    );
  });

  it('is given up where its pages do not end, repeat or stand still, and where one is too long', async () => {
    const page = (items: readonly object[], next: string | null) => ({
      success: true,
      items,
      cursor: { next },
    });
    await against(
      onRows((cursor) => page([row('trans_1')], `${cursor ?? ''}x`)),
      async ({ rows, asked }) => {
        await fails(rows(), 'malformed');
        assert.ok(asked.length < 40);
      },
    );
    await against(
      onRows((cursor) => page([], `${cursor ?? ''}x`)),
      ({ rows }) => fails(rows(), 'malformed'),
    );
    await against(
      onRows(() => page([row('trans_1')], 'same')),
      ({ rows }) => fails(rows(), 'malformed'),
    );
    const many = Array.from({ length: 4 }, (_, at) => row(`trans_${at}`));
    await against(
      onRows(() => page(many, null)),
      ({ rows }) => fails(rows(), 'malformed'),
      {
        answer_page_rows: 3,
      },
    );
  });

  it('is not read beyond the bounds of size, depth and length of a list', async () => {
    const long = JSON.stringify({ success: true, items: [ACCOUNT], padding: 'x'.repeat(5000) });
    const deep = `{"success":true,"items":${'['.repeat(200)}${']'.repeat(200)}}`;
    const lists =
      (body: string): Script =>
      (path) =>
        path === '/accounts' ? { body } : null;
    const list = ({ provider }: Hostile) => fails(provider.listAccounts(ACCESS, never), 'malformed');
    await against(lists(long), list, { answer_list_bytes: 4000 });
    await against(lists(deep), list, { answer_depth: 20 });
    const many = {
      success: true,
      items: Array.from({ length: 11 }, (_, at) => ({ ...ACCOUNT, _id: `acc_${at}` })),
    };
    await against(lists(JSON.stringify(many)), list, { list_rows: 10 });
  });

  it('has its names cut and its ids refused where they are endless, and cannot smuggle a NUL into a name', async () => {
    const named =
      (more: object): Script =>
      (path) =>
        path === '/accounts' ? { success: true, items: [{ ...ACCOUNT, ...more }] } : null;
    await against(named({ name: `a\0${'n'.repeat(100_000)}` }), async ({ provider }) => {
      const [account] = await provider.listAccounts(ACCESS, never);
      assert.equal(account?.name.length, 200);
      assert.ok(account?.name.startsWith('an'));
    });
    await against(named({ _id: 'i'.repeat(256) }), ({ provider }) =>
      fails(provider.listAccounts(ACCESS, never), 'malformed'),
    );
  });

  it('gives its reason for a refusal without numbers of accounts and tokens in it', async () => {
    const message = 'No consent for 12-3456-0123456-50 and user_token_clx0a1b2c3d4e5f6g7h8i9j0';
    await against(
      onRows(() => ({ status: 400, body: JSON.stringify({ success: false, message }) })),
      async ({ rows }) => {
        const failure = await fails(rows(), 'bad_request');
        assert.match(failure.message, /No consent for/);
        assert.doesNotMatch(failure.message, /0123456|clx0a1b2/);
      },
    );
  });

  it('ends no grant by refusing one row list, or by an outage on a later page', async () => {
    await against(
      onRows((cursor) =>
        cursor === null
          ? { success: true, items: [row('trans_1')], cursor: { next: 'more' } }
          : { status: 503, body: '{}' },
      ),
      ({ rows }) => fails(rows(), 'server_error'),
    );
    await against(
      (path) => (path === '/accounts/acc_1' ? { status: 404, body: '{"success":false}' } : null),
      ({ rows }) => fails(rows(), 'account_gone'),
    );
  });

  it('verifies nothing with an invalid key', async () => {
    const sent = {
      body: Buffer.from('{}'),
      headers: { 'x-akahu-signature': 'AAAA', 'x-akahu-signing-key': '1' },
    };
    for (const item of ['not a key', '', null, {}])
      await against(
        (path) => (path === '/keys/1' ? { success: true, item } : null),
        ({ provider }) => fails(provider.receiveWebhook(sent, never), 'malformed'),
      );
  });
});

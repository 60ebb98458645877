import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readGrant } from '../../../../src/connectors/destinations/kit/oauth.ts';
import { MemoryQuotaLog } from '../../../../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../../../../src/features/rate-limits/vendor-quotas.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Google, Scene } from './scene.ts';

after(closeDatabase);

const signal = new AbortController().signal;
const HOUR = 3_600_000;

describe('signing in with Google', () => {
  test('asks for files of this application alone, and for a token that outlasts the hour', async () => {
    await using google = await Google.open();
    const request = {
      redirectUri: 'https://hub.example.test/connect/return',
      state: 's',
      verifier: 'v'.repeat(43),
    };
    const page = new URL((await google.connector.linking?.begin(request, signal)) ?? '');
    assert.equal(page.pathname, '/o/oauth2/v2/auth');
    const { code_challenge: challenge, ...query } = Object.fromEntries(page.searchParams);
    assert.match(challenge ?? '', /^[\w-]{43}$/);
    assert.deepEqual(query, {
      client_id: 'client',
      redirect_uri: request.redirectUri,
      response_type: 'code',
      scope: 'https://www.googleapis.com/auth/drive.file',
      state: 's',
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
    });
  });

  test('gives a grant that names the person by whom Google counts', async () => {
    await using google = await Google.open();
    const grant = readGrant(await google.grant());
    assert.match(grant.holder, /^\d{20}$/);
    assert.ok(grant.refresh !== null && grant.expires === google.time.now() + HOUR - 2_000);
  });

  test('is refused where the person denies, fails, or unticks the scope', async () => {
    await using google = await Google.open();
    assert.deepEqual(await google.linked('deny'), { kind: 'refused', reason: 'access_denied' });
    assert.deepEqual(await google.linked('fail'), { kind: 'refused', reason: 'unknown' });
    google.control.setScope(false);
    const { kind, ...refused } = await google.linked('approve');
    assert.ok(kind === 'refused' && 'reason' in refused && refused.reason === 'access_denied');
    const unticked = refused.grant ?? assert.fail('what was granted is to be ended');
    google.control.setScope(true);
    const other = await google.grant();
    assert.equal(google.connector.linking?.endsWith?.(other, unticked), true, 'whose it is nobody knows');
  });

  test('fails as an upstream does where Google fails', async () => {
    await using google = await Google.open();
    for (const route of ['POST /token', 'GET /drive/v3/about']) {
      google.control.addFault({ route, kind: 'server-error', count: 10 });
      await assert.rejects(google.linked('approve'), (error) => error instanceof UpstreamFailure);
      google.control.clearFaults();
    }
  });

  test('ends at Google when the destination goes, and twice is as once', async () => {
    await using google = await Google.open();
    const grant = await google.grant();
    await google.connector.linking?.revoke?.(grant, signal);
    const listing = google.connector.resources?.list(
      google.access(grant),
      { type: 'spreadsheet', parent: null, limit: 10 },
      signal,
    );
    await assert.rejects(listing ?? assert.fail(), { situation: 'grant_rejected' });
    await google.connector.linking?.revoke?.(grant, signal);
  });
});

describe('a grant whose access token is over', () => {
  test('is renewed before its end and after a refusal, by one of those who need it', async () => {
    await using scene = await Scene.open();
    const account = scene.world.account();
    const sync = await scene.sync([account]);
    for (const end of [
      () => scene.world.clock.advance(HOUR),
      () => void scene.google.control.addFault({ route: 'GET /v4/*', kind: 'expired-token' }),
    ]) {
      const { accounts } = scene.world.bank;
      accounts.set(account, [posted(scene.ids.length + 1, { day: 49 }), ...(accounts.get(account) ?? [])]);
      scene.google.calls();
      end();
      const run = await scene.world.run(sync);
      assert.deepEqual([run.status, run.added], ['succeeded', 1]);
      assert.equal(scene.google.calls().filter((call) => call === 'POST token').length, 1);
    }
  });

  test('is renewed once if two workers find it expired at the same time', async () => {
    await using google = await Google.open();
    const grant = await google.grant();
    let [stored, exchanges]: [string, number] = [grant, 0];
    let under: Promise<string> | null = null;
    const access = {
      owner: 'owner',
      current: async () => stored,
      renew: (spent: string, exchange: (grant: string, within: AbortSignal) => Promise<string>) => {
        if (spent !== stored) return Promise.resolve(stored);
        under ??= exchange(spent, signal).then((next) => {
          exchanges += 1;
          stored = next;
          return next;
        });
        return under;
      },
    };
    google.time.pass(HOUR);
    const list = () =>
      google.connector.resources?.list(access, { type: 'spreadsheet', parent: null, limit: 5 }, signal);
    await Promise.all([list(), list(), list()]);
    assert.equal(exchanges, 1);
    assert.equal(readGrant(stored).refresh, readGrant(grant).refresh);
  });
});

test('Google refuses no call because of a quota while two writers use one grant', async () => {
  const opened: VendorQuotas[] = [];
  await using google = await Google.open({
    quotas: (clock) => {
      const quotas = new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key });
      opened.push(quotas);
      return quotas;
    },
  });
  const begun = google.time.now();
  const spreadsheet = google.control.addSpreadsheet({ title: 'Money' });
  const grant = await google.grant();
  const list = (owner: string) =>
    google.connector.resources?.list(
      google.access(grant, owner),
      { type: 'sheet', parent: spreadsheet, limit: 5 },
      signal,
    );
  let answered = 0;
  while (answered < 300) {
    const calls = await Promise.allSettled(['one', 'one', 'two'].map(list));
    const through = calls.filter(({ status }) => status === 'fulfilled').length;
    answered += through;
    // A person does not wait for a minute: the call is refused here, and Google is not asked.
    if (through < calls.length) google.time.pass(1_000);
  }
  assert.equal(google.control.quotaRefusals, 0);
  const states = opened.flatMap((quotas) => [...quotas.state()]);
  const shared = states.filter(([, { per }]) => per === 'service');
  assert.deepEqual(
    shared.map(([name]) => name),
    ['google-sheets-reads'],
    'only that of the project is everyone’s',
  );
  assert.ok(google.time.now() - begun >= 4 * 60_000, 'it took the minutes that 300 reads of a person take');
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { linkableProviders } from '../../../src/surfaces/cli/simulated-integrations.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { isProviderIdentifier, PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { type ConnectedApp, connectApp } from '../../support/bridge.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';
import { DAY, only } from './stage.ts';

const BANKING = linkableProviders(INTEGRATIONS).filter(
  (name) => isProviderIdentifier(name) && PROVIDERS[name].category === 'banking',
);

/** Days of history that the simulators have, about. */
const DAYS = 200;
const dayOf = (epochSeconds: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(epochSeconds * 1000);
/** Milliseconds from `now` until it is half past this hour of UTC. */
const untilHour = (hour: number, now: number): number => {
  const day = DAY * 1000;
  return ((hour + 0.5) * 3_600_000 - (now % day) + day) % day;
};
const cents = (text: string): number => Number(text.replace('.', ''));

describe('The bridge shows what v2 shows of the same accounts', () => {
  it('for every provider of banks', () => {
    assert.ok(BANKING.length >= 3, BANKING.join(', '));
  });
  for (const provider of BANKING) compare(provider);
});

function compare(provider: string): void {
  describe(provider, () => {
    const clock = new ShiftedClock();
    let service: TestService;
    let owner: TestOwner;
    let app: ConnectedApp;
    let accounts: Json[];

    before(async () => {
      service = await startService({}, { clock });
      owner = await service.owner();
      const context = { app: service.app, url: service.url, signal: AbortSignal.timeout(60_000) };
      // The first bank may be one that gives rows other references in each answer.
      const { data } = (await owner.v2('GET', `/v2/institutions?provider=${provider}&q=Kuura`)).body;
      const institution: string | undefined = data[0]?.id;
      await link.run(context, {
        account: publicId('account_record', owner.record.id),
        provider,
        ...(institution !== undefined && { institution }),
      });
      accounts = (await owner.v2('GET', '/v2/accounts?limit=100')).body.data;
      assert.ok(accounts.length > 0);
      app = await connectApp(service, owner);
    });
    after(() => service.close());

    const overV2 = async (account: string, from: string, to: string): Promise<Json[]> => {
      const rows: Json[] = [];
      let next: string | null =
        `/v2/transactions?account=${account}&from=${from}&to=${to}&include_pending=true&limit=100`;
      while (next !== null) {
        const { status, body }: { status: number; body: Json } = await owner.v2('GET', next);
        assert.equal(status, 200, JSON.stringify(body));
        rows.push(...body.data);
        next = body.next_page_url;
      }
      return rows;
    };

    it('the same accounts, with their balances and the bank’s name', async () => {
      const { body } = await app.accounts('balances-only=1');
      checkAccountSet(body);
      assert.deepEqual(body.errors, []);
      const shown = new Map(body.accounts.map((one: Json) => [one.extra.tributary_account_id, one]));
      assert.deepEqual([...shown.keys()].toSorted(), accounts.map(({ id }) => id).toSorted());
      for (const account of accounts) {
        const one: Json = shown.get(account.id);
        const { body: balance } = await owner.v2('GET', `/v2/accounts/${account.id}/balance`);
        assert.equal(cents(one.balance), (balance.current ?? balance.available).amount);
        if (balance.available !== null) {
          assert.equal(cents(one['available-balance']), balance.available.amount);
        }
        assert.equal(one.currency, account.currency.toUpperCase());
        assert.deepEqual([one.org.name, one.org.id], [account.institution.name, account.institution.id]);
      }
    });

    // Before and after the accounts' midnight, which is at 11, 13 or 14 o'clock of UTC.
    for (const hour of [2, 16, 23]) {
      it(`at ${hour} o’clock, the same rows of any days, with the same cents, days and ids`, async () => {
        const zone = isProviderIdentifier(provider) ? PROVIDERS[provider].timezone : 'UTC';
        clock.advance(untilHour(hour, clock.now()));
        const today = Math.floor(clock.now() / 1000 / DAY) * DAY;
        const localToday = dayOf(clock.now() / 1000, zone);
        let compared = 0;
        const window = fc.tuple(fc.nat(accounts.length - 1), fc.nat(DAYS), fc.integer({ min: 1, max: 60 }));
        await fc.assert(
          fc.asyncProperty(window, async ([at, back, length]) => {
            const account = accounts[at];
            // Midnights of UTC: the days between them are whole, wherever the account is.
            const start = today - back * DAY;
            const end = start + length * DAY;
            // A pending row without a day is of today: it is in a window that ends within today of the accounts, but not
            // among the whole days before.
            fc.pre(dayOf(end, zone) !== localToday);
            const day = (epoch: number) => new Date(epoch * 1000).toISOString().slice(0, 10);
            const answer = await app.accounts(
              `account=${account.id}&start-date=${start}&end-date=${end}&pending=1`,
            );
            assert.equal(answer.status, 200, answer.text);
            checkAccountSet(answer.body);
            const shown = only(answer).transactions;
            const rows = await overV2(account.id, day(start), day(end - DAY));
            const key = (row: Json) => row.id;
            assert.deepEqual(shown.map(key).toSorted(), rows.map(key).toSorted());
            const byId = new Map(rows.map((row) => [row.id, row]));
            for (const row of shown) {
              const same: Json = byId.get(row.id);
              assert.equal(cents(row.amount), same.amount.amount);
              assert.equal(row.description, same.description);
              assert.equal(row.pending === true, same.status === 'pending');
              if (same.date !== null) {
                for (const where of ['UTC', zone]) assert.equal(dayOf(row.transacted_at, where), same.date);
              }
              if (same.post_date !== null && same.status === 'posted') {
                for (const where of ['UTC', zone]) assert.equal(dayOf(row.posted, where), same.post_date);
              }
            }
            compared += shown.length;
          }),
          // First of all, two months of each account up to yesterday, so that rows are compared whatever is drawn.
          { numRuns: 25, examples: accounts.map((_, at): [[number, number, number]] => [[at, 61, 60]]) },
        );
        assert.ok(compared > 50, `only ${compared} rows were compared`);
      });
    }
  });
}

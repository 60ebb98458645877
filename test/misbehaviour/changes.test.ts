import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Answer, Json } from '../support/v2-client.ts';
import { type Bank, openBanks, POSTED, statementOf } from './banks.ts';
import { CASES, type Simulated } from './cases.ts';

const PROVIDERS: readonly Simulated[] = ['au_banking', 'nz_banking', 'up_bank'];

let service: TestService;
let owner: TestOwner;
let banks: readonly Bank[];

before(async () => {
  service = await startService({ LIMIT_TRANSACTIONS_CACHE_MINUTES: '0' });
  owner = await service.owner();
  banks = await openBanks(service, owner, PROVIDERS);
});
after(() => service.close());

/** A client that keeps a copy of the account's rows, in pages of four. */
class Client {
  readonly rows = new Map<string, Json>();
  /** Posted rows that were removed and did not become others. */
  readonly removed: string[] = [];
  readonly #account: string;
  #cursor: string | null = null;

  constructor(account: string) {
    this.#account = account;
  }

  /** Follows the feed to its end; the first answer that is an error, or the last one. */
  async follow(): Promise<Answer> {
    for (let pages = 0; ; pages++) {
      assert.ok(pages < 50, 'the feed does not end');
      const from = this.#cursor === null ? 'include_pending=true' : `cursor=${this.#cursor}`;
      const answer = await owner.v2('GET', `/v2/changes?account=${this.#account}&limit=4&${from}`);
      if (answer.status !== 200) return answer;
      this.#apply(answer.body);
      if (!answer.body.has_more) return answer;
    }
  }

  #apply({ added, modified, removed, next_cursor }: Json): void {
    for (const { id, replaced_by: by } of removed) {
      const row = this.rows.get(id);
      assert.ok(row, `${id} was removed without having been added`);
      if (row.status === 'posted' && by === null) this.removed.push(id);
      this.rows.delete(id);
    }
    for (const row of added) {
      assert.ok(!this.rows.has(row.id), `${row.id} was added twice`);
      this.rows.set(row.id, row);
    }
    for (const row of modified) {
      assert.ok(this.rows.has(row.id), `${row.id} was modified without having been added`);
      this.rows.set(row.id, row);
    }
    this.#cursor = next_cursor;
  }
}

/** What the account lists, by id. */
async function listed({ account }: Bank): Promise<Map<string, Json>> {
  const answer = await owner.v2('GET', `/v2/transactions?account=${account}&limit=100&include_pending=true`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return new Map(answer.body.data.map((row: Json) => [row.id, row]));
}

for (const provider of PROVIDERS)
  describe(`the changes that v2 answers of ${provider}`, () => {
    for (const { name, more, expected, providers } of CASES) {
      if (!providers.includes(provider)) continue;
      test(`${name}: a client that follows the changes has every row, once, and loses none that the bank may still have`, async () => {
        const bank = banks.find((one) => one.provider === provider) ?? assert.fail(provider);
        const { control } = bank;
        control.clear();
        control.setStatements([statementOf(bank, service.app.clock.now())]);
        const client = new Client(bank.account);
        assert.equal((await client.follow()).status, 200);
        assert.equal(client.rows.size, POSTED + 1);
        const clean = new Map(client.rows);
        control.addMisbehaviour({ name, ...more });
        const answer = await client.follow();
        if (expected(POSTED, 1) === null) {
          assert.ok(answer.status >= 400 && answer.status !== 500, `${answer.status}`);
          assert.deepEqual(client.rows, clean);
          if (name === 'retry_after_date') return;
        } else {
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
          assert.equal(answer.body.set_aside.length, expected(POSTED, 1)?.rejected ?? 0);
          for (const [id, row] of await listed(bank)) {
            // In other sessions the same rows have other ids.
            if (name !== 'ids_per_session') assert.deepEqual(client.rows.get(id), row);
          }
        }
        assert.deepEqual(client.removed, []);
        const shown = new Set(client.rows.keys());
        control.clear();
        assert.equal((await client.follow()).status, 200);
        assert.deepEqual(client.removed, []);
        const now = await listed(bank);
        for (const [id, row] of now) assert.deepEqual(client.rows.get(id), row);
        // What was shown for a while stays until two reads a day apart lack it.
        for (const id of client.rows.keys()) assert.ok(now.has(id) || shown.has(id), id);
      });
    }
  });

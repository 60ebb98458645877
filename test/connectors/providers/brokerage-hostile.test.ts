import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { never } from './brokerage-broker.ts';
import { json, type Script, type ScriptedBroker, withScriptedBroker } from './brokerage-script.ts';
import { fails } from './provider-contract.ts';

const MB = 1024 * 1024;
const at =
  (end: string, body: string | Buffer): Script =>
  (url) =>
    url.pathname.endsWith(end) ? { body } : null;
const position = (more: Record<string, unknown> = {}) => ({
  instrument: { kind: 'stock', id: 'i-1', symbol: 'VTI' },
  units: '1',
  price: '1',
  currency: 'USD',
  ...more,
});

describe('A broker that answers with what no one can use', () => {
  const cases: readonly (readonly [
    what: string,
    Script,
    (broker: ScriptedBroker) => Promise<unknown>,
    limits?: Partial<Limits>,
  ])[] = [
    ['more bytes than a page may have', at('/positions/all', Buffer.alloc(9 * MB, ' ')), holdings],
    [
      'lists in lists without end',
      at('/positions/all', `{"results":${'['.repeat(MB)}${']'.repeat(MB)}}`),
      holdings,
    ],
    ['text', at('/positions/all', '<html>maintenance</html>'), holdings],
    ['a list of something else', at('/positions/all', '{"results":[1,2]}'), holdings],
    ['no list', at('/activities', '{"data":null}'), (broker) => broker.trades()],
    [
      'a list of connections without end',
      at('/accounts', `[${'{"id":"a"},'.repeat(60)}{"id":"b"}]`),
      accounts,
      { list_rows: 50 },
    ],
    ['an id of a book’s length', at('/accounts', JSON.stringify([{ id: 'x'.repeat(300) }])), accounts],
    ['pages of positions without end', endlessPositions(), holdings, { list_pages: 5 }],
    [
      'another connection than was asked for',
      at('/authorizations/con-1', JSON.stringify({ id: 'con-2' })),
      holdings,
    ],
    [
      'a position of more than there is',
      at('/positions/all', JSON.stringify({ results: [position({ units: '9'.repeat(31) })] })),
      holdings,
    ],
  ];
  for (const [what, script, read, limits = {}] of cases) {
    it(`such as ${what} is refused`, async () => {
      await withScriptedBroker(
        script,
        async (broker) => {
          await fails(read(broker), 'malformed');
        },
        limits,
      );
    });
  }

  it('such as a name with NUL loses only that', async () => {
    const row = {
      id: 'acc-1',
      name: 'a\u0000b',
      balance: { total: { amount: 1, currency: 'USD' } },
      sync_status: {},
    };
    await withScriptedBroker(at('/accounts', JSON.stringify([row])), async ({ provider, access }) => {
      const [account] = await provider.listAccounts(access, never);
      assert.equal(account?.name, 'ab');
    });
  });

  it('such as members named like those of every object is read as any other', async () => {
    const body = `{"results":[{"__proto__":{"units":"7"},"constructor":1,${JSON.stringify(position()).slice(1)}]}`;
    await withScriptedBroker(at('/positions/all', body), async (broker) => {
      assert.equal((await holdings(broker))[0]?.quantity, '1');
    });
  });

  it('is told nothing of another broker: accounts of another connection are left out', async () => {
    const rows = ['con-1', 'con-2'].map((connection) => ({
      id: `acc-${connection}`,
      brokerage_authorization: connection,
      balance: { total: { amount: 1, currency: 'USD' } },
    }));
    await withScriptedBroker(at('/accounts', JSON.stringify(rows)), async (broker) => {
      assert.deepEqual(
        (await accounts(broker)).map(({ id }) => id),
        ['acc-con-1'],
      );
    });
  });
});

function holdings({ provider, access }: ScriptedBroker) {
  return provider.readHoldings(access, 'acc-1', never);
}

function accounts({ provider, access }: ScriptedBroker) {
  return provider.listAccounts(access, never);
}

function endlessPositions(): Script {
  return (url) =>
    url.pathname.endsWith('/positions/all')
      ? json({
          results: [position({ units: url.searchParams.get('page') })],
          next: 'more',
        })
      : null;
}

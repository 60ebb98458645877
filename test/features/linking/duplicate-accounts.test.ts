import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { duplicatesAtBank } from '../../../src/features/linking/duplicate-accounts.ts';
import type { Identified } from '../../../src/storage/same-accounts.ts';
import { parsePublicId, rowId } from '../../../src/vocabulary/ids.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from './person.ts';

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service.close());

async function linked(owner: TestOwner, customer: string): Promise<Json> {
  return importedConnection(owner, await linkBank(owner, { customer }));
}

const duplicates = (accounts: readonly Json[]) => accounts.map((one) => one.duplicate_of);
const ids = (accounts: readonly Json[]) => accounts.map(({ id }) => id);

describe('an account that is linked by two connections', () => {
  for (const customer of ['credit-card', 'salaried-household']) {
    test(`names the one linked first, wherever v2 shows it (${customer})`, async () => {
      const owner = await service.owner();
      const first = await linked(owner, customer);
      assert.deepEqual(new Set(duplicates(first.accounts)), new Set([null]));
      const second = await linked(owner, customer);
      const firstIds = ids(first.accounts);
      assert.deepEqual(duplicates(second.accounts).toSorted(), firstIds.toSorted());
      const { data } = (await owner.v2('GET', '/v2/accounts')).body;
      const counted = data.filter((one: Json) => one.duplicate_of === null);
      assert.deepEqual(ids(counted).toSorted(), firstIds.toSorted());
      const { body } = await owner.v2('GET', `/v2/accounts/${second.accounts[0].id}`);
      assert.equal(body.duplicate_of, second.accounts[0].duplicate_of);
    });
  }

  test('counts itself once the first cannot be read any more, or is deleted', async () => {
    const owner = await service.owner();
    const first = await linked(owner, 'credit-card');
    const second = await linked(owner, 'credit-card');
    const again = async (id: string): Promise<Json> =>
      (await owner.v2('GET', `/v2/connections/${id}?include[]=accounts`)).body.accounts;
    const ended = new Date(service.app.clock.now() - 1000);
    const consent = parsePublicId('consent', first.consent.id);
    await sql`update consents set expires_at = ${ended} where id = ${consent}`.execute(
      service.app.database.db,
    );
    assert.deepEqual(duplicates(await again(second.id)), [null]);
    assert.deepEqual(duplicates(await again(first.id)), ids(second.accounts));
    await owner.v2('DELETE', `/v2/connections/${first.id}`);
    assert.deepEqual(duplicates(await again(second.id)), [null]);
  });

  test('is no duplicate of an account of another account record', async () => {
    const [one, other] = [await service.owner(), await service.owner()];
    await linked(one, 'credit-card');
    const { accounts } = await linked(other, 'credit-card');
    assert.deepEqual(duplicates(accounts), [null]);
  });
});

function identified(digit: number, connection: number, more: Partial<Identified> = {}): Identified {
  const uuid = (last: number) => `0190f1e2-0000-7000-8000-00000000000${last}`;
  return {
    id: rowId('account', uuid(digit)),
    connection: rowId('connection', uuid(connection)),
    provider: 'au_banking',
    institution_id: '90001',
    upstream_id: `up-${digit}`,
    name: 'Card',
    type: 'credit-card',
    masked_number: 'xxxx1111',
    number_mac: null,
    currency: 'aud',
    unavailable_since: null,
    ...more,
  };
}

/** Pairs of the last digits of the ids. */
function found(...members: readonly Identified[]): string[] {
  return [...duplicatesAtBank(members, () => true)].map(([id, of]) => `${id.at(-1)}=${of.at(-1)}`);
}

describe('two accounts at one bank', () => {
  test('are the same by number, by the id of the bank, or by name and masked number', () => {
    const mac = { number_mac: 'k1:aa' };
    const named = { name: 'Other', masked_number: 'xxxx2222' };
    assert.deepEqual(found(identified(1, 1, mac), identified(2, 2, { ...mac, ...named })), ['2=1']);
    assert.deepEqual(found(identified(1, 1), identified(2, 2, { upstream_id: 'up-1', name: 'Ours' })), [
      '2=1',
    ]);
    assert.deepEqual(found(identified(1, 1), identified(2, 2), identified(3, 3)), ['2=1', '3=1']);
  });

  test('are not the same where their full numbers differ, or only the digits or only the name agree', () => {
    const macs = [{ number_mac: 'k1:aa' }, { number_mac: 'k1:bb' }];
    assert.deepEqual(found(identified(1, 1, macs[0]), identified(2, 2, macs[1])), []);
    assert.deepEqual(found(identified(1, 1), identified(2, 2, { name: 'Other card' })), []);
    assert.deepEqual(found(identified(1, 1), identified(2, 2, { masked_number: 'xxxx2222' })), []);
    const unmasked = { masked_number: null };
    assert.deepEqual(found(identified(1, 1, unmasked), identified(2, 2, unmasked)), []);
  });

  test('of one connection are never the same, and what they share identifies neither', () => {
    assert.deepEqual(found(identified(1, 1), identified(2, 1)), []);
    assert.deepEqual(found(identified(1, 1), identified(2, 2), identified(3, 2)), []);
  });
});

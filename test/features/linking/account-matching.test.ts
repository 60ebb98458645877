import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ProviderAccount } from '../../../src/connectors/providers/provider-contract.ts';
import { matchAccounts, NumberMacs, signBefore } from '../../../src/features/linking/account-matching.ts';
import { Keyring } from '../../../src/platform/keyring.ts';
import type { Account } from '../../../src/storage/accounts.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';

const old = { id: 'old', key: randomBytes(32) };
const macs = new NumberMacs(new Keyring([old]));
const place = { provider: 'au_banking', institution: '9' } as const;
const uuid = (digit: number) => `00000000-0000-7000-8000-00000000000${digit}`;

function listed(id: string, masked: string | null, full: string | null): ProviderAccount {
  const numbers = { maskedNumber: masked, fullNumber: full };
  return { id, formerIds: [], available: true, name: id, type: 'savings', ...numbers, currency: 'aud' };
}

function stored(digit: number, upstream: string, masked: string | null, full: string | null): Account {
  const at = new Date(0);
  return {
    id: rowId('account', uuid(digit)),
    account_record: rowId('account_record', uuid(0)),
    connection: rowId('connection', uuid(0)),
    provider: 'au_banking',
    institution_id: '9',
    upstream_id: upstream,
    name: upstream,
    type: 'savings',
    masked_number: masked,
    number_mac: full === null ? null : macs.of({ ...place, number: full }),
    currency: 'aud',
    balance_sign: null,
    nickname: null,
    in_totals: true,
    timezone: 'Australia/Sydney',
    unavailable_since: null,
    last_seen_at: at,
    created: at,
    updated: at,
  };
}

const none = { ...place, own: [], former: [], ended: [], released: [] };
const pairs = (
  items: readonly ProviderAccount[],
  own: readonly Account[],
  ended: readonly Account[] = [],
) => {
  const { matches, gone } = matchAccounts(items, { ...none, own, ended }, macs);
  const found = matches.map(({ listed: item, account }) => [item.id, account?.upstream_id ?? null]);
  return { found: Object.fromEntries(found), gone: gone.map((account) => account.upstream_id) };
};

describe('Which account a listed one is', () => {
  it('is the one whose id it had before, of this connection or another, whatever the numbers say', () => {
    const item = { ...listed('new', 'xxxx5678', '1'), formerIds: ['older', 'was'] };
    const own = [stored(1, 'was', 'xxxx0000', '2'), stored(2, 'other', 'xxxx5678', '1')];
    assert.deepEqual(pairs([item], own), { found: { new: 'was' }, gone: ['other'] });
    const elsewhere = stored(3, 'was', null, null);
    const { matches } = matchAccounts([item], { ...none, former: [elsewhere] }, macs);
    assert.equal(matches[0]?.account?.id, elsewhere.id);
    const twice = [item, { ...item, id: 'newer' }];
    const found = matchAccounts(twice, { ...none, former: [elsewhere] }, macs).matches;
    assert.deepEqual(
      found.map(({ account }) => account?.id ?? null),
      [elsewhere.id, null],
    );
  });

  it('follows the full number when the vendor renames its ids, however the number is punctuated', () => {
    const result = pairs(
      [listed('new', 'xxxx5678', '062-000 1234 5678')],
      [stored(1, 'was', null, '062000 12345678')],
    );
    assert.deepEqual(result, { found: { new: 'was' }, gone: [] });
  });

  it('follows masked number and type only where both are the only ones, and never against the full number', () => {
    const own = [
      stored(1, 'a', 'xxxx1111', null),
      stored(2, 'b', 'xxxx2222', null),
      stored(3, 'c', 'xxxx2222', null),
    ];
    const items = [listed('A', 'xxxx1111', null), listed('B', 'xxxx2222', null)];
    assert.deepEqual(pairs(items, own), { found: { A: 'a', B: null }, gone: ['b', 'c'] });
    const differs = pairs([listed('A', 'xxxx1111', '1111')], [stored(1, 'a', 'xxxx1111', '91111')]);
    assert.deepEqual(differs, { found: { A: null }, gone: ['a'] });
    assert.deepEqual(pairs([listed('A', 'xxxx1111', null)], [], own).found, { A: null });
  });

  it('is no one known when two listed accounts share a number, and no row is taken twice', () => {
    const twins = [listed('A', null, '55'), listed('B', null, '55')];
    assert.deepEqual(pairs(twins, [stored(1, 'a', null, '55')]).found, { A: null, B: null });
    const two = pairs(
      [listed('A', null, '55')],
      [],
      [stored(1, 'a', null, '55'), stored(2, 'b', null, '55')],
    );
    assert.deepEqual(two.found, { A: 'a' });
  });

  it('is still known after the encryption key was rotated, and not once the old key is gone', () => {
    const mac = macs.of({ ...place, number: '77' }) ?? '';
    const next = { id: 'next', key: randomBytes(32) };
    const number = { ...place, number: '77' };
    assert.ok(new NumberMacs(new Keyring([next, old])).matches(mac, number));
    assert.ok(!new NumberMacs(new Keyring([next])).matches(mac, number));
    assert.ok(!macs.matches(mac, { ...number, institution: '8' }));
  });
});

describe('The sign of the balance of an account that is linked again', () => {
  const card = listed('new', 'xxxx1234', null);
  const before = (digit: number, more: Partial<Account>) => ({
    ...stored(digit, 'old', 'xxxx1234', null),
    ...more,
  });
  const sign = (ended: readonly Account[], item = card) =>
    signBefore({ listed: item, released: null }, { ended, released: [] });

  it('is that of the id it takes up again', () => {
    const id = rowId('account', uuid(7));
    const left = {
      ...before(7, {}),
      id,
      number_mac: 'mac',
      balance_sign: 'owed' as const,
      in_totals: false,
      released_at: new Date(0),
    };
    assert.equal(signBefore({ listed: card, released: id }, { ended: [], released: [left] }), 'owed');
  });

  it('is that of an account of the same type and last digits whose connection ended, where those agree', () => {
    const owed = before(1, { balance_sign: 'owed' });
    assert.equal(sign([owed, before(2, { balance_sign: null })]), 'owed');
    assert.equal(sign([owed, before(2, { balance_sign: 'in_credit' })]), null);
    assert.equal(sign([before(1, { balance_sign: 'owed', type: 'loan' })]), null);
    assert.equal(
      sign([before(1, { balance_sign: 'owed', masked_number: null })], listed('new', null, null)),
      null,
    );
  });
});

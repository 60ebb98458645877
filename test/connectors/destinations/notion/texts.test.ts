import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pageProperties } from '../../../../src/connectors/destinations/notion/columns.ts';
import { exactNumber } from '../../../../src/connectors/destinations/row-values.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const money = (decimal: string, currency: string) => ({
  amount: { amount: 1, currency },
  amount_decimal: decimal,
});

const TEXTS = {
  formula: '=HYPERLINK("https://evil.example","click")',
  plus: '+61 400 000 000',
  at: '@SUM(A1:A9)',
  control: 'tab\tnew\nline\u0000nul\u0007bell\u001b[31m',
  rightToLeft: '\u202eאבג abc\u202c عربى',
  emoji: '👩‍👩‍👧‍👦 '.repeat(500),
  html: '<script>alert(1)</script> & "quotes"',
  long: 'Pound '.repeat(8_334).slice(0, 50_000),
  astral: '𝄞'.repeat(25_000),
  spaces: '  two  spaces  ',
} as const;

test('every text arrives exactly as it is', async () => {
  await using opened = await Scene.open();
  const account = opened.world.account();
  const rows = Object.values(TEXTS).map((description, at) =>
    posted(at + 1, { description, merchant_name: description }),
  );
  opened.world.bank.accounts.set(account, rows);
  const sync = await opened.sync([account]);
  assert.equal((await opened.world.run(sync)).added, rows.length);
  for (const { id, description } of rows) {
    const shown = opened.shown(id);
    assert.equal(shown.Description, description);
    assert.equal(shown.Merchant, description);
  }
  await opened.resync(sync);
  opened.notion.control.clearRequests();
  const again = await opened.world.run(sync);
  assert.deepEqual([again.added, again.updated], [0, 0], 'what is there is what was sent');
  assert.equal(opened.count('PATCH /v1/pages/:id'), 0);
});

test('every amount arrives with its digits, in currencies of no and of three decimals too', async () => {
  await using opened = await Scene.open();
  const account = opened.world.account();
  const amounts = [
    ['-12.50', 'aud', '-12.5'],
    ['1500', 'jpy', '1500'],
    ['-0.001', 'kwd', '-0.001'],
    ['12.345', 'bhd', '12.345'],
    ['+7.10', 'aud', '7.1'],
    ['0.00', 'aud', '0'],
    ['-0.00', 'aud', '0'],
    ['9007199254740991', 'jpy', '9007199254740991'],
    ['9007199254740.91', 'aud', '9007199254740.91'],
    ['0.1', 'aud', '0.1'],
  ] as const;
  opened.world.bank.accounts.set(
    account,
    amounts.map(([decimal, currency], at) => posted(at + 1, money(decimal, currency))),
  );
  assert.equal((await opened.world.run(await opened.sync([account]))).added, amounts.length);
  for (const [at, [, currency, shown]] of amounts.entries()) {
    const row = opened.shown(posted(at + 1).id);
    assert.deepEqual([row.Amount, row.Currency], [shown, currency.toUpperCase()]);
  }
});

describe('an amount that no JSON number is', () => {
  for (const decimal of ['9007199254740993', '1234567890123456789.01', '0.12345678901234567890']) {
    test(`${decimal} has its row refused, and nothing else is written for it`, async () => {
      await using opened = await Scene.open();
      const account = opened.world.account();
      opened.world.bank.accounts.set(account, [posted(2, money(decimal, 'xxx')), posted(1)]);
      const run = await opened.world.run(await opened.sync([account]));
      assert.deepEqual([run.status, run.added, run.rejected], ['succeeded', 1, 1]);
      assert.deepEqual(opened.ids, [posted(1).id]);
    });
  }

  test('is never rounded to one', () => {
    for (const text of ['0.30000000000000004', '1e5', '1e-7', '', '-', '.5', '1.', 'NaN', '0x10']) {
      const number = exactNumber(text);
      if (number !== null) assert.equal(Number(text), number, text);
    }
    assert.equal(exactNumber('0.30000000000000004'), 0.1 + 0.2);
    assert.deepEqual(['1e5', '', '-', '.5', 'NaN', '0x10'].map(exactNumber), [
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    assert.ok(Object.is(exactNumber('-0.00'), 0));
  });
});

test('a row larger than Notion takes is refused before it is sent', () => {
  const column = (field: 'description' | 'memo') => ({ field, id: field, kind: 'rich_text' }) as const;
  const values = (text: string) => new Map([['description', text] as const]);
  assert.ok(pageProperties([column('description')], values('a'.repeat(200_000))));
  assert.equal(
    pageProperties([column('description')], values('a'.repeat(200_001))),
    null,
    'more than 100 pieces',
  );
  assert.equal(
    pageProperties([column('description')], values('€'.repeat(180_000))),
    null,
    'more than 500 kB',
  );
});

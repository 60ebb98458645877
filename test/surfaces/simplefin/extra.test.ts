import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BridgeAnswer, connectApp, rowsOf } from '../../support/bridge.ts';
import { checkAccountSet } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';
import { type BridgeStage, openStage } from './stage.ts';

/** How many accounts and transactions of an answer have an `extra`. */
function extras(answer: BridgeAnswer): { accounts: number; rows: number } {
  checkAccountSet(answer.body);
  const counted = (things: Json[]): number => things.filter((one) => 'extra' in one).length;
  return { accounts: counted(answer.body.accounts), rows: counted(rowsOf(answer)) };
}

describe('The extra of accounts and transactions', () => {
  let stage: BridgeStage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.service.close());

  it('is sent, unless the setup token of the app leaves it out, from its first read on', async () => {
    const usual = await stage.app.accounts();
    const sent = extras(usual);
    assert.ok(sent.accounts === usual.body.accounts.length && sent.rows > 0);
    const app = await connectApp(stage.service, stage.owner, 'Lean', { leave_out_extra: true });
    assert.equal((await app.app()).leave_out_extra, true);
    const lean = await app.accounts();
    assert.deepEqual(extras(lean), { accounts: 0, rows: 0 });
    const without = ({ extra: _extra, transactions, ...account }: Json): Json => ({
      ...account,
      ...(transactions && { transactions: transactions.map(without) }),
    });
    assert.deepEqual(lean.body.accounts, usual.body.accounts.map(without), 'nothing else differs');
  });

  it('is as the app that asks has it, however the apps of one owner take turns, and changes with the app at once', async () => {
    const [one, other] = [
      await connectApp(stage.service, stage.owner),
      await connectApp(stage.service, stage.owner, 'Lean', { leave_out_extra: true }),
    ];
    const sent = extras(await one.accounts());
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(extras(await other.accounts()), { accounts: 0, rows: 0 });
      assert.deepEqual(extras(await one.accounts()), sent);
    }
    const path = `/v2/simplefin_apps/${(await one.app()).id}`;
    for (const leave_out_extra of [true, false]) {
      const { body } = await stage.owner.v2('POST', path, { leave_out_extra });
      assert.deepEqual([body.leave_out_extra, body.two_decimals], [leave_out_extra, false]);
      assert.deepEqual(extras(await one.accounts()), leave_out_extra ? { accounts: 0, rows: 0 } : sent);
    }
    assert.deepEqual(extras(await other.accounts()), { accounts: 0, rows: 0 });
  });
});

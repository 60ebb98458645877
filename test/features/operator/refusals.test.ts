import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BY_OPERATOR } from '../../../src/features/audit/audit-log.ts';
import { OperatorRefusal } from '../../../src/features/operator/refusal.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { accountUpdate } from '../../../src/surfaces/cli/commands/account.ts';
import { publicId, rowId } from '../../../src/vocabulary/ids.ts';
import { startService, type TestService } from '../../support/service.ts';

const SOMEWHERE = '00000000-0000-7000-8000-000000000001';

let service: TestService;
before(async () => {
  service = await startService({}, { clock: new ShiftedClock(0) });
});
after(() => service.close());

test('A refusal says which input is wrong and names no option, so that every surface can show it', async () => {
  const { accounts, owners, apps, sandbox, clock } = service.app.operator;
  assert.ok(sandbox !== null && clock !== null);
  const { record } = await service.owner();
  const operator = { by: BY_OPERATOR, from: null };
  const signal = AbortSignal.timeout(60_000);
  const refused: ReadonlyArray<readonly [() => Promise<unknown>, OperatorRefusal['reason'], string | null]> =
    [
      [() => accounts.change(record.id, {}, operator), 'input', null],
      [() => accounts.change(record.id, { plan: 'gold' }, operator), 'input', 'plan'],
      [() => accounts.change(record.id, { status: 'gone' }, operator), 'input', 'status'],
      [() => accounts.change(record.id, { limit: 'syncs=x' }, operator), 'input', 'limit'],
      [() => accounts.delete(record.id, 'somebody@example.test'), 'input', 'confirm'],
      [() => apps.update(rowId('simplefin_app', SOMEWHERE), {}), 'input', null],
      [() => owners.ofSync(rowId('sync', SOMEWHERE)), 'state', null],
      [() => owners.account(rowId('account', SOMEWHERE)), 'state', null],
      [() => clock.forward('tomorrow'), 'input', 'forward'],
      [() => clock.forward('9999d'), 'input', 'forward'],
      [() => sandbox.faults('nobody', signal), 'input', null],
      [() => sandbox.arm({ integration: 'au_banking', kind: 'earthquake' }, signal), 'input', null],
      [() => sandbox.setInstitution('somewhere', 'OUTAGE', signal), 'input', null],
    ];
  for (const [asked, reason, input] of refused) {
    const error = await asked().then(
      () => assert.fail('it was not refused'),
      (raised: unknown) => raised,
    );
    assert.ok(error instanceof OperatorRefusal, String(error));
    assert.deepEqual([error.reason, error.input], [reason, input], error.message);
    assert.doesNotMatch(error.message, /--/);
  }
});

test('The command line puts its option before what is wrong with it', async () => {
  const { record } = await service.owner();
  const context = { app: service.app, url: service.url, signal: AbortSignal.timeout(60_000) };
  const account = publicId('account_record', record.id);
  await assert.rejects(accountUpdate.run(context, { account, limit: 'syncs=x' }), {
    exitCode: 2,
    message: /^--limit: "syncs=x" is not accepted\./,
  });
});

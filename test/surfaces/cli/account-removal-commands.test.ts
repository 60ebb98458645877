import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accountDelete, accountList } from '../../../src/surfaces/cli/commands/account.ts';
import { keyCreate } from '../../../src/surfaces/cli/commands/key.ts';
import { accountOperator } from '../../../src/surfaces/cli/commands/people.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { addPerson } from '../../support/people.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

const context = () => ({ app: service.app, url: service.url, signal: AbortSignal.timeout(10_000) });

test('The operator deletes an account record by naming it twice, and sees that it is under way', async () => {
  const owner = await service.owner();
  await importedConnection(owner, await linkBank(owner));
  const account = publicId('account_record', owner.record.id);
  const bank = sandboxBank(service.app);
  bank.addFault({ route: '*', kind: 'server-error', probability: 1 });
  await assert.rejects(accountDelete.run(context(), { account, confirm: 'no' }), /Nothing was deleted/);
  assert.equal((await owner.v2('GET', '/v2/me')).status, 200);
  const asked = accountDelete.parse(
    await accountDelete.run(context(), { account, confirm: owner.record.email.toUpperCase() }),
  );
  assert.match(accountDelete.show(asked), /is being deleted since/);
  assert.equal((await owner.v2('GET', '/v2/me')).status, 401);
  const listed = accountList.parse(await accountList.run(context(), {}));
  assert.equal(listed.accounts.find(({ id }) => id === account)?.removal_asked_at, asked.asked_at);
  assert.match(accountList.show(listed), new RegExp(`being deleted since ${asked.asked_at}`));
  const key = { account, name: 'back door', scopes: 'all' };
  await assert.rejects(keyCreate.run(context(), key), /No such account record/);
  await assert.rejects(accountDelete.run(context(), { account: 'acc_x', confirm: 'no' }), /not the id/);
});

test('The operator says who is an operator in a browser', async () => {
  const { email } = await addPerson(service, await service.owner());
  const run = async (args: object) =>
    accountOperator.parse(await accountOperator.run(context(), args)).operators;
  assert.match(accountOperator.show(await accountOperator.run(context(), {})), /There is no operator/);
  assert.deepEqual(await run({ email: email.toUpperCase() }), [{ email }]);
  assert.deepEqual(await run({}), [{ email }]);
  assert.deepEqual(await run({ email, remove: true }), []);
  await assert.rejects(run({ email: 'nobody@example.test' }), /No such user/);
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestService } from '../../support/service.ts';
import { Browser } from './browser.ts';
import { startSession } from './person.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

const bank = () => sandboxBank(service.app);
const madeAtVendor = (path: string) =>
  bank()
    .requests()
    .filter((request) => request.method === 'POST' && request.path === path).length;

describe('a link that is begun 300 times', () => {
  test('makes one end user and one session at the vendor, and leads every time to the same page', async () => {
    const owner = await service.owner();
    const session = await startSession(owner);
    bank().clearRequests();
    bank().addFault({ route: 'POST /v1/auth/session', kind: 'latency', latencyMs: 300 });
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => new Browser().visit(session.url, 'POST')),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    assert.equal(new Set(answers.map(({ location }) => location)).size, 1);
    assert.equal(madeAtVendor('/v1/end-users'), 1);
    assert.equal(madeAtVendor('/v1/auth/session'), 1);
  });
});

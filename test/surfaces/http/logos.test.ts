import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { linkedOwner } from '../../browser/lives.ts';
import { startService, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

describe('Logos of institutions', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const picture = async (url: string): Promise<string> => {
    const answer = await fetch(url);
    assert.equal(answer.status, 200, url);
    assert.match(answer.headers.get('content-type') ?? '', /^image\/svg\+xml/);
    return answer.text();
  };

  test('are addresses of pictures, where people reach them, for every institution, connection and account', async () => {
    const owner = await linkedOwner(service);
    const { data: institutions } = (await owner.v2('GET', '/v2/institutions?limit=100')).body;
    const { data: connections } = (await owner.v2('GET', '/v2/connections')).body;
    const { data: accounts } = (await owner.v2('GET', '/v2/accounts')).body;
    const logos = [
      ...institutions.map(({ logo }: Json) => logo),
      ...[...connections, ...accounts].map(({ institution }: Json) => institution.logo),
    ];
    assert.ok(logos.length > 5);
    for (const logo of new Set<string>(logos)) {
      assert.equal(new URL(logo).origin, service.url, 'the simulators are reached from this machine alone');
      assert.match(await picture(logo), /^<svg /);
    }
    // The bank Up sends none.
    const up = institutions.find(({ provider }: Json) => provider === 'up_bank');
    assert.match(await picture(up.logo), />U<\/text>/);
  });

  test('that are made here hold nothing but letters and digits, and may be kept', async () => {
    const answer = await fetch(`${service.url}/logos/%C3%89%E5%96%AB-12.svg`);
    assert.match(await answer.text(), />É喫<\/text>/);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'");
    for (const bad of ['%3Cb-1.svg', 'AB-360.svg', 'ABC-1.svg', 'AB.svg', '%22-1.svg', 'A%26-1.svg'])
      assert.equal((await fetch(`${service.url}/logos/${bad}`)).status, 404, bad);
  });
});

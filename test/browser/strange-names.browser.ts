import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { BrokerageControl } from '../../sandbox/brokerage/control.ts';
import { importedConnection, linkBank, linkBroker, startSession } from '../features/linking/person.ts';
import { claimAddress } from '../support/bridge.ts';
import { addPerson, signedIn } from '../support/people.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { VirtualAuthenticator } from '../support/virtual-authenticator.ts';
import { letIn } from '../surfaces/oauth/stage.ts';
import { openChromium } from './chromium.ts';
import { type SignedInVisitor, signedInAt } from './people.ts';
import { STRANGE_CUSTOMER, strangeBankFile, strangeBankId } from './strange-bank.ts';

/** Markup that runs if it is not shown as text, and reports its field. */
const markup = (field: string): string =>
  `"'><img src=x onerror=window.ran="${field}"><script>window.ran="${field}"</script>`;

const NAMES = {
  app: markup('app'),
  passkey: markup('passkey'),
  program: markup('program'),
  token: markup('token'),
  account: markup('account'),
  institution: markup('institution'),
  instrument: markup('instrument'),
  symbol: markup('symbol'),
  trade: markup('trade'),
} as const;

let service: TestService;
let browser: Browser;
let visitor: SignedInVisitor;
/** Paths that are known only once everything is linked. */
let connection: string;
let linkPage: string;
before(async () => {
  // Browsers offer passkeys at a name, and at no address.
  service = await startService({ HOST: 'localhost', SANDBOX_DATA: await strangeBankFile(NAMES) });
  browser = await openChromium();
  const owner = await service.owner();
  const as = await addPerson(service, owner);
  const person = await signedIn(service, as);
  await letIn(service, person, { name: NAMES.app });
  const passkeys = '/settings/security/passkeys';
  const asked = JSON.parse((await person.send(`${passkeys}/options`, {})).text);
  const credential = new VirtualAuthenticator(service.app.config.appUrl).create(asked);
  assert.equal((await person.send(passkeys, { credential, name: NAMES.passkey })).status, 200);
  await connectProgram(owner);
  await setupToken(owner, NAMES.token);
  await linkBoth(owner);
  visitor = await signedInAt('/', { browser, service, owner, as });
});
after(async () => {
  await visitor?.close();
  await browser?.close();
  await service?.close();
});

async function setupToken(owner: TestOwner, name: string): Promise<Json> {
  const { status, body } = await owner.v2('POST', '/v2/simplefin_setup_tokens', { name });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** A program whose setup token has a different name, so that its own name must be shown. */
async function connectProgram(owner: TestOwner): Promise<void> {
  const { setup_token: token } = await setupToken(owner, 'Ledger');
  assert.equal((await fetch(claimAddress(token), { method: 'POST' })).status, 200);
  const [program] = (await owner.v2('GET', '/v2/simplefin_apps')).body.data;
  const renamed = await owner.v2('POST', `/v2/simplefin_apps/${program.id}`, { name: NAMES.program });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
}

/** The bank of the file, and a broker at which what is held and traded has such names too. */
async function linkBoth(owner: TestOwner): Promise<void> {
  const at = await strangeBankId(owner, NAMES.institution);
  const { url } = await startSession(owner, { institution: at });
  linkPage = new URL(url).pathname;
  const linked = await importedConnection(owner, await linkBank(owner, { at, customer: STRANGE_CUSTOMER }));
  connection = `/connections/${linked.id}`;
  await importedConnection(owner, await linkBroker(owner, 'self-directed'));
  const control = service.app.sandbox?.simulators.get('brokerage')?.control;
  assert.ok(control instanceof BrokerageControl, 'the sandbox broker runs');
  const [account = ''] = control.connections().flatMap(({ accounts }) => accounts);
  const held = { kind: 'stock', name: NAMES.instrument, currency: 'USD', exchange: 'XNAS' } as const;
  control.setPositions(account, [
    {
      instrument: { ...held, symbol: NAMES.symbol },
      units: '3',
      price: '7.00',
      cost: '5.00',
      currency: 'USD',
    },
  ]);
  control.appendActivities(account, [
    { type: 'BUY', symbol: NAMES.symbol, units: '3', price: '7.00', amount: '-21', description: NAMES.trade },
  ]);
}

/** What has each name, and the pages that show it. */
const SHOWN: readonly (readonly [field: keyof typeof NAMES, by: string, pages: () => readonly string[]])[] = [
  ['app', 'that an app registers itself under', () => ['/developer/apps', '/settings/security']],
  ['passkey', 'of a passkey', () => ['/settings/security']],
  ['program', 'of a SimpleFIN program', () => ['/developer/simplefin']],
  ['token', 'of a setup token', () => ['/developer/simplefin']],
  [
    'account',
    'of a bank account',
    () => ['/', '/connections', connection, '/transactions', '/syncs/new?step=accounts'],
  ],
  [
    'institution',
    'of an institution',
    () => ['/', '/connections', connection, '/connections/new', linkPage, '/syncs/new?step=accounts'],
  ],
  ['instrument', 'of what a broker holds', () => ['/holdings']],
  ['symbol', 'that is the symbol of what is held and traded', () => ['/holdings', '/trades']],
  ['trade', 'that a broker describes a trade by', () => ['/trades']],
];

describe('names that strangers choose', () => {
  for (const [field, has, pages] of SHOWN) {
    test(`the name ${has} is shown as text and runs nothing`, async () => {
      const { page, complaints } = visitor;
      const earlier = complaints.length;
      for (const path of pages()) {
        await page.goto(new URL(path, service.url).href);
        const shown = page.getByText(NAMES[field]).filter({ visible: true });
        await shown.first().waitFor();
        assert.equal(await page.evaluate('window.ran'), undefined, path);
        assert.equal(await page.locator('img[src="x"]').count(), 0, path);
        assert.deepEqual(complaints.slice(earlier), [], path);
      }
    });
  }
});

import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import { startLink } from '../../connectors/destinations/support/linked.ts';
import { startSession, visit } from '../../features/linking/person.ts';
import type { TestService } from '../../support/service.ts';
import { type Route, type SceneMaker, type Scenes, sceneAt } from './scene.ts';

/** Someone whom the page of a link has sent to a simulated vendor. */
async function sentOn(owner: Awaited<ReturnType<TestService['owner']>>, { url }: { readonly url: string }) {
  const { pathname, search } = new URL((await visit(url, 'POST')).location);
  return { owner, as: 'signed-out', path: `${pathname}${search}` } as const;
}

async function atBank(service: TestService, choices: Record<string, unknown> = {}) {
  const owner = await service.owner();
  return sentOn(owner, await startSession(owner, choices));
}

const atNewZealand = (service: TestService) =>
  atBank(service, { provider: 'nz_banking', institution: undefined });
const atBroker = (service: TestService) => atBank(service, { provider: 'brokerage', institution: undefined });

async function atEurope(service: TestService) {
  const owner = await service.owner();
  const { body } = await owner.v2('GET', '/v2/institutions?provider=enable_banking&q=Kuura');
  return sentOn(
    owner,
    await startSession(owner, { provider: 'enable_banking', institution: body.data[0].id }),
  );
}

/** What a vendor asks who is to be written to. */
function asks(route: Route, type: DestinationType): SceneMaker {
  return sceneAt(route, async (service) => {
    const owner = await service.owner();
    return {
      ...(await sentOn(owner, await startLink(owner, { type }))),
      ready: (page) => page.getByRole('button', { name: 'Allow' }).waitFor(),
    };
  });
}

/** The simulators' own pages, which people see if the service runs with its sandbox. */
export const VENDORS_SCENES: Scenes = {
  'vendor-bank': sceneAt('/sandbox/au-banking/link/*', async (service) => ({
    ...(await atBank(service)),
    ready: (page) => page.getByRole('button', { name: 'Log in' }).waitFor(),
  })),
  'vendor-bank-accounts': sceneAt('/sandbox/au-banking/link/*', async (service) => ({
    ...(await atBank(service)),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('button', { name: 'Consent' }).waitFor();
    },
  })),
  'vendor-new-zealand': sceneAt('/sandbox/nz-banking/oauth', async (service) => ({
    ...(await atNewZealand(service)),
    ready: (page) => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  })),
  'vendor-new-zealand-banks': sceneAt('/sandbox/nz-banking/oauth/*', async (service) => ({
    ...(await atNewZealand(service)),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Share' }).waitFor();
    },
  })),
  'vendor-broker': sceneAt('/sandbox/brokerage/portal/*', async (service) => ({
    ...(await atBroker(service)),
    ready: (page) => page.getByText('Maple Direct').waitFor(),
  })),
  'vendor-broker-code': sceneAt('/sandbox/brokerage/portal/*', async (service) => ({
    ...(await atBroker(service)),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Or another log-in').fill('second-factor');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('Enter your code').first().waitFor();
    },
  })),
  'vendor-simplefin': sceneAt('/sandbox/simplefin/simplefin/create', async (service) => ({
    owner: await service.owner(),
    as: 'signed-out',
    ready: (page) => page.getByRole('button', { name: 'Create setup token' }).waitFor(),
  })),
  'vendor-europe': sceneAt('/sandbox/enable-banking/welcome', async (service) => ({
    ...(await atEurope(service)),
    ready: (page) => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  })),
  'vendor-europe-accounts': sceneAt('/sandbox/enable-banking/welcome/*', async (service) => ({
    ...(await atEurope(service)),
    ready: async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Share' }).waitFor();
    },
  })),
  'vendor-google': asks('/sandbox/sheets/o/oauth2/v2/auth', 'sheets'),
  'vendor-notion': asks('/sandbox/notion/v1/oauth/authorize', 'notion'),
  'vendor-airtable': asks('/sandbox/airtable/oauth2/v1/authorize', 'airtable'),
  'vendor-ynab': asks('/sandbox/ynab/oauth/authorize', 'ynab'),
};

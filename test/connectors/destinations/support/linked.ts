import assert from 'node:assert/strict';
import { INTEGRATIONS, type Integration } from '../../../../src/app/integrations.ts';
import { Browser, type Visit } from '../../../features/linking/browser.ts';
import { startService, type TestOwner, type TestService } from '../../../support/service.ts';
import type { Json } from '../../../support/v2-client.ts';
import { Vendor } from './vendor.ts';
import { vendorConnector } from './vendor-connector.ts';

export const RETURN_URL = 'https://app.example.test/back?tab=2';

/** Every provider, and of the destinations webhooks alone. */
export const WITHOUT_LINKED: readonly Integration[] = INTEGRATIONS.filter(
  ({ row }) => row.kind === 'provider' || row.name === 'webhook',
);

/** A service with spreadsheets, budgets and databases set up, all held by one vendor; notes and tables are not. */
export async function startWithVendor(
  environment: Record<string, string> = {},
  integrations: readonly Integration[] = WITHOUT_LINKED,
): Promise<{ readonly service: TestService; readonly vendor: Vendor }> {
  const vendor = await new Vendor().open();
  const service = await startService(environment, {
    integrations,
    connectors: (http) => [
      vendorConnector('sheets', vendor.origin, http),
      vendorConnector('ynab', vendor.origin, http),
      vendorConnector('postgres', vendor.origin, http),
    ],
  });
  return { service, vendor };
}

/** Starts a link for the owner; the answer is the destination_link. */
export async function startLink(owner: TestOwner, more: Record<string, unknown> = {}): Promise<Json> {
  const answer = await owner.v2('POST', '/v2/destination_links', {
    type: 'sheets',
    return_url: RETURN_URL,
    ...more,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** The one browser of these tests. */
const browser = new Browser();

/** Comes back from the vendor in the browser that went there. */
export function comeBack(address: string): Promise<Visit> {
  return browser.visit(address);
}

/** Presses Continue and signs in at the vendor; the address the vendor sends the person back to. */
export async function signIn(linkUrl: string): Promise<string> {
  const begun = await browser.visit(linkUrl, 'POST');
  assert.equal(begun.status, 303, begun.html);
  const vendor = await browser.visit(begun.location);
  assert.equal(vendor.status, 303, vendor.html);
  return vendor.location;
}

/** The whole way; what the person's browser is answered at its end. */
export async function linkAt(link: Json): Promise<Visit> {
  return comeBack(await signIn(link.url));
}

/** A draft destination of the type, linked a moment ago. */
export async function draft(owner: TestOwner, type = 'sheets'): Promise<Json> {
  const link = await startLink(owner, { type });
  await linkAt(link);
  const { body } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
  assert.equal(body.status, 'completed', JSON.stringify(body));
  return (await owner.v2('GET', `/v2/destinations/${body.destination}`)).body;
}

export const TARGETS: Readonly<Record<string, Record<string, string>>> = {
  sheets: { spreadsheet_id: 'doc_1', sheet_id: '0', spreadsheet_name: 'Money', sheet_name: 'Rows' },
  ynab: { budget_id: 'budget_1' },
  postgres: { schema: 'public', table: 'bank' },
};

/** A destination of the type that rows can be written to. */
export async function aimed(owner: TestOwner, type = 'sheets'): Promise<Json> {
  const { id } = await draft(owner, type);
  const answer = await owner.v2('POST', `/v2/destinations/${id}`, { target: TARGETS[type] });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

import assert from 'node:assert/strict';
import type { Integration } from '../../../../src/app/integrations.ts';
import type { ProviderSignal } from '../../../../src/connectors/providers/provider-contract.ts';
import { Browser, type Visit } from '../../../features/linking/browser.ts';
import { ONE_PROVIDER } from '../../../support/one-provider.ts';
import type { TestOwner, TestService } from '../../../support/service.ts';
import type { Json } from '../../../support/v2-client.ts';
import { signatureOf } from './connector.ts';
import { kereruIntegrations } from './integration.ts';
import { Vendor, type Login as VendorLogin } from './vendor.ts';

export type Login = VendorLogin;

export const RETURN_URL = 'https://app.example.test/back';

/** The vendor, and what an operator configures to have it as a bank and as a broker. */
export async function openKereru(): Promise<{
  readonly vendor: Vendor;
  readonly integrations: readonly Integration[];
}> {
  const vendor = await new Vendor().open();
  return { vendor, integrations: [...ONE_PROVIDER, ...kereruIntegrations(vendor.origin)] };
}

/** Sends a notification as the vendor does, or with a signature of someone else. */
export async function notify(
  service: TestService,
  provider: string,
  signals: readonly ProviderSignal[],
  signature: string | null = null,
): Promise<number> {
  // Spaces that a parsed and printed body would lose.
  const body = Buffer.from(`${JSON.stringify(signals, null, 3)}\n`);
  const response = await fetch(`${service.url}/provider-webhooks/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-kereru-signature': signature ?? signatureOf(body) },
    body,
  });
  return response.status;
}

/** One person at one browser, who links at the vendor. */
export class Person {
  readonly #vendor: Vendor;
  readonly #owner: TestOwner;
  readonly #browser = new Browser();

  constructor(vendor: Vendor, service: TestService, owner: TestOwner) {
    this.#vendor = vendor;
    this.#owner = owner;
    vendor.redirectUri = `${service.url}/connect/return`;
  }

  /** A new session, or one that renews the connection. */
  async start(provider: 'nz_banking' | 'brokerage', renews: string | null = null): Promise<Json> {
    const path = renews === null ? '/v2/link_sessions' : `/v2/connections/${renews}/reauthorize`;
    const body = renews === null ? { provider, return_url: RETURN_URL } : { return_url: RETURN_URL };
    const answer = await this.#owner.v2('POST', path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  /** Presses Continue; where that leads. */
  press(session: Json): Promise<Visit> {
    return this.#browser.visit(session.url, 'POST');
  }

  /** Signs in at the vendor as the person of the name and comes back; the session as it is then. */
  async signIn(session: Json, name: string): Promise<Json> {
    this.#vendor.person = name;
    const begun = await this.press(session);
    assert.equal(begun.status, 303, begun.html);
    const back = await this.#browser.visit(begun.location);
    const answer = await this.#browser.visit(back.location);
    assert.equal(answer.status, 303, answer.html);
    return (await this.#owner.v2('GET', `/v2/link_sessions/${session.id}`)).body;
  }
}

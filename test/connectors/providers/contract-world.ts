import assert from 'node:assert/strict';
import { until } from '../../features/linking/person.ts';
import { Receiver } from '../../features/sync-engine/support/receiver.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import * as throwaway from './kereru/world.ts';

export const notify = throwaway.notify;
export type Login = throwaway.Login;

export interface Linked {
  readonly owner: TestOwner;
  readonly person: throwaway.Person;
  /** Newest first. */
  connections(): Promise<Json[]>;
  /** Has the vendor asked about a connection's consent, as after an hour. */
  ask(connection: string): Promise<void>;
}

/** The service with the vendor as a bank (`nz_banking`) and as a broker (`brokerage`). */
export class ContractWorld {
  readonly service: TestService;
  readonly #opened: Awaited<ReturnType<typeof throwaway.openKereru>>;
  #people = 0;

  private constructor(service: TestService, opened: Awaited<ReturnType<typeof throwaway.openKereru>>) {
    this.service = service;
    this.#opened = opened;
  }

  static async open(): Promise<ContractWorld> {
    const opened = await throwaway.openKereru();
    return new ContractWorld(await startService({}, { integrations: opened.integrations }), opened);
  }

  get vendor() {
    return this.#opened.vendor;
  }

  get integrations() {
    return this.#opened.integrations;
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.vendor.close();
  }

  async somebody(): Promise<Linked> {
    const { service } = this;
    const owner = await service.owner();
    const connections = async () => (await owner.v2('GET', '/v2/connections?include[]=accounts')).body.data;
    const ask = async (connection: string) => {
      await service.app.database.db
        .updateTable('consents')
        .set({ checked_at: new Date(0) })
        .where('account_record', '=', owner.record.id)
        .execute();
      assert.equal((await owner.v2('POST', `/v2/connections/${connection}/refresh`)).status, 202);
    };
    return { owner, person: new throwaway.Person(this.vendor, service, owner), connections, ask };
  }

  /** A name no one signed in under yet, with a login at each of the banks. */
  signer(...banks: string[]): string {
    this.#people += 1;
    for (const bank of banks) this.vendor.addLogin(`person-${this.#people}`, bank);
    return `person-${this.#people}`;
  }
}

/** The account of each connection, once all have one. */
export async function accountsOf({ connections }: Linked): Promise<string[]> {
  const listed = await until(connections, (all) => all.every((one) => one.status === 'active'));
  return listed.map((one) => one.accounts[0].id);
}

export const rowsOf = async (owner: TestOwner, account: string) =>
  owner.v2('GET', `/v2/transactions?account=${account}&from=2026-11-01&to=2026-11-10`);
export const tradesOf = async (owner: TestOwner, account: string) =>
  owner.v2('GET', `/v2/trades?account=${account}&from=2026-11-01&to=2026-11-10`);

/** A sync of the account to a webhook, run once. */
export async function copying(owner: TestOwner, account: string) {
  const receiver = await new Receiver().open();
  const made = await owner.v2('POST', '/v2/destinations', {
    type: 'webhook',
    name: 'books',
    target: { url: receiver.url },
  });
  receiver.secrets = [made.body.config.signing_secret];
  const created = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'All',
    destination: made.body.id,
    accounts: [account],
    mapping_mode: 'bulk',
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const sync: string = created.body.id;
  const latest = async (): Promise<Json> =>
    (await owner.v2('GET', `/v2/syncs/${sync}?include[]=latest_run`)).body.latest_run;
  await until(latest, ({ status }) => status === 'succeeded');
  return { receiver, sync, latest, close: () => receiver.close() };
}

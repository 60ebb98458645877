import assert from 'node:assert/strict';
import { startYnabSimulator, type YnabSimulator } from '../../../../sandbox/ynab/server.ts';
import type { DestinationConnector } from '../../../../src/connectors/destinations/destination-contract.ts';
import { ynabConnector } from '../../../../src/connectors/destinations/ynab/connector.ts';
import { YNAB } from '../../../../src/connectors/destinations/ynab/integration.ts';
import { MemoryQuotaLog } from '../../../../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../../../../src/features/rate-limits/vendor-quotas.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { IntegrationValues } from '../../../../src/platform/integration-settings.ts';
import { OutgoingAddresses } from '../../../../src/platform/outgoing-addresses.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/vocabulary/limits.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { DescribedHttp } from './description.ts';

export const REDIRECT = 'https://hub.example.test/connect/return';
export const CLIENT = { clientId: 'ynab-id', clientSecret: 'ynab-secret' };

/** The time of another clock, in which no one has to wait: waits are noted and over at once. */
export class HurriedClock implements Clock {
  readonly waits: number[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  now(): number {
    return this.#now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Quotas counted in this process, by that clock. */
export function quotasBy(clock: Clock): VendorQuotas {
  return new VendorQuotas(clock, {
    log: new MemoryQuotaLog(clock),
    blind: (key) => key,
  });
}

export function connectorAt(
  simulator: Pick<YnabSimulator, 'url' | 'apiUrl'> & { readonly clientSecret?: string },
  tools: {
    readonly http: Pick<OutgoingHttp, 'request'>;
    readonly clock: Clock;
    readonly quotas?: VendorQuotas;
    readonly limits?: Limits;
  },
): DestinationConnector {
  const { http, clock, quotas = quotasBy(clock), limits = DEFAULT_LIMITS } = tools;
  const { url, apiUrl: baseUrl, clientSecret = CLIENT.clientSecret } = simulator;
  const client = { ...CLIENT, clientSecret };
  return ynabConnector({ http, clock, limits, quotas, baseUrl, tokenUrl: url, oauthUrl: url, ...client });
}

/** The connector as the table of integrations opens it, at the simulator. */
export function integrationAt({ url, apiUrl }: YnabSimulator, http: OutgoingHttp, clock: Clock) {
  const values = new IntegrationValues('ynab', {
    YNAB_BASE_URL: apiUrl,
    YNAB_TOKEN_URL: url,
    YNAB_OAUTH_URL: url,
    YNAB_CLIENT_ID: CLIENT.clientId,
    YNAB_CLIENT_SECRET: CLIENT.clientSecret,
  });
  const names = { resolve: () => assert.fail('it speaks HTTP alone') };
  const addresses = new OutgoingAddresses({ guard: new AddressGuard([]), names });
  return YNAB.open(values, { http, addresses, clock, limits: DEFAULT_LIMITS, quotas: quotasBy(clock) });
}

/** What the person's browser is sent back with after the consent page was answered; `state` checked and left out. */
export async function consented(
  connector: DestinationConnector,
  outcome: 'approve' | 'deny' | 'fail' = 'approve',
): Promise<Record<string, string>> {
  const { signal } = new AbortController();
  const request = { redirectUri: REDIRECT, state: 'the-state', verifier: 'v'.repeat(43) };
  const address = (await connector.linking?.begin(request, signal)) ?? assert.fail('no page');
  const page = await fetch(address);
  const html = await page.text();
  assert.equal(page.status, 200, html);
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const answer = await fetch(new URL(action, address), {
    method: 'POST',
    body: new URLSearchParams({ outcome }),
    redirect: 'manual',
  });
  const back = new URL(answer.headers.get('location') ?? '');
  assert.equal(`${back.origin}${back.pathname}`, REDIRECT);
  const { state, ...query } = Object.fromEntries(back.searchParams);
  assert.equal(state, 'the-state');
  return query;
}

/** A grant, by signing in. */
export async function granted(connector: DestinationConnector): Promise<string> {
  const query = await consented(connector);
  const callback = { redirectUri: REDIRECT, verifier: 'v'.repeat(43), query };
  const outcome = await connector.linking?.complete(callback, new AbortController().signal);
  assert.equal(outcome?.kind, 'linked');
  return outcome?.kind === 'linked' ? outcome.grant : '';
}

/** A world whose engines write to the simulated YNAB, and a plan there that a person has linked. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly vendor: YnabSimulator;
  readonly destination: DestinationRow;
  readonly connector: DestinationConnector;
  readonly plan: string;
  /** Accounts of the plan by name. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly clock: HurriedClock;
  readonly #http: OutgoingHttp;
  readonly #described: DescribedHttp;

  private constructor(parts: {
    world: World;
    vendor: YnabSimulator;
    destination: DestinationRow;
    connector: DestinationConnector;
    clock: HurriedClock;
    http: OutgoingHttp;
    described: DescribedHttp;
  }) {
    this.world = parts.world;
    this.vendor = parts.vendor;
    this.destination = parts.destination;
    this.connector = parts.connector;
    this.clock = parts.clock;
    this.#http = parts.http;
    this.#described = parts.described;
    this.plan = parts.destination.target.budget_id ?? '';
    const plan = parts.vendor.control.plans().find(({ planId }) => planId === this.plan);
    this.accounts = new Map(plan?.accounts.map(({ name, accountId }) => [name, accountId]));
  }

  /** @param options.plan the plan's name; `Household` is in Australian dollars */
  static async open(
    options: WorldOptions & {
      readonly plan?: string;
      readonly callsPerHour?: number;
      readonly chunkRows?: number;
    } = {},
  ): Promise<Scene> {
    const http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
    let now = (): number => Date.now();
    const clock = new HurriedClock(() => now());
    const { callsPerHour = 200, plan = 'Household' } = options;
    const vendor = await startYnabSimulator({ ...CLIENT, clock, callsPerHour });
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const described = new DescribedHttp(http);
    const made = connectorAt(vendor, { http: described, clock, limits });
    const connector = { ...made, chunkRows: options.chunkRows ?? made.chunkRows };
    const world = await World.open({ ...options, connector });
    now = () => world.clock.now();
    const grant = await granted(connector);
    const found = vendor.control.plans().find(({ name }) => name === plan) ?? assert.fail(plan);
    const destination = await linkedDestination(world, 'ynab', grant, { budget_id: found.planId });
    vendor.control.clearRequests();
    return new Scene({ world, vendor, destination, connector, clock, http, described });
  }

  /** The account of the plan by its name. */
  at(name: string): string {
    return this.accounts.get(name) ?? assert.fail(name);
  }

  category(name: string): string {
    const plan = this.vendor.control.plans().find(({ planId }) => planId === this.plan);
    return plan?.categories.find((one) => one.name === name)?.categoryId ?? assert.fail(name);
  }

  /** Transactions that are in an account. */
  shown(name = 'Everyday') {
    return this.vendor.control.transactions(this.plan, this.at(name));
  }

  /** The transaction with that memo, which must be one alone. */
  one(memo: string, account = 'Everyday') {
    const found = this.shown(account).filter((row) => row.memo === memo);
    assert.equal(found.length, 1, `${memo} is there ${found.length} times`);
    return found[0] ?? assert.fail();
  }

  /** Memos of an account, sorted. */
  memos(account = 'Everyday'): (string | null)[] {
    return this.shown(account)
      .map(({ memo }) => memo)
      .toSorted();
  }

  /** Calls of the API since the last time someone asked, by method and last part of the path. */
  calls(): string[] {
    const { control } = this.vendor;
    const calls = control.requests().filter(({ path }) => path.startsWith('/v1/'));
    control.clearRequests();
    return calls.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
  }

  /** A sync of accounts, all to `Everyday` unless they are mapped. */
  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync> = {}): Promise<Sync> {
    const accountMappings = accounts.map((account) => ({
      account,
      destination_account: this.at('Everyday'),
    }));
    return syncTo(this.world, this.destination, accounts, { accountMappings, ...more });
  }

  /** Everything again, some time later. */
  async resync(sync: Sync): Promise<void> {
    this.world.clock.advance(3_600_000);
    await this.world.runs.resync(this.world.owner.id, sync.row.id, SOME_KEY);
  }

  /** The sync deleted, and one like it made. */
  async anew(sync: Sync, accounts: readonly RowId<'account'>[], more: Partial<NewSync> = {}): Promise<Sync> {
    this.world.clock.advance(3_600_000);
    await this.world.syncs.delete(this.world.owner.id, sync.row.id);
    return this.sync(accounts, more);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
    await this.#http.close();
    await this.vendor.close();
    assert.deepEqual(this.#described.breaches, [], 'a call was not as YNAB describes its API');
  }
}

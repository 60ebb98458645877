import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tributary } from '#client';
import {
  type AuBankingSimulator,
  type AuBankingSimulatorOptions,
  startAuBankingSimulator,
} from '../../../sandbox/au-banking/server.ts';
import { banksByName, linkCustomer } from '../../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../../src/app/demo/limits-aside.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { seedDataDir } from '../../../test/support/schema-template.ts';
import { ServiceChild, type ServiceSettings } from '../service-child.ts';
import { RowReceiver } from './row-receiver.ts';

/** Small enough that a sync has many more chunks than a scenario has faults. */
const CHUNK_ROWS = 100;
const SANDBOX_BANK = 'Banking Sandbox Data Holder';
const CREDENTIALS = { clientId: 'torture', clientSecret: 'torture' } as const;
/** Where a person would go after linking; nothing needs to answer there. */
const RETURN_URL = 'http://127.0.0.1:9/linked';

export interface StageOptions {
  readonly databaseUrl?: string | null;
  readonly redisUrl?: string | null;
  /** Further variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further options of the service's runtime. */
  readonly nodeOptions?: readonly string[];
  /** `bin/tributary.js` of another version. */
  readonly main?: string;
  /** An existing directory for the service's data; else one is made. */
  readonly dataDir?: string;
  readonly bank?: Omit<AuBankingSimulatorOptions, 'clientId' | 'clientSecret'>;
  /** Where the service reaches the bank, when something is in between. */
  readonly bankUrl?: (simulator: string) => Promise<string>;
}

/** A service in a separate process, with its bank and its receivers in this one. */
export class Stage {
  readonly simulator: AuBankingSimulator;
  readonly service: ServiceChild;
  readonly settings: Omit<ServiceSettings, 'port'>;
  readonly #receivers: RowReceiver[] = [];
  readonly #madeDirectory: string | null;
  #owners = 0;
  #lastKey = '';

  private constructor(
    simulator: AuBankingSimulator,
    service: ServiceChild,
    settings: Stage['settings'],
    madeDirectory: string | null,
  ) {
    this.simulator = simulator;
    this.service = service;
    this.settings = settings;
    this.#madeDirectory = madeDirectory;
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const made = options.dataDir === undefined ? await mkdtemp(join(tmpdir(), 'tributary-torture-')) : null;
    const dataDir = options.dataDir ?? made ?? '';
    if (made !== null && !options.databaseUrl) await seedDataDir(made);
    const simulator = await startAuBankingSimulator({ ...CREDENTIALS, ...options.bank });
    const env = {
      FISKIL_BASE_URL: (await options.bankUrl?.(simulator.url)) ?? simulator.url,
      FISKIL_CLIENT_ID: CREDENTIALS.clientId,
      FISKIL_CLIENT_SECRET: CREDENTIALS.clientSecret,
      OUTBOUND_ALLOW: '127.0.0.0/8',
      LIMIT_WEBHOOK_CHUNK_ROWS: String(CHUNK_ROWS),
      ...LIMITS_ASIDE,
      ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
      ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}),
      ...options.env,
    };
    const { nodeOptions = [], main } = options;
    const settings = { dataDir, env, nodeOptions, ...(main !== undefined && { main }) };
    const service = new ServiceChild({ ...settings, port: await freePort('127.0.0.1') });
    service.launch();
    await service.ready();
    return new Stage(simulator, service, settings, made);
  }

  /** Another process of the same installation: on Postgres only. */
  async secondProcess(): Promise<ServiceChild> {
    const second = new ServiceChild({ ...this.settings, port: await freePort('127.0.0.1') });
    second.launch();
    await second.ready();
    return second;
  }

  /** An account record of its own, with a client that holds every scope. */
  async owner(): Promise<Tributary> {
    this.#owners += 1;
    const email = `owner${this.#owners}@example.com`;
    const account = await this.service.command('account create', { email });
    const key = await this.service.command('key create', { account: account.id, name: 'k', scopes: 'all' });
    this.#lastKey = String(key.secret);
    return this.client(this.service);
  }

  /** For the account record made last, at any process. */
  client({ url }: ServiceChild): Tributary {
    return new Tributary({ url, apiKey: this.#lastKey, retries: 0 });
  }

  async receiver(): Promise<RowReceiver> {
    const receiver = await RowReceiver.start();
    this.#receivers.push(receiver);
    return receiver;
  }

  /** Links a customer of the sandbox bank and returns the accounts' ids. */
  async link(owner: Tributary, customer: string): Promise<readonly string[]> {
    return linkCustomer(
      owner,
      { provider: 'au_banking', bank: SANDBOX_BANK, customer },
      await banksByName(owner, 'au_banking'),
      RETURN_URL,
      AbortSignal.timeout(120_000),
    );
  }

  /** A sync of the accounts from the beginning of time, whose first run is queued; returns its id. */
  async sync(owner: Tributary, accounts: readonly string[], receiver: RowReceiver): Promise<string> {
    const destination = await owner.destinations.create({
      type: 'webhook',
      name: 'Torture',
      target: { url: `${receiver.url}/deliveries` },
    });
    receiver.expect(destination.config?.signing_secret ?? '');
    const sync = await owner.syncs.create({
      type: 'transactions',
      name: 'Torture',
      destination: destination.id,
      accounts,
      mapping_mode: 'bulk',
      options: { data_from: '1960-01-01', include_pending: true },
    });
    return sync.id;
  }

  /** The vendor's ids of the accounts that were linked last. */
  lastLinked(): readonly string[] {
    return this.simulator.control.consents().findLast(({ active }) => active)?.accountIds ?? [];
  }

  async close(): Promise<void> {
    await this.service.kill();
    for (const receiver of this.#receivers) await receiver.close();
    await this.simulator.close();
    if (this.#madeDirectory !== null) await rm(this.#madeDirectory, { recursive: true, force: true });
  }
}

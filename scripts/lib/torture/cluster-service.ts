import { join } from 'node:path';
import { type SyncRun, Tributary } from '#client';
import { type Simulator, type SimulatorClock, SYSTEM_CLOCK } from '../../../sandbox/shared/simulator.ts';
import { banksByName, linkCustomer } from '../../../src/app/demo/demo-steps.ts';
import { type DemoTarget, demoTarget } from '../../../src/app/demo/demo-target.ts';
import { LIMITS_ASIDE } from '../../../src/app/demo/limits-aside.ts';
import { WebhookReceiver } from '../../../src/app/demo/receiver.ts';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { prepareSimulators } from '../../../src/app/sandbox-mode.ts';
import type { Role } from '../../../src/platform/config.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import { EventReceiver } from '../../../test/features/event-destinations/support/event-receiver.ts';
import { ServiceChild, type ServiceSettings } from '../service-child.ts';

/** The processes of docs/high-availability.md. */
export const PROCESSES: readonly Role[] = ['api', 'api', 'worker', 'worker', 'scheduler'];
const PROVIDER = 'au_banking';
const SANDBOX_BANK = 'Banking Sandbox Data Holder';

export interface Owner {
  readonly clients: readonly Tributary[];
  readonly account: string;
  readonly receiver: WebhookReceiver;
  readonly events: EventReceiver;
  readonly eventDestination: string;
  /** Ids of the keys whose rotation was acknowledged. */
  readonly rotated: string[];
}

/** A sync and its destination, before it is created. */
export interface Planned {
  readonly owner: Owner;
  readonly type: DestinationType;
  readonly target: DemoTarget;
}

/** Those of every destination and of one bank, in this process. */
export async function startSimulators(
  directory: string,
  clock: SimulatorClock = SYSTEM_CLOCK,
): Promise<ReadonlyMap<string, Simulator>> {
  const prepared = await prepareSimulators(
    INTEGRATIONS.filter(({ row }) => row.kind === 'destination' || row.name === PROVIDER),
    null,
  );
  const simulators = new Map<string, Simulator>();
  for (const [name, simulator] of prepared) {
    const ports = {
      vendor: await freePort('127.0.0.1'),
      control: await freePort('127.0.0.1'),
      database: await freePort('127.0.0.1'),
    };
    simulators.set(
      name,
      await simulator.start({
        clock,
        stateFile: join(directory, `simulator-${name}.json`),
        ports,
      }),
    );
  }
  return simulators;
}

/** The first of them migrates the database, and answers commands. */
export async function startProcesses(
  databaseUrl: string,
  directory: string,
  simulators: ReadonlyMap<string, Simulator>,
  more: Pick<ServiceSettings, 'env' | 'nodeOptions'> = { env: {} },
): Promise<readonly ServiceChild[]> {
  const settings = Object.assign({}, ...[...simulators.values()].map((simulator) => simulator.settings));
  const processes: ServiceChild[] = [];
  let publicUrl = '';
  for (const role of PROCESSES) {
    const port = await freePort('127.0.0.1');
    publicUrl ||= `http://127.0.0.1:${port}`;
    const service = new ServiceChild({
      dataDir: join(directory, 'data'),
      port,
      env: {
        ...settings,
        ...LIMITS_ASIDE,
        DATABASE_URL: databaseUrl,
        ROLES: role,
        PUBLIC_URL: publicUrl,
        SANDBOX: 'off',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        LIMIT_API_KEYS: '10000',
        ...more.env,
      },
      nodeOptions: more.nodeOptions ?? [],
    });
    service.launch();
    await service.ready();
    processes.push(service);
  }
  return processes;
}

export async function makeOwner(
  processes: readonly ServiceChild[],
  apis: readonly ServiceChild[],
  at: number,
  rows: number,
): Promise<Owner> {
  const [first] = processes;
  if (first === undefined) throw new Error('There is at least one process.');
  const args = { email: `owner${at}@example.com`, plan: 'professional' };
  const { id } = await first.command('account create', args);
  const key = await first.command('key create', { account: id, name: 'k', scopes: 'all' });
  const apiKey = String(key.secret);
  const clients = apis.map(({ url }) => new Tributary({ url, apiKey }));
  const client = clientOf({ clients });
  // Before anything is recorded, so that it receives every event.
  const events = await EventReceiver.open();
  const destination = await client.eventDestinations.create({
    name: 'all',
    webhook_endpoint: { url: events.url },
    enabled_events: ['*'],
  });
  events.secrets = [destination.webhook_endpoint.signing_secret ?? ''];
  const receiver = await WebhookReceiver.start();
  const account = await linkRows(client, rows, receiver.url);
  return { clients, account, receiver, events, eventDestination: destination.id, rotated: [] };
}

/** Links a customer with that many rows; the account's id. */
export async function linkRows(client: Tributary, rows: number, returnUrl: string): Promise<string> {
  const [account] = await linkCustomer(
    client,
    { provider: PROVIDER, bank: SANDBOX_BANK, customer: `rows:${rows}` },
    await banksByName(client, PROVIDER),
    `${returnUrl}/linked`,
    AbortSignal.timeout(120_000),
  );
  if (account === undefined) throw new Error('The customer has no account.');
  return account;
}

export function makeTarget(
  { clients, account, receiver }: Owner,
  type: DestinationType,
  simulators: ReadonlyMap<string, Simulator>,
  url: string,
): Promise<DemoTarget> {
  return demoTarget({
    type,
    v2: clientOf({ clients }),
    app: { sandbox: { simulators }, sandboxPages: [] },
    url,
    receiver,
    accounts: [account],
    currency: 'aud',
    holds: 'transactions',
    signal: AbortSignal.timeout(120_000),
  });
}

/** Rows at all destinations, those of each simulator once. */
export function arrivedRows(planned: readonly Planned[]): {
  readonly rows: number;
  readonly duplicates: number;
} {
  const counts: { readonly rows: number; readonly duplicates: number }[] = [];
  const counted = new Set<DestinationType>();
  for (const { type, target } of planned) {
    if (type !== 'webhook' && counted.has(type)) continue;
    counted.add(type);
    counts.push(target.arrived());
  }
  return {
    rows: counts.reduce((sum, { rows }) => sum + rows, 0),
    duplicates: counts.reduce((sum, { duplicates }) => sum + duplicates, 0),
  };
}

export function clientOf({ clients }: Pick<Owner, 'clients'>): Tributary {
  const [client] = clients;
  if (client === undefined) throw new Error('There is at least one process of the API.');
  return client;
}

export async function statusOf(owner: Owner, sync: string): Promise<string> {
  const { data } = await clientOf(owner).syncs.listRuns({ id: sync, limit: 1 }).page();
  return data[0]?.status ?? 'queued';
}

export function runsOf(owner: Owner, sync: string): Promise<readonly SyncRun[]> {
  return clientOf(owner).syncs.listRuns({ id: sync, limit: 100 }).all();
}

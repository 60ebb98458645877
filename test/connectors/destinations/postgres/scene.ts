import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type PostgresSimulator, startPostgresSimulator } from '../../../../sandbox/postgres/server.ts';
import type { ReceivedRow } from '../../../../sandbox/shared/simulator.ts';
import type {
  DestinationAccess,
  DestinationConnector,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import type { DatabaseWaits } from '../../../../src/connectors/destinations/postgres/client.ts';
import { postgresConnector } from '../../../../src/connectors/destinations/postgres/connector.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { OutgoingAddresses } from '../../../../src/platform/outgoing-addresses.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { SyncRunRow } from '../../../../src/storage/sync-runs.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/vocabulary/limits.ts';
import type { SyncType } from '../../../../src/vocabulary/syncs.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { scratchDirectory } from '../../../support/scratch.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { seedCluster } from './cluster-template.ts';

const HOUR_MS = 3_600_000;
const NO_SIGNAL = new AbortController().signal;

/** No name is looked up in these tests. */
const NAMES = { resolve: async () => assert.fail('a name is looked up') };

export function connectorOn(
  allow: readonly string[] = ['127.0.0.0/8'],
  limits: Partial<Limits> = {},
  names: { resolve(owner: string, host: string): Promise<readonly string[]> } = NAMES,
  waits: Partial<DatabaseWaits> = {},
): DestinationConnector {
  return postgresConnector({
    addresses: new OutgoingAddresses({ guard: new AddressGuard(allow), names }),
    clock: systemClock,
    limits: { ...DEFAULT_LIMITS, ...limits },
    waits,
  });
}

let shared: Promise<PostgresSimulator> | null = null;
let schemas = 0;

/** One server for all tests of a file. Close it with `closeServer`. */
export function sharedServer(): Promise<PostgresSimulator> {
  shared ??= seededServer();
  return shared;
}

async function seededServer(): Promise<PostgresSimulator> {
  const directory = await scratchDirectory();
  const simulator = await startPostgresSimulator({ stateFile: await seedCluster(directory) });
  return {
    ...simulator,
    close: async () => {
      await simulator.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function closeServer(): Promise<void> {
  await (await shared)?.close();
  shared = null;
}

export async function signedIn(connector: DestinationConnector, secret: string): Promise<string> {
  const outcome = await connector.signIn?.check('owner', secret, NO_SIGNAL);
  if (outcome?.kind !== 'accepted') return assert.fail(JSON.stringify(outcome));
  return outcome.grant;
}

export function accessTo(grant: string, owner = 'owner'): DestinationAccess {
  return { owner, current: async () => grant, renew: () => assert.fail('a secret is not renewed') };
}

type SceneParts = Pick<
  Scene,
  'world' | 'simulator' | 'connector' | 'destination' | 'schema' | 'table' | 'grant'
>;

/** A world whose engines write to a table of a schema of its own, on the shared server. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly simulator: PostgresSimulator;
  readonly connector: DestinationConnector;
  readonly destination: DestinationRow;
  readonly schema: string;
  readonly table: string;
  readonly grant: string;

  private constructor(parts: SceneParts) {
    this.world = parts.world;
    this.simulator = parts.simulator;
    this.connector = parts.connector;
    this.destination = parts.destination;
    this.schema = parts.schema;
    this.table = parts.table;
    this.grant = parts.grant;
  }

  static async open(
    options: WorldOptions & {
      readonly connector?: never;
      readonly chunkRows?: number;
      readonly type?: SyncType;
    } = {},
  ): Promise<Scene> {
    const simulator = await sharedServer();
    const { control } = simulator;
    schemas += 1;
    const schema = `scene ${schemas}`;
    await control.execute(`create schema "${schema}" authorization books`);
    const made = connectorOn();
    const connector = { ...made, chunkRows: options.chunkRows ?? made.chunkRows };
    const world = await World.open({ ...options, connector });
    const grant = await signedIn(connector, simulator.secret);
    const wanted = { key: schema, again: false, name: 'Bank rows', parent: schema, target: null };
    const sync = { type: options.type ?? 'transactions', mappingMode: 'bulk', accounts: [] } as const;
    const created = await connector.create?.(accessTo(grant), { ...wanted, ...sync }, NO_SIGNAL);
    const target = created?.target ?? assert.fail();
    const destination = await linkedDestination(world, 'postgres', grant, target);
    control.clear();
    return new Scene({
      world,
      simulator,
      connector,
      destination,
      schema,
      table: target.table ?? assert.fail(),
      grant,
    });
  }

  get control() {
    return this.simulator.control;
  }

  /** Rows of the scene's table. */
  rows(): readonly ReceivedRow[] {
    return this.control.rows().filter(({ place }) => place === `${this.schema}.${this.table}`);
  }

  /** All columns of the rows of a table of the scene's schema. */
  tableRows(table = this.table): readonly Readonly<Record<string, string>>[] {
    const found = this.control.tables().find(({ schema, name }) => schema === this.schema && name === table);
    return found?.rows ?? [];
  }

  /** Runs a statement with `%` in the place of the table. */
  execute(sql: string): Promise<void> {
    return this.control.execute(sql.replaceAll('%', `"${this.schema}"."${this.table}"`));
  }

  async syncOf(rows: readonly Transaction[], more: Partial<NewSync> = {}) {
    const account = this.world.account();
    this.world.bank.accounts.set(account, [...rows]);
    return { account, sync: await syncTo(this.world, this.destination, [account], more) };
  }

  /** The next run, an hour later. */
  run(sync: Sync): Promise<SyncRunRow> {
    this.world.clock.advance(HOUR_MS);
    return this.world.run(sync);
  }

  async resync(sync: Sync): Promise<SyncRunRow> {
    this.world.clock.advance(HOUR_MS);
    await this.world.runs.resync(this.world.owner.id, sync.row.id, SOME_KEY);
    return this.run(sync);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
    this.control.clear();
    await this.control.execute(`drop schema if exists "${this.schema}" cascade`);
  }
}

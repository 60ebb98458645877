import assert from 'node:assert/strict';
import type { RowRecord } from '../../../../sandbox/notion/records.ts';
import { type NotionSimulator, startNotionSimulator } from '../../../../sandbox/notion/server.ts';
import type { ReceivedRow } from '../../../../sandbox/shared/simulator.ts';
import { NotionConnector } from '../../../../src/connectors/destinations/notion/connector.ts';
import { MemoryQuotaLog } from '../../../../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../../../../src/features/rate-limits/vendor-quotas.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { OutgoingHttp, type OutgoingRequest } from '../../../../src/platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../../src/platform/outgoing-response.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { LeapingClock } from './leaping-clock.ts';
import { signIn } from './sign-in.ts';

export const CLIENT = { clientId: 'client', clientSecret: 'secret' } as const;

/** Quotas as one process counts them. */
export function quotasOn(clock: Clock): VendorQuotas {
  return new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key });
}

/** With chunks of another size, where a test asks for it. */
class Connector extends NotionConnector {
  override readonly chunkRows: number;

  constructor(chunkRows: number | undefined, ...parts: ConstructorParameters<typeof NotionConnector>) {
    super(...parts);
    this.chunkRows = chunkRows ?? 50;
  }
}

/** A world whose engines write to the simulated Notion, into a database that a person has shared. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly notion: NotionSimulator;
  readonly connector: NotionConnector;
  readonly destination: DestinationRow;
  readonly clock: LeapingClock;
  /** The database that is written to. */
  readonly database: string;
  readonly #http: ObservedHttp;

  private constructor(
    parts: Pick<Scene, 'world' | 'notion' | 'connector' | 'destination' | 'clock' | 'database'> & {
      http: ObservedHttp;
    },
  ) {
    this.world = parts.world;
    this.notion = parts.notion;
    this.connector = parts.connector;
    this.destination = parts.destination;
    this.clock = parts.clock;
    this.database = parts.database;
    this.#http = parts.http;
  }

  static async open(options: WorldOptions & { readonly chunkRows?: number } = {}): Promise<Scene> {
    // The world is opened with the connector, and the connector tells time by the world's clock.
    let later: LeapingClock | null = null;
    const clockOf = (): LeapingClock => later ?? assert.fail('the world is not open');
    const start = Date.now();
    const clock = {
      now: () => later?.now() ?? start,
      sleep: (ms: number, signal?: AbortSignal) => clockOf().sleep(ms, signal),
    };
    const notion = await startNotionSimulator({ ...CLIENT, clock });
    const http = trustingHttp(notion);
    const quotas = quotasOn(clock);
    const { chunkRows } = options;
    const connector = new Connector(
      chunkRows,
      { ...CLIENT, baseUrl: notion.url, oauthUrl: notion.url },
      { http, clock, quotas, limits: { ...DEFAULT_LIMITS, ...options.limits } },
    );
    const world = await World.open({ ...options, connector });
    later = new LeapingClock(world.clock);
    const [database] = notion.control.workspace().databases;
    assert.ok(database);
    const grant = await signIn(connector);
    const destination = await linkedDestination(world, 'notion', grant, { database_id: database.id });
    notion.control.clearRequests();
    return new Scene({ world, notion, connector, destination, clock: later, database: database.id, http });
  }

  /** Rows as a person sees them. */
  get rows(): readonly ReceivedRow[] {
    return this.notion.received.rows();
  }

  /** Their ids, sorted; an id that is there twice is named twice. */
  get ids(): string[] {
    return this.rows.map(({ id }) => id).toSorted();
  }

  /** Rows as they are kept, also those in the trash. */
  get kept(): readonly RowRecord[] {
    return this.notion.control.rows(this.database);
  }

  /** What the row shows; it is there once. */
  shown(id: string): Readonly<Record<string, string>> {
    const found = this.rows.filter((row) => row.id === id);
    assert.equal(found.length, 1, `${id} is there ${found.length} times`);
    return found[0]?.values ?? assert.fail();
  }

  /** The page of the row with that id. */
  pageOf(id: string): string {
    const found = this.kept.filter(({ cells }) =>
      Object.values(cells).some((cell) => Array.isArray(cell) && cell[0] === id),
    );
    assert.equal(found.length, 1, `${id} is there ${found.length} times`);
    return found[0]?.id ?? assert.fail();
  }

  /** Requests so far, such as `POST /v1/pages`; ids are left out. */
  get calls(): string[] {
    return this.notion.control
      .requests()
      .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id')}`);
  }

  /** How many requests were under way at once, at most. */
  get mostAtOnce(): number {
    return this.#http.mostAtOnce;
  }

  count(call: string): number {
    return this.calls.filter((one) => one === call).length;
  }

  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync> = {}): Promise<Sync> {
    return syncTo(this.world, this.destination, accounts, more);
  }

  /** Everything again, an hour later. */
  async resync(sync: Sync): Promise<void> {
    this.world.clock.advance(3_600_000);
    await this.world.runs.resync(this.world.owner.id, sync.row.id, SOME_KEY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
    await this.#http.close();
    await this.notion.close();
  }
}

/** A way out that may reach the simulator. */
export function trustingHttp({ url }: Pick<NotionSimulator, 'url'>): ObservedHttp {
  return new ObservedHttp({ guard: new AddressGuard([]), trustedOrigins: [url] });
}

/** Counts how many requests are under way at once. */
class ObservedHttp extends OutgoingHttp {
  #underWay = 0;
  #most = 0;

  get mostAtOnce(): number {
    return this.#most;
  }

  override async request(asked: OutgoingRequest): Promise<OutgoingResponse> {
    this.#underWay += 1;
    this.#most = Math.max(this.#most, this.#underWay);
    try {
      return await super.request(asked);
    } finally {
      this.#underWay -= 1;
    }
  }
}

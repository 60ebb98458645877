import assert from 'node:assert/strict';
import { type SheetsSimulator, startSheetsSimulator } from '../../../../sandbox/sheets/server.ts';
import type {
  DestinationAccess,
  DestinationConnector,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import { sheetsConnector } from '../../../../src/connectors/destinations/sheets/connector.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { OutgoingHttp, type OutgoingRequest } from '../../../../src/platform/outgoing-http.ts';
import type { Quotas } from '../../../../src/platform/quotas.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { GoogleMessages } from '../../../sandbox/google-messages.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';

const CLIENT = { clientId: 'client', clientSecret: 'secret' };
const RETURN = 'http://127.0.0.1:9/connect/return';
const UNBOUNDED: Quotas = { take: async () => undefined };

/** Time that goes on on its own: who sleeps wakes at once, that much later. */
export class PassingTime implements Clock {
  #passed = 0;
  readonly #base: () => number;

  constructor(base?: () => number) {
    const start = Date.now();
    this.#base = base ?? (() => start);
  }

  now(): number {
    return this.#base() + this.#passed;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#passed += ms;
    await new Promise((resolve) => setImmediate(resolve));
  }

  pass(ms: number): void {
    this.#passed += ms;
  }
}

/** Google as the connector reaches it: its simulator, and time in which its quotas are refilled. */
export class Google implements AsyncDisposable {
  readonly simulator: SheetsSimulator;
  readonly connector: DestinationConnector;
  readonly time: PassingTime;
  readonly http: OutgoingHttp;
  /** Every call of every test is held against what Google publishes. */
  readonly messages = new GoogleMessages();
  /** Called before each call of the connector is sent. */
  beforeCall: (asked: OutgoingRequest) => Promise<void> = async () => undefined;

  private constructor(simulator: SheetsSimulator, time: PassingTime, quotas: Quotas) {
    this.simulator = simulator;
    this.time = time;
    this.http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
    const request: OutgoingHttp['request'] = async (asked) => {
      // Calls of tests follow one another faster than a minute's quota lets them.
      if (quotas === UNBOUNDED) time.pass(2_000);
      await this.beforeCall(asked);
      const answer = await this.http.request(asked);
      const { pathname } = new URL(asked.url);
      this.messages.check(asked.method, pathname, asked.body?.toString(), answer.status, answer.text());
      return answer;
    };
    const { url } = simulator;
    const tools = { http: Object.assign(Object.create(this.http), { request }), clock: time, quotas };
    this.connector = sheetsConnector(
      { ...tools, limits: DEFAULT_LIMITS },
      { sheetsUrl: url, driveUrl: url, tokenUrl: url, oauthUrl: url, ...CLIENT },
    );
  }

  static async open(
    options: { readonly base?: () => number; readonly quotas?: (time: PassingTime) => Quotas } = {},
  ): Promise<Google> {
    const time = new PassingTime(options.base);
    const simulator = await startSheetsSimulator({ ...CLIENT, clock: time });
    return new Google(simulator, time, options.quotas?.(time) ?? UNBOUNDED);
  }

  get control() {
    return this.simulator.control;
  }

  /** What a person grants who signs in. */
  async grant(): Promise<string> {
    const outcome = await this.linked('approve');
    assert.equal(outcome.kind, 'linked');
    return outcome.kind === 'linked' ? outcome.grant : '';
  }

  /** The end of a sign-in with that outcome. */
  async linked(outcome: 'approve' | 'deny' | 'fail') {
    const { linking } = this.connector;
    const signal = new AbortController().signal;
    const verifier = 'v'.repeat(43);
    const page = await linking?.begin({ redirectUri: RETURN, state: 'state-1', verifier }, signal);
    const html = await (await fetch(page ?? '')).text();
    const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
    const sent = await fetch(new URL(action, this.simulator.url), {
      method: 'POST',
      body: new URLSearchParams({ outcome }),
      redirect: 'manual',
    });
    const { searchParams } = new URL(sent.headers.get('location') ?? '');
    assert.equal(searchParams.get('state'), 'state-1');
    searchParams.delete('state');
    const query = Object.fromEntries(searchParams);
    return (await linking?.complete({ redirectUri: RETURN, verifier, query }, signal)) ?? assert.fail();
  }

  /** A grant outside storage. */
  access(grant: string, owner = 'owner'): DestinationAccess {
    let stored = grant;
    return {
      owner,
      current: async () => stored,
      renew: async (spent, exchange) => {
        if (stored === spent) stored = await exchange(spent, new AbortController().signal);
        return stored;
      },
    };
  }

  /** Method and last part of the path of each call since the last time, sign-in and pages aside. */
  calls(): string[] {
    const calls = this.control
      .requests()
      .map(({ method, path }) => `${method} ${path.replace(/^.*[/:]/, '')}`);
    this.control.clearRequests();
    return calls;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.http.close();
    await this.simulator.close();
    assert.deepEqual(this.messages.problems, []);
  }
}

/** A world whose engines write to a spreadsheet at Google's simulator. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly google: Google;
  readonly destination: DestinationRow;
  readonly spreadsheet: string;

  private constructor(world: World, google: Google, destination: DestinationRow, spreadsheet: string) {
    this.world = world;
    this.google = google;
    this.destination = destination;
    this.spreadsheet = spreadsheet;
  }

  /** @param options.headers the first row of the sheet; none for a blank one */
  static async open(
    options: WorldOptions & {
      readonly headers?: readonly string[];
      readonly change?: (connector: DestinationConnector) => DestinationConnector;
    } = {},
  ): Promise<Scene> {
    const start = Date.now();
    let now = (): number => start;
    const google = await Google.open({ base: () => now() });
    const connector = options.change?.(google.connector) ?? google.connector;
    const world = await World.open({ ...options, connector });
    now = () => world.clock.now();
    const grant = await google.grant();
    const spreadsheet = google.control.addSpreadsheet({
      title: 'Money',
      ...(options.headers === undefined ? {} : { headers: options.headers }),
    });
    const target = {
      spreadsheet_id: spreadsheet,
      sheet_id: '0',
      spreadsheet_name: 'Money',
      sheet_name: 'Sheet1',
    };
    const destination = await linkedDestination(world, 'sheets', grant, target);
    google.calls();
    return new Scene(world, google, destination, spreadsheet);
  }

  /** Ids as the spreadsheet shows them; one that is there twice is named twice. */
  get ids(): string[] {
    return this.google.simulator.received
      .rows()
      .map(({ id }) => id)
      .toSorted();
  }

  /** What a row shows, by header. */
  row(id: string): Readonly<Record<string, string>> {
    const found = this.google.simulator.received.rows().filter((row) => row.id === id);
    assert.equal(found.length, 1, `${id} is there ${found.length} times`);
    return found[0]?.values ?? assert.fail();
  }

  grid(sheetId = 0): readonly (readonly string[])[] {
    return this.google.control.grid(this.spreadsheet, sheetId);
  }

  edit(...requests: readonly unknown[]): void {
    this.google.control.edit(this.spreadsheet, requests);
  }

  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync> = {}): Promise<Sync> {
    return syncTo(this.world, this.destination, accounts, more);
  }

  async resync(sync: Sync): Promise<void> {
    this.world.clock.advance(3_600_000);
    await this.world.runs.resync(this.world.owner.id, sync.row.id, SOME_KEY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
    await this.google[Symbol.asyncDispose]();
  }
}

import assert from 'node:assert/strict';
import { type ActualSimulator, startActualSimulator } from '../../../../sandbox/actual/server.ts';
import { actualConnector } from '../../../../src/connectors/destinations/actual/connector.ts';
import { importId } from '../../../../src/connectors/destinations/actual/rows.ts';
import type { DestinationConnector } from '../../../../src/connectors/destinations/destination-contract.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { HurriedClock } from '../ynab/scene.ts';

/** Where the first message of a test stands: the simulator's own clock is the world's. */
export interface SceneOptions extends WorldOptions {
  /** Name of the budget; `Household` is in Australian dollars. */
  readonly budget?: string;
  readonly chunkRows?: number;
  /** Parameters at the end of the secret. */
  readonly secret?: string;
}

export async function granted(connector: DestinationConnector, secret: string): Promise<string> {
  const outcome = await connector.signIn?.check('owner', secret, new AbortController().signal);
  assert.equal(outcome?.kind, 'accepted', JSON.stringify(outcome));
  return outcome?.kind === 'accepted' ? outcome.grant : '';
}

/** A world whose engines write to the simulated Actual, and a budget there that an owner has connected. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly vendor: ActualSimulator;
  readonly destination: DestinationRow;
  readonly connector: DestinationConnector;
  readonly clock: HurriedClock;
  readonly budget: string;
  readonly #http: OutgoingHttp;

  private constructor(parts: {
    world: World;
    vendor: ActualSimulator;
    destination: DestinationRow;
    connector: DestinationConnector;
    clock: HurriedClock;
    http: OutgoingHttp;
  }) {
    this.world = parts.world;
    this.vendor = parts.vendor;
    this.destination = parts.destination;
    this.connector = parts.connector;
    this.clock = parts.clock;
    this.#http = parts.http;
    this.budget = parts.destination.target.budget_id ?? '';
  }

  static async open(options: SceneOptions = {}): Promise<Scene> {
    const http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
    // Before the world has a clock, budgets are made; nothing may be later than what happens in it.
    let now = (): number => 0;
    const clock = new HurriedClock(() => now());
    const vendor = await startActualSimulator({ clock });
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const made = actualConnector({ http, clock, limits });
    const connector = { ...made, chunkRows: options.chunkRows ?? made.chunkRows };
    const world = await World.open({ ...options, connector });
    now = () => world.clock.now();
    const { budget = 'Household', secret = '' } = options;
    const grant = await granted(connector, vendor.secret + secret);
    const found = vendor.control.budgets().find(({ name }) => name === budget) ?? assert.fail(budget);
    const destination = await linkedDestination(world, 'actual', grant, { budget_id: found.budgetId });
    vendor.control.clearRequests();
    return new Scene({ world, vendor, destination, connector, clock, http });
  }

  get summary() {
    const found = this.vendor.control.budgets().find(({ budgetId }) => budgetId === this.budget);
    return found ?? assert.fail('the budget is gone');
  }

  /** The account of the budget by its name. */
  at(name: string): string {
    return this.summary.accounts.find((one) => one.name === name)?.accountId ?? assert.fail(name);
  }

  category(name: string): string {
    return this.summary.categories.find((one) => one.name === name)?.categoryId ?? assert.fail(name);
  }

  payee(name: string): string {
    return this.summary.payees.find((one) => one.name === name)?.payeeId ?? assert.fail(name);
  }

  /** Transactions that are in an account. */
  shown(name = 'Everyday') {
    return this.vendor.control.transactions(this.budget, this.at(name));
  }

  /** The transaction with those notes, which must be one alone. */
  one(notes: string, account = 'Everyday') {
    const found = this.shown(account).filter((row) => row.notes === notes);
    assert.equal(found.length, 1, `${notes} is there ${found.length} times`);
    return found[0] ?? assert.fail();
  }

  /** What a person does to the transaction with those notes. */
  edit(notes: string, edit: Parameters<ActualSimulator['control']['edit']>[2]): void {
    this.vendor.control.edit(this.budget, this.one(notes).id, edit);
  }

  /** Calls since the last time someone asked, by method and last part of the path. */
  calls(): string[] {
    const { control } = this.vendor;
    const calls = control.requests();
    control.clearRequests();
    return calls.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`);
  }

  importId(account: RowId<'account'>, source: string): string {
    return importId(account, source);
  }

  /** A sync of accounts, all to `Everyday` unless they are mapped. */
  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync> = {}): Promise<Sync> {
    const place = this.at('Everyday');
    const accountMappings = accounts.map((account) => ({ account, destination_account: place }));
    return syncTo(this.world, this.destination, accounts, { accountMappings, ...more });
  }

  /** Everything again, some time later. */
  async resync(sync: Sync): Promise<void> {
    this.world.clock.advance(3_600_000);
    await this.world.runs.resync(this.world.owner.id, sync.row.id, SOME_KEY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
    await this.#http.close();
    await this.vendor.close();
  }
}

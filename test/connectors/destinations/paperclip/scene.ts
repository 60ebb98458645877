import type { DestinationConnector } from '../../../../src/connectors/destinations/destination-contract.ts';
import type { NewSync, Sync } from '../../../../src/features/syncs/syncs.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import type { RowId } from '../../../../src/vocabulary/ids.ts';
import { World, type WorldOptions } from '../../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../../support/actors.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { paperclipConnector } from './connector.ts';
import { Paperclip } from './vendor.ts';

/** A world whose engines write to Paperclip, and a document there that a person has linked. */
export class Scene implements AsyncDisposable {
  readonly world: World;
  readonly vendor: Paperclip;
  readonly destination: DestinationRow;
  readonly #http: OutgoingHttp;

  private constructor(world: World, vendor: Paperclip, destination: DestinationRow, http: OutgoingHttp) {
    this.world = world;
    this.vendor = vendor;
    this.destination = destination;
    this.#http = http;
  }

  static async open(
    options: WorldOptions & {
      readonly change?: (connector: DestinationConnector) => DestinationConnector;
      readonly type?: DestinationConnector['type'];
    } = {},
  ): Promise<Scene> {
    const vendor = await new Paperclip().open();
    const http = new OutgoingHttp({ guard: new AddressGuard(['127.0.0.0/8']) });
    const { type = 'sheets' } = options;
    const plain = { ...paperclipConnector(http, vendor.origin), type };
    const world = await World.open({ ...options, connector: options.change?.(plain) ?? plain });
    vendor.now = () => world.clock.now();
    const document = vendor.document();
    const grant = JSON.stringify(vendor.signIns.grant());
    const target = {
      spreadsheet_id: document.id,
      sheet_id: '0',
      spreadsheet_name: 'Money',
      sheet_name: 'Rows',
    };
    const destination = await linkedDestination(world, type, grant, target);
    return new Scene(world, vendor, destination, http);
  }

  get document() {
    const [document] = this.vendor.documents.values();
    if (document === undefined) throw new Error('there is no document');
    return document;
  }

  /** Rows as the document shows them, by id; an id that is there twice is named twice. */
  get ids(): string[] {
    return this.document.rows.map(({ id }) => id).toSorted();
  }

  sync(accounts: readonly RowId<'account'>[], more: Partial<NewSync> = {}): Promise<Sync> {
    return syncTo(this.world, this.destination, accounts, more);
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

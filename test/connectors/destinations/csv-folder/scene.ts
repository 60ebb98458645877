import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CsvFolderControl } from '../../../../sandbox/csv-folder/control.ts';
import type { ReceivedRow } from '../../../../sandbox/shared/simulator.ts';
import { DISK, type FileChanges } from '../../../../src/connectors/destinations/csv-folder/client.ts';
import { csvFolderConnector } from '../../../../src/connectors/destinations/csv-folder/connector.ts';
import type {
  DestinationAccess,
  DestinationConnector,
} from '../../../../src/connectors/destinations/destination-contract.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import type { DestinationRow } from '../../../../src/storage/destinations.ts';
import { World } from '../../../features/sync-engine/support/world.ts';
import { scratchDirectory } from '../../../support/scratch.ts';
import { linkedDestination } from '../support/linked-world.ts';

export const NO_SIGNAL = new AbortController().signal;

/** A disk whose changes of files are counted, and of which one fails. */
export class FailingChanges implements FileChanges {
  count = 0;
  #fault: { readonly at: number; readonly when: 'before' | 'during' | 'after' } | null = null;

  /** The change after so many more fails: before it is made, with half of it in a temporary file, or afterwards. */
  fail(after: number, when: 'before' | 'during' | 'after'): void {
    this.#fault = { at: this.count + after, when };
  }

  replace(path: string, text: string): Promise<void> {
    const half = join(path, '..', `.${path.slice(path.lastIndexOf('/') + 1)}.0123456789ab.tmp`);
    return this.#failing(
      () => DISK.replace(path, text),
      () => writeFileSync(half, text.slice(0, text.length / 2)),
    );
  }

  remove(path: string): Promise<void> {
    return this.#failing(
      () => DISK.remove(path),
      () => undefined,
    );
  }

  async #failing(change: () => Promise<void>, half: () => void): Promise<void> {
    const fault = this.#fault?.at === this.count ? this.#fault : null;
    this.count += 1;
    if (fault === null) return change();
    this.#fault = null;
    if (fault.when === 'during') half();
    if (fault.when === 'after') await change();
    throw Object.assign(new Error('the disk failed'), { code: 'EIO' });
  }
}

export function accessOf(owner: string): DestinationAccess {
  return { owner, current: async () => 'csv_folder', renew: () => assert.fail('nothing is renewed') };
}

/** A world whose engines write to a folder. */
export class Scene {
  readonly world: World;
  readonly root: string;
  readonly connector: DestinationConnector;
  readonly destination: DestinationRow;
  readonly changes: FailingChanges;
  readonly #control: CsvFolderControl;

  private constructor(parts: Pick<Scene, 'world' | 'root' | 'connector' | 'destination' | 'changes'>) {
    this.world = parts.world;
    this.root = parts.root;
    this.connector = parts.connector;
    this.destination = parts.destination;
    this.changes = parts.changes;
    this.#control = new CsvFolderControl(parts.root);
  }

  static async open(options: { readonly chunkRows?: number } = {}): Promise<Scene> {
    const root = await scratchDirectory();
    const changes = new FailingChanges();
    const made = csvFolderConnector({ root, clock: systemClock, changes });
    const connector = { ...made, chunkRows: options.chunkRows ?? made.chunkRows };
    const world = await World.open({ connector });
    const wanted = { key: 'one', again: false, name: 'Money', parent: null, target: null };
    const sync = { type: 'transactions', mappingMode: 'bulk', accounts: [] } as const;
    const created = await connector.create?.(accessOf(world.owner.id), { ...wanted, ...sync }, NO_SIGNAL);
    const target = created?.target ?? assert.fail();
    const destination = await linkedDestination(world, 'csv_folder', 'csv_folder', target);
    return new Scene({ world, root, connector, destination, changes });
  }

  rows(): readonly ReceivedRow[] {
    return this.#control.rows();
  }

  /** Paths of all CSV files below the operator's folder. */
  files(): readonly string[] {
    return readdirSync(this.root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.csv'))
      .toSorted();
  }

  /** A person copies the row, in the first file in which it is there once. */
  copyRow(id: string): void {
    let isDone = false;
    this.editLines((lines) => {
      const [only, ...others] = lines.filter((line) => line.includes(id));
      if (isDone || only === undefined || others.length > 0) return lines;
      isDone = true;
      return [...lines, only];
    });
  }

  /** A person edits the lines of every file, in which no cell has a line break that matters to them. */
  editLines(change: (lines: readonly string[]) => readonly string[]): void {
    for (const path of this.files()) {
      const text = readFileSync(join(this.root, path), 'utf8');
      writeFileSync(
        join(this.root, path),
        change(text.split('\r\n').slice(0, -1))
          .map((line) => `${line}\r\n`)
          .join(''),
      );
    }
  }
}

import type { Clock } from '../../../platform/clock.ts';
import type { DestinationConnector } from '../destination-contract.ts';
import { DISK, type FileChanges, FolderClient } from './client.ts';
import { makeFolder } from './creation.ts';
import { asDestinationFailure, asUpstreamFailure } from './failures.ts';
import { checkFolder, listFolders } from './resources.ts';
import { CsvFolderWriter } from './writer.ts';

const CHUNK_ROWS = 1000;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Nothing was granted: the folder depends only on the account record. */
const GRANT = 'csv_folder';

interface CsvFolderOptions {
  /** The operator's folder, which must exist. */
  readonly root: string;
  readonly clock: Clock;
  /** How files are changed; tests make it fail halfway. */
  readonly changes?: FileChanges;
}

/** CSV files on this machine (docs/destination-services.md#csv-files). Their rows are found by their ids. */
export function csvFolderConnector({ root, clock, changes = DISK }: CsvFolderOptions): DestinationConnector {
  const client = new FolderClient(root, changes);
  const asked = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asUpstreamFailure(error, signal);
    }
  };
  return {
    type: 'csv_folder',
    afterUnknown: 'resend',
    chunkRows: CHUNK_ROWS,
    chunkBytes: CHUNK_BYTES,
    signIn: {
      check: (owner, _secret, signal) =>
        asked(async () => {
          await client.ofOwner(owner);
          return { kind: 'accepted', grant: GRANT, name: 'CSV files' };
        }, signal),
    },
    resources: {
      list: ({ owner }, query, signal) => asked(() => listFolders(client, owner, query), signal),
    },
    checkTarget: ({ owner }, question, signal) => asked(() => checkFolder(client, owner, question), signal),
    create: async ({ owner }, request, signal) => {
      try {
        return await makeFolder(client, owner, request);
      } catch (error) {
        throw asDestinationFailure(error, 'unknown', signal);
      }
    },
    open: async (opening) => new CsvFolderWriter(client, clock, opening),
  };
}

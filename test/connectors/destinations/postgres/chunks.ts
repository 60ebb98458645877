import type { ChunkRow, OutgoingChunk } from '../../../../src/connectors/destinations/delivery-rows.ts';
import type { OpenedSync } from '../../../../src/connectors/destinations/destination-contract.ts';
import { rowId } from '../../../../src/vocabulary/ids.ts';
import { openedSync } from '../support/opened-sync.ts';
import { accessTo, type Scene } from './scene.ts';

export const ACCOUNT = rowId('account', '0192f0c4-0000-7000-8000-00000000000a');
export const OTHER_ACCOUNT = rowId('account', '0192f0c4-0000-7000-8000-00000000000b');

/** A row with the values of its columns. */
export function chunkRow(
  id: string,
  values: Readonly<Record<string, string | null>>,
  more: Partial<ChunkRow> = {},
): ChunkRow {
  return { id, account: ACCOUNT, text: JSON.stringify(values), replaces: null, remoteRef: null, ...more };
}

export function chunkOf(
  eventId: string,
  rows: Partial<Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>>,
): OutgoingChunk {
  return {
    eventId,
    run: rowId('sync_run', '0192f0c4-0000-7000-8000-00000000000e'),
    number: 1,
    total: 1,
    rowForm: 1,
    created: 0,
    again: false,
    added: [],
    updated: [],
    removed: [],
    ...rows,
  };
}

/** A writer of a sync to the scene's table, as the engine opens one. */
export function writerOf(scene: Scene, more: Partial<OpenedSync> = {}, table = scene.table) {
  return scene.connector.open(
    {
      owner: 'owner',
      target: { schema: scene.schema, table },
      secrets: [],
      access: accessTo(scene.grant),
      sync: openedSync(more),
      recorded: async () => new Set(),
      accountsWithRows: async () => null,
    },
    new AbortController().signal,
  );
}

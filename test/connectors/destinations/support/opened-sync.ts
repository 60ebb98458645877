import type { OpenedSync } from '../../../../src/connectors/destinations/destination-contract.ts';
import { rowId } from '../../../../src/vocabulary/ids.ts';
import { localDate } from '../../../../src/vocabulary/moments.ts';
import { SYNC_OPTION_DEFAULTS } from '../../../../src/vocabulary/syncs.ts';

/** A sync of transactions as a connector is given it. */
export function openedSync(more: Partial<OpenedSync> = {}): OpenedSync {
  return {
    account_record: rowId('account_record', '0192f0c4-0000-7000-8000-00000000000a'),
    id: rowId('sync', '0192f0c4-0000-7000-8000-00000000000f'),
    type: 'transactions',
    mapping_mode: 'bulk',
    account_mappings: [],
    category_mappings: [],
    columns: null,
    options: { ...SYNC_OPTION_DEFAULTS, data_from: localDate('2026-01-01') },
    ...more,
  };
}

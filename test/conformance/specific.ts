import { CATEGORY_CODES } from './category-codes.ts';
import { DATA_CODES } from './data-codes.ts';
import { DESTINATION_CODES } from './destination-codes.ts';
import { DOCUMENT_CODES } from './document-codes.ts';
import { EVENT_CODES } from './event-codes.ts';
import { KEY_CODES } from './key-codes.ts';
import { LINKING_CODES } from './linking-codes.ts';
import type { Provocations } from './provocation.ts';
import { REPLAYS } from './replay-codes.ts';
import { RULE_CODES } from './rule-codes.ts';
import { SYNC_CODES } from './sync-codes.ts';

/** What provokes a code of one operation, if the general way does not. */
export const SPECIFIC: Readonly<Record<string, Provocations>> = {
  ...KEY_CODES,
  ...LINKING_CODES,
  ...DATA_CODES,
  ...DESTINATION_CODES,
  ...SYNC_CODES,
  ...REPLAYS,
  ...CATEGORY_CODES,
  ...RULE_CODES,
  ...EVENT_CODES,
  ...DOCUMENT_CODES,
  export_sync: { ...DATA_CODES.export_sync, ...SYNC_CODES.export_sync },
};

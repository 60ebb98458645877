import { Type } from 'typebox';
import { DESTINATION_TYPES } from '../../vocabulary/destinations.ts';
import { FIXED_LIMITS, LIMITS } from '../../vocabulary/limits.ts';
import { SYNC_FIELDS } from '../../vocabulary/row-fields.ts';
import { SYNC_STATUSES } from '../../vocabulary/states.ts';
import { ATTENTION_CODES, MAPPING_MODES, SYNC_TYPES } from '../../vocabulary/syncs.ts';
import {
  day,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from './conventions.ts';
import { scheduleBody, scheduleSchema } from './schedules.ts';
import { syncRunSchema } from './sync-runs.ts';
import { unchangeable } from './unchangeable.ts';

const destinationSummary = Type.Object(
  {
    id: Type.String(),
    type: oneOf(DESTINATION_TYPES),
    name: Type.String(),
    mapping_mode: oneOf(MAPPING_MODES),
  },
  { additionalProperties: false },
);

const flags = {
  include_pending: Type.Boolean(),
  mask_account_numbers: Type.Boolean(),
  custom_categories: Type.Boolean(),
  include_balances_tab: Type.Boolean(),
};

/** docs/resources.md#sync, and when the scheduler next queues a run. */
export const syncSchema = resource('sync', {
  id: Type.String(),
  object: Type.Literal('sync'),
  name: Type.String(),
  type: oneOf(SYNC_TYPES),
  enabled: Type.Boolean(),
  status: oneOf(SYNC_STATUSES),
  attention: nullable(Type.Object({ code: oneOf(ATTENTION_CODES) }, { additionalProperties: false })),
  destination: destinationSummary,
  accounts: Type.Array(Type.String()),
  account_mappings: Type.Array(Type.Record(Type.String(), nullable(Type.String()))),
  columns: nullable(Type.Array(Type.String())),
  options: Type.Object({ data_from: day, ...flags }, { additionalProperties: false }),
  rulesets: Type.Array(Type.String()),
  latest_run: nullable(syncRunSchema),
  schedule: nullable(scheduleSchema),
  last_synced_at: nullable(timestamp),
  next_run_at: nullable(timestamp),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.name_characters);
const id = Type.String({ minLength: 1, maxLength: 300 });
const accounts = Type.Array(id, { minItems: 1, maxItems: LIMITS.sync_accounts.max });
const member = Type.Optional(nullable(id));
/** Which members an entry has follows from the destination's type (vocabulary/account-mappings.ts). */
const mappings = Type.Array(
  Type.Object(
    {
      account: id,
      destination_account: member,
      destination_account_name: member,
      sheet_id: member,
      sheet_name: member,
    },
    { additionalProperties: false },
  ),
  { maxItems: LIMITS.sync_accounts.max },
);
/** Names of docs/columns.md; which of them follows from the sync's type. */
const columns = nullable(
  Type.Array(text(100), {
    maxItems: Math.max(...Object.values(SYNC_FIELDS).map((fields) => Object.keys(fields).length)),
  }),
);
const options = Type.Object(
  {
    data_from: Type.Optional(day),
    include_pending: Type.Optional(flags.include_pending),
    mask_account_numbers: Type.Optional(flags.mask_account_numbers),
    custom_categories: Type.Optional(flags.custom_categories),
    include_balances_tab: Type.Optional(flags.include_balances_tab),
  },
  { additionalProperties: false },
);

export const createSyncBody = Type.Object({
  type: oneOf(SYNC_TYPES),
  name,
  destination: id,
  accounts,
  mapping_mode: oneOf(MAPPING_MODES),
  account_mappings: Type.Optional(mappings),
  columns: Type.Optional(columns),
  options: Type.Optional(options),
  schedule: Type.Optional(nullable(scheduleBody)),
  metadata: Type.Optional(nullable(metadataInput)),
  run_now: Type.Optional(Type.Boolean()),
});

export const updateSyncBody = Type.Object(
  {
    name: Type.Optional(name),
    enabled: Type.Optional(Type.Boolean()),
    accounts: Type.Optional(accounts),
    account_mappings: Type.Optional(mappings),
    columns: Type.Optional(columns),
    options: Type.Optional(options),
    schedule: Type.Optional(nullable(scheduleBody)),
    metadata: Type.Optional(metadataPatch),
  },
  unchangeable(['type', 'destination', 'mapping_mode'], 'Delete this sync and create another.'),
);

export const resyncBody = Type.Object({ confirm: Type.Literal(true) });

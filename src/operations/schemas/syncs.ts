import { Type } from 'typebox';
import { DESTINATION_TYPES } from '../../vocabulary/destinations.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { SYNC_FIELDS } from '../../vocabulary/row-fields.ts';
import { SYNC_STATUSES } from '../../vocabulary/states.ts';
import {
  ATTENTION_CODES,
  MAPPING_MODES,
  SYNC_OPTION_DEFAULTS,
  SYNC_TYPES,
  SYNC_WARNING_CODES,
} from '../../vocabulary/syncs.ts';
import { limited } from './bounds.ts';
import {
  day,
  idOf,
  listedIdOf,
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
    id: idOf('destination'),
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
  id: idOf('sync'),
  object: Type.Literal('sync'),
  name: Type.String(),
  type: oneOf(SYNC_TYPES),
  enabled: Type.Boolean(),
  status: oneOf(SYNC_STATUSES),
  attention: nullable(Type.Object({ code: oneOf(ATTENTION_CODES) }, { additionalProperties: false })),
  warnings: Type.Array(
    Type.Object(
      { code: oneOf(SYNC_WARNING_CODES), accounts: Type.Array(idOf('account')) },
      { additionalProperties: false },
    ),
  ),
  destination: destinationSummary,
  accounts: Type.Array(idOf('account')),
  account_mappings: Type.Array(Type.Record(Type.String(), nullable(Type.String()))),
  columns: nullable(Type.Array(Type.String())),
  options: Type.Object({ data_from: day, ...flags }, { additionalProperties: false }),
  rulesets: Type.Array(idOf('ruleset')),
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
const accounts = Type.Array(listedIdOf('account'), {
  minItems: 1,
  ...limited({ maxItems: 'sync_accounts' }),
});
const member = Type.Optional(nullable(text(300)));
/** Which members an entry has follows from the destination's type (vocabulary/account-mappings.ts). */
const mappings = Type.Array(
  Type.Object(
    {
      account: idOf('account'),
      destination_account: member,
      destination_account_name: member,
      sheet_id: member,
      sheet_name: member,
    },
    { additionalProperties: false },
  ),
  limited({ maxItems: 'sync_accounts' }),
);
/** Names of docs/columns.md; which of them follows from the sync's type. */
const columns = nullable(
  Type.Array(text(100), {
    maxItems: Math.max(...Object.values(SYNC_FIELDS).map((fields) => Object.keys(fields).length)),
  }),
);
const flag = (usual?: boolean) => Type.Optional(Type.Boolean(usual === undefined ? {} : { default: usual }));
/** Those of a sync that is created have defaults; an update leaves out what stays. */
const optionsWith = (usual: Partial<typeof SYNC_OPTION_DEFAULTS>) =>
  Type.Object(
    {
      data_from: Type.Optional(day),
      include_pending: flag(usual.include_pending),
      mask_account_numbers: flag(usual.mask_account_numbers),
      custom_categories: flag(usual.custom_categories),
      include_balances_tab: flag(usual.include_balances_tab),
    },
    { additionalProperties: false },
  );

export const createSyncBody = Type.Object({
  type: oneOf(SYNC_TYPES),
  name,
  destination: idOf('destination'),
  accounts,
  mapping_mode: oneOf(MAPPING_MODES),
  account_mappings: Type.Optional(mappings),
  columns: Type.Optional(columns),
  options: Type.Optional(optionsWith(SYNC_OPTION_DEFAULTS)),
  schedule: Type.Optional(nullable(scheduleBody)),
  metadata: Type.Optional(nullable(metadataInput)),
  run_now: Type.Optional(Type.Boolean({ default: true })),
});

export const updateSyncBody = Type.Object(
  {
    name: Type.Optional(name),
    enabled: Type.Optional(Type.Boolean()),
    accounts: Type.Optional(accounts),
    account_mappings: Type.Optional(mappings),
    columns: Type.Optional(columns),
    options: Type.Optional(optionsWith({})),
    schedule: Type.Optional(nullable(scheduleBody)),
    metadata: Type.Optional(metadataPatch),
  },
  unchangeable(['type', 'destination', 'mapping_mode'], 'Delete this sync and create another.'),
);

export const resyncBody = Type.Object({ confirm: Type.Literal(true) });

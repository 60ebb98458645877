import { type Static, Type } from 'typebox';
import { scheduleOf } from '../../../features/syncs/sync-schedules.ts';
import { type Sync, statusOfSync } from '../../../features/syncs/syncs.ts';
import type { AccountMapping } from '../../../vocabulary/account-mappings.ts';
import {
  DESTINATION_KINDS,
  DESTINATION_TYPES,
  type DestinationType,
} from '../../../vocabulary/destination-kinds.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS, LIMITS } from '../../../vocabulary/limits.ts';
import { LOCAL_TIME_PATTERN } from '../../../vocabulary/local-times.ts';
import { SYNC_FIELDS } from '../../../vocabulary/row-fields.ts';
import { SYNC_STATUSES } from '../../../vocabulary/states.ts';
import {
  ATTENTION_CODES,
  MAPPING_MODES,
  SYNC_OPTION_DEFAULTS,
  SYNC_TYPES,
  SYNC_WARNING_CODES,
  type SyncSchedule,
} from '../../../vocabulary/syncs.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { limited } from '../schema/bounds.ts';
import {
  day,
  idOf,
  listedIdOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
  unchangeable,
} from '../schema/conventions.ts';
import { presentSyncRun, syncRunSchema } from '../sync-runs/resource.ts';

const minutes = Type.Integer({
  ...limited({ minimum: 'sync_interval_minutes' }),
  maximum: LIMITS.sync_interval_minutes.max,
  description: 'Minutes between two runs.',
});
const timesOf = {
  minItems: 1,
  ...limited({ maxItems: 'sync_schedule_times' }),
  description: 'Times of day at which it runs, HH:MM.',
};
const timeOfDay = Type.String({
  pattern: LOCAL_TIME_PATTERN,
  description: 'HH:MM, from 00:00 to 23:59, such as 08:30',
});
const timezone = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The zone of the times, an IANA name such as Pacific/Auckland.',
});

/** docs/resources.md#schedule: one of two forms. */
export const scheduleSchema = Type.Union([
  Type.Object({ interval_minutes: minutes }, { additionalProperties: false }),
  Type.Object({ times: Type.Array(timeOfDay, timesOf), timezone }, { additionalProperties: false }),
]);

/** As sent. Which members belong together, the feature says in words (sync-schedules.ts). */
export const scheduleBody = Type.Object(
  {
    interval_minutes: Type.Optional(minutes),
    times: Type.Optional(Type.Array(timeOfDay, timesOf)),
    timezone: Type.Optional(timezone),
  },
  { additionalProperties: false },
);

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

/** `latest_run` only where the caller asked to include it, and in the answer that creates the sync. */
export function presentSync(sync: Sync, now: number, withLatestRun: boolean): Static<typeof syncSchema> {
  const { row, destination, latestRun } = sync;
  const run = latestRun === null ? null : { id: latestRun.id, row: latestRun, lines: null };
  return {
    id: publicId('sync', row.id),
    object: 'sync',
    name: row.name,
    type: row.type,
    enabled: row.enabled,
    status: statusOfSync(row),
    attention: row.attention === null ? null : { code: row.attention },
    warnings: sync.sameAccounts.map((same) => ({
      code: 'same_account_twice',
      accounts: same.map((account) => publicId('account', account)),
    })),
    destination: {
      id: publicId('destination', destination.id),
      type: destination.type,
      name: destination.name,
      mapping_mode: row.mapping_mode,
    },
    accounts: sync.accounts.map((account) => publicId('account', account)),
    account_mappings: row.account_mappings.map((mapping) => presentMapping(mapping, destination.type)),
    columns: row.columns,
    options: { ...row.options },
    rulesets: sync.rulesets.map((ruleset) => publicId('ruleset', ruleset)),
    latest_run: withLatestRun && run !== null ? presentSyncRun(run, now) : null,
    schedule: presentSchedule(scheduleOf(row)),
    last_synced_at: momentOrNull(row.last_synced_at),
    next_run_at: momentOrNull(row.next_run_at),
    metadata: row.metadata,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

function presentSchedule(schedule: SyncSchedule | null): Static<typeof syncSchema>['schedule'] {
  if (schedule === null || 'interval_minutes' in schedule) return schedule;
  return { times: [...schedule.times], timezone: schedule.timezone };
}

/** Every member the type has, those left out as null. */
function presentMapping(mapping: AccountMapping, type: DestinationType): Record<string, string | null> {
  const { required = [], optional = [] } = DESTINATION_KINDS[type].mapping.entry ?? {};
  const members = [...required, ...optional].map((member) => [member, mapping[member] ?? null]);
  return { account: publicId('account', mapping.account), ...Object.fromEntries(members) };
}

export const syncExample: Static<typeof syncSchema> = {
  id: exampleId('sync'),
  object: 'sync',
  name: 'Everyday to the ledger',
  type: 'transactions',
  enabled: true,
  status: 'idle',
  attention: null,
  warnings: [],
  destination: {
    id: exampleId('destination'),
    type: 'webhook',
    name: 'Ledger service',
    mapping_mode: 'bulk',
  },
  accounts: [exampleId('account')],
  account_mappings: [],
  columns: null,
  options: {
    data_from: '2026-05-02',
    include_pending: false,
    mask_account_numbers: true,
    custom_categories: true,
    include_balances_tab: false,
  },
  rulesets: [],
  latest_run: null,
  schedule: { times: ['08:00', '18:30'], timezone: 'Pacific/Auckland' },
  last_synced_at: EXAMPLE_UPDATED,
  next_run_at: '2026-11-21T05:30:00.000Z',
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

export const syncsDocs: Readonly<Record<string, ResourceDocs>> = {
  sync: {
    description: 'What is copied from which accounts to which destination, and how.',
    fields: {
      status: 'running: a run is queued or under way; attention: the last run failed, or the sync is parked.',
      attention: 'Why a person should look at it.',
      warnings:
        'Effects of its settings that may be unwanted; it runs nevertheless. same_account_twice: these accounts are one account at the bank, linked more than once, so each of its rows is delivered once for each of them.',
      account_mappings: 'Where the rows of each account go, in per_account mode.',
      columns: 'Fields of its rows that the owner chose, in order; null for the standard columns.',
      rulesets: 'Ids of the attached rulesets.',
      latest_run:
        'The newest run, with include[]=latest_run and in the answer that queued it. Otherwise null, which does not mean that the sync never ran: see last_synced_at.',
      schedule:
        'When it runs on its own: every so many minutes, or at times of day in a zone. null: as often as the service lets it.',
      next_run_at: 'When the schedule next queues a run.',
    },
    example: syncExample,
  },
};

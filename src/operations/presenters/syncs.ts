import type { Static } from 'typebox';
import { scheduleOf } from '../../features/syncs/sync-schedules.ts';
import { type Sync, statusOfSync } from '../../features/syncs/syncs.ts';
import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import { ACCOUNT_MAPPINGS } from '../../vocabulary/account-mappings.ts';
import type { DestinationType } from '../../vocabulary/destinations.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { SyncSchedule } from '../../vocabulary/sync-schedules.ts';
import type { syncSchema } from '../schemas/syncs.ts';
import { moment, momentOrNull } from './moments.ts';
import { presentSyncRun } from './sync-runs.ts';

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
  const { required = [], optional = [] } = ACCOUNT_MAPPINGS[type].entry ?? {};
  const members = [...required, ...optional].map((member) => [member, mapping[member] ?? null]);
  return { account: publicId('account', mapping.account), ...Object.fromEntries(members) };
}

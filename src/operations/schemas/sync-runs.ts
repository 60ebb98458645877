import { Type } from 'typebox';
import { SYNC_RUN_STATUSES } from '../../vocabulary/states.ts';
import { RUN_ACCOUNT_STATUSES, RUN_FAILURE_CODES, RUN_TRIGGERS } from '../../vocabulary/syncs.ts';
import {
  day,
  dayOf,
  dayWindow,
  idOf,
  livemode,
  nullable,
  oneOf,
  resource,
  timestamp,
} from './conventions.ts';

const count = Type.Integer({ minimum: 0 });

export const countsSchema = Type.Object(
  { processed: count, added: count, updated: count, rejected: count, skipped_by_rules: count },
  { additionalProperties: false },
);

const failureSchema = Type.Object(
  { code: oneOf(RUN_FAILURE_CODES), retryable: Type.Boolean() },
  { additionalProperties: false },
);

const accountResultSchema = Type.Object(
  {
    account: idOf('account'),
    status: oneOf(RUN_ACCOUNT_STATUSES),
    counts: countsSchema,
    failure: nullable(
      Type.Object(
        { code: Type.String({ description: 'A code of the error reference.' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** docs/resources.md#sync-run, with a result for each account if included. */
export const syncRunSchema = resource('sync_run', {
  id: idOf('sync_run'),
  object: Type.Literal('sync_run'),
  sync: idOf('sync'),
  destination: idOf('destination'),
  status: oneOf(SYNC_RUN_STATUSES),
  trigger: oneOf(RUN_TRIGGERS),
  range: nullable(Type.Object({ from: day, to: day }, { additionalProperties: false })),
  counts: countsSchema,
  rejected_unlisted: Type.Integer({ minimum: 0 }),
  failure: nullable(failureSchema),
  account_results: nullable(
    Type.Array(accountResultSchema, {
      description:
        'Only with include[]=account_results. An account is incomplete when the run ended before it was delivered to its end, and while the bank still loads its history. Its counts say what was read of it by then.',
    }),
  ),
  started_at: nullable(timestamp),
  completed_at: nullable(timestamp),
  duration_ms: Type.Integer({ minimum: 0, description: 'So far, while the run is under way.' }),
  livemode,
  created: timestamp,
});

export const backfillBody = Type.Object({
  from: dayOf('First day, YYYY-MM-DD in the zone of each account.'),
  to: Type.Optional(dayWindow.to),
});

import { type Static, Type } from 'typebox';
import type { Verification } from '../../../features/sync-engine/verify/verification-result.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { ROW_ID_PATTERN } from '../../../vocabulary/provider-kinds.ts';
import {
  COLUMN_PROBLEMS,
  COMPARED_WITH,
  PROBLEM_KINDS,
  PROBLEM_REASON_NAMES,
  PROBLEM_REASONS,
  REFUSALS,
  REMEDIES,
} from '../../../vocabulary/verifications.ts';
import { syncPermit } from '../../admit.ts';
import { type Operation, operation } from '../../operation.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { exampleId } from '../docs/examples.ts';
import { day, idOf, idParams, livemode, nullable, oneOf, pathId, resource } from '../schema/conventions.ts';
import { transactionExample } from '../transactions/resource.ts';

const count = Type.Integer({ minimum: 0 });
const closed = { additionalProperties: false } as const;

const problem = resource('verification_problem', {
  object: Type.Literal('verification_problem'),
  kind: oneOf(PROBLEM_KINDS),
  reason: oneOf(PROBLEM_REASON_NAMES),
  remedy: oneOf(REMEDIES),
  account: idOf('account'),
  id: Type.String({ pattern: ROW_ID_PATTERN }),
  date: nullable(day),
  where: nullable(Type.String()),
  refusal: nullable(oneOf(REFUSALS)),
  fields: Type.Array(
    Type.Object(
      { name: Type.String(), expected: nullable(Type.String()), found: nullable(Type.String()) },
      closed,
    ),
  ),
});

/** docs/verification.md. */
export const verificationSchema = resource('verification', {
  object: Type.Literal('verification'),
  sync: idOf('sync'),
  compared_with: oneOf(COMPARED_WITH),
  accounts: Type.Array(
    Type.Object(
      {
        account: idOf('account'),
        failure: nullable(
          Type.Object({ code: Type.String({ description: 'A code of the error reference.' }) }, closed),
        ),
        unreadable: count,
        rejected_by_last_run: count,
      },
      closed,
    ),
  ),
  columns: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        where: nullable(Type.String()),
        problem: oneOf(COLUMN_PROBLEMS),
        remedy: oneOf(REMEDIES),
      },
      closed,
    ),
  ),
  counts: Type.Object(
    {
      bank: count,
      destination: nullable(count),
      alike: count,
      skipped_by_rules: count,
      in_doubt: count,
      others: nullable(count),
      unreadable: count,
      not_compared: count,
    },
    closed,
  ),
  problems: Type.Object({ missing: count, extra: count, different: count, doubled: count }, closed),
  data: Type.Array(problem),
  truncated: Type.Boolean(),
  livemode,
});

export function presentVerification(
  { comparedWith, accounts, columns, counts, kinds, problems, truncated }: Verification,
  sync: RowId<'sync'>,
): Static<typeof verificationSchema> {
  return {
    object: 'verification',
    sync: publicId('sync', sync),
    compared_with: comparedWith,
    accounts: accounts.map(({ account, failure, unreadable, rejectedByLastRun }) => ({
      account: publicId('account', account),
      failure: failure === null ? null : { code: failure },
      unreadable,
      rejected_by_last_run: rejectedByLastRun,
    })),
    columns: columns.map(({ name, where, problem, remedy }) => ({ name, where, problem, remedy })),
    counts: {
      bank: counts.bank,
      destination: counts.destination,
      alike: counts.alike,
      skipped_by_rules: counts.skipped,
      in_doubt: counts.inDoubt,
      others: counts.others,
      unreadable: counts.unreadable,
      not_compared: counts.notCompared,
    },
    problems: { ...kinds },
    data: problems.map(({ reason, remedy, account, id, date, where, refusal, fields }) => ({
      object: 'verification_problem',
      kind: PROBLEM_REASONS[reason].kind,
      reason,
      remedy,
      account: publicId('account', account),
      id,
      date,
      where,
      refusal,
      fields: fields.map((field) => ({ ...field })),
    })),
    truncated,
    livemode: true,
  };
}

type Shown = Static<typeof verificationSchema>;

const problemExample: Shown['data'][number] = {
  object: 'verification_problem',
  kind: 'different',
  reason: 'edited_there',
  remedy: 'resync',
  account: exampleId('account'),
  id: transactionExample.id,
  date: '2026-11-02',
  where: 'Sheet1, row 12',
  refusal: null,
  fields: [{ name: 'Amount', expected: '-4.5', found: '-5.4' }],
};

const verificationExample: Shown = {
  object: 'verification',
  sync: exampleId('sync'),
  compared_with: 'destination',
  accounts: [{ account: exampleId('account'), failure: null, unreadable: 0, rejected_by_last_run: 0 }],
  columns: [{ name: 'Merchant', where: 'Sheet1', problem: 'absent', remedy: 'run' }],
  counts: {
    bank: 212,
    destination: 212,
    alike: 211,
    skipped_by_rules: 0,
    in_doubt: 0,
    others: 0,
    unreadable: 0,
    not_compared: 0,
  },
  problems: { missing: 0, extra: 0, different: 1, doubled: 0 },
  data: [problemExample],
  truncated: false,
  livemode: true,
};

/** Resources of verifications, by their schema's name. */

export const verificationsDocs: Readonly<Record<string, ResourceDocs>> = {
  verification: {
    description: 'What the destination of a sync shows, compared with what the bank has.',
    fields: {
      compared_with:
        'record: the destination cannot be read, so the bank was compared with what was delivered.',
      accounts:
        'The accounts of the sync; failure says why one could not be read completely, unreadable how many of its rows could not be read, and rejected_by_last_run how many the last run could not deliver.',
      columns:
        'Columns that the sync shows and that the destination does not have, or not so that they hold the field: no row was compared in them.',
      counts:
        'destination and others are null if the destination was not read. others: rows there that belong to nothing that was compared. unreadable: rows of the bank that could not be read, and were not compared. not_compared: rows beyond the limit of one verification.',
      problems: 'How many there are of each kind, listed or not.',
      data: 'The first problems.',
      truncated: 'Whether there are more problems than those in data.',
    },
    example: verificationExample,
  },
  verification_problem: {
    description: 'One row that is not at the destination as it should.',
    fields: {
      reason: 'Why, as far as the record of deliveries proves it.',
      remedy: 'What removes it: the next run, a resync, or only a person.',
      id: 'The id of the row.',
      refusal: 'What of a refused row the destination cannot show; null if unknown.',
      where: 'How a person finds the row at the destination; null if it is not there or was not read.',
      fields: 'What a row that differs shows and should show; texts end after 100 characters.',
    },
    example: problemExample,
  },
};

export const verificationOperations: readonly Operation[] = [
  operation({
    id: 'verify_sync',
    summary: 'Compare the destination of a sync with the bank, row by row; nothing is written',
    docs: {
      description:
        'Reads the whole window of every account at the bank, and the destination where it can be read, and reports row by row what is missing, extra, different or there twice. Writes nothing and starts no run.',
    },
    method: 'POST',
    path: '/v2/syncs/:id/verify',
    scope: 'syncs:read',
    alsoScopes: ['data:read'],
    tier: 'heavy',
    effect: 'reads',
    longest: 'verification_seconds',
    params: idParams('sync'),
    response: verificationSchema,
    errors: [
      'resource_missing',
      'sync_has_no_destination',
      'sync_already_running',
      'destination_disabled',
      'not_supported',
      'professional_required',
      'categories_seed_failed',
      'upstream_auth_failed',
      'upstream_bad_request',
      'upstream_failed',
      'upstream_rate_limited',
      'upstream_timeout',
      'upstream_unavailable',
    ],
    handle: async ({ params, caller, services, signal }) => {
      const { accountRecord } = caller;
      const id = pathId('sync', params.id);
      const permit = syncPermit(caller, services.clock);
      return presentVerification(await services.verifications.of(accountRecord.id, id, permit, signal), id);
    },
  }),
];

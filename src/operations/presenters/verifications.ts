import type { Static } from 'typebox';
import type { Verification } from '../../features/sync-engine/verification-result.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import { PROBLEM_REASONS } from '../../vocabulary/verifications.ts';
import type { verificationSchema } from '../schemas/verifications.ts';

export function presentVerification(
  { comparedWith, accounts, columns, counts, kinds, problems, truncated }: Verification,
  sync: RowId<'sync'>,
): Static<typeof verificationSchema> {
  return {
    object: 'verification',
    sync: publicId('sync', sync),
    compared_with: comparedWith,
    accounts: accounts.map(({ account, failure, rejectedByLastRun }) => ({
      account: publicId('account', account),
      failure: failure === null ? null : { code: failure },
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

import { Type } from 'typebox';
import { ROW_ID_PATTERN } from '../../vocabulary/providers.ts';
import {
  COLUMN_PROBLEMS,
  COMPARED_WITH,
  PROBLEM_KINDS,
  PROBLEM_REASON_NAMES,
  REFUSALS,
  REMEDIES,
} from '../../vocabulary/verifications.ts';
import { day, idOf, livemode, nullable, oneOf, resource } from './conventions.ts';

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
      not_compared: count,
    },
    closed,
  ),
  problems: Type.Object({ missing: count, extra: count, different: count, doubled: count }, closed),
  data: Type.Array(problem),
  truncated: Type.Boolean(),
  livemode,
});

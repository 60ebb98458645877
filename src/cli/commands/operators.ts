import { Type } from 'typebox';
import { BY_OPERATOR } from '../../features/audit/audit-log.ts';
import { findUserByEmail, listOperators, setOperator } from '../../storage/users.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { command } from '../command.ts';
import { table } from '../table.ts';

/** `account operator`: who may look after the installation in a browser; without an address, who they are. */
export const accountOperator = command({
  name: 'account operator',
  args: Type.Object(
    { email: Type.Optional(Type.String()), remove: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  result: Type.Object({ operators: Type.Array(Type.Object({ email: Type.String() })) }),
  run: async ({ app: { database, clock, services } }, { email, remove = false }) => {
    const { db } = database;
    if (email !== undefined) {
      const user = await findUserByEmail(db, normalisedEmail(email));
      if (user === null) throw missing('user');
      const entry = {
        kind: remove ? 'operator.removed' : 'operator.appointed',
        by: BY_OPERATOR,
        from: null,
        target: publicId('user', user.id),
      } as const;
      await services.auditLog.atOnce(async () => {
        await setOperator(db, user.email_normalised, !remove, new Date(clock.now()));
        await services.auditLog.recordOfPerson(db, user.id, entry);
      });
    }
    return { operators: (await listOperators(db)).map((user) => ({ email: user.email })) };
  },
  show: ({ operators }) =>
    operators.length === 0
      ? 'Nobody is an operator. Make somebody one: tributary account operator --email …'
      : table(
          [{ title: 'OPERATORS' }],
          operators.map(({ email }) => [email]),
        ),
});

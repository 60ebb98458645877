import { Type } from 'typebox';
import { listOperators, setOperator } from '../../storage/users.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
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
  run: async ({ app: { database, clock } }, { email, remove = false }) => {
    if (email !== undefined) {
      const known = await setOperator(database.db, normalisedEmail(email), !remove, new Date(clock.now()));
      if (!known) throw missing('user');
    }
    return { operators: (await listOperators(database.db)).map((user) => ({ email: user.email })) };
  },
  show: ({ operators }) =>
    operators.length === 0
      ? 'Nobody is an operator. Make somebody one: tributary account operator --email …'
      : table(
          [{ title: 'OPERATORS' }],
          operators.map(({ email }) => [email]),
        ),
});

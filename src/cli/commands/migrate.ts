import { Type } from 'typebox';
import { pendingMigrations } from '../../storage/migrator.ts';
import { command } from '../command.ts';

/** `migrate`: opening the storage brings it up to date, so what is left to do is to say so. */
export const migrate = command({
  name: 'migrate',
  args: Type.Object({}, { additionalProperties: false }),
  result: Type.Object({ storage: Type.String(), pending: Type.Array(Type.String()) }),
  run: async ({ app }) => ({
    storage: app.database.kind,
    pending: await pendingMigrations(app.database.db),
  }),
  show: ({ storage, pending }) =>
    pending.length === 0
      ? `The ${storage} database is up to date.`
      : `The ${storage} database is still missing: ${pending.join(', ')}. Run tributary migrate with the version that has them.`,
});

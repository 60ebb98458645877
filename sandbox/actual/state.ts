import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { KeptState } from '../shared/state-file.ts';
import type { Sessions } from './sessions.ts';
import type { World } from './world.ts';

const KeptBudget = Type.Object({
  name: Type.String(),
  currency: Type.String(),
  /** The database in base64. */
  file: Type.String(),
});
const Kept = Type.Object({ password: Type.String(), budgets: Type.Array(KeptBudget) });

/** What survives a restart: the password, and the budgets with all their contents, except encrypted ones. */
export function actualState(world: World, sessions: Sessions): KeptState {
  return {
    read: () => ({
      password: sessions.password,
      budgets: world.budgets
        .filter(({ served, device }) => !served.deleted && device.encryption === null)
        .map(({ served, device, currency }) => {
          device.sync();
          return { name: served.name, currency, file: device.database().toString('base64') };
        }),
    }),
    restore: (state) => {
      if (!Value.Check(Kept, state)) return false;
      sessions.password = state.password;
      for (const { name, currency, file } of state.budgets)
        world.restore(name, currency, Buffer.from(file, 'base64'));
      return true;
    },
  };
}

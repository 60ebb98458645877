import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from 'kysely';
import type { Sync } from '../../../../src/features/syncs/syncs.ts';
import type { Db } from '../../../../src/storage/database.ts';
import { voidLeases } from '../../../../src/storage/sync-runs.ts';
import type { World } from './world.ts';

/**
 * A process that dies before its nth statement: that one fails and every later one does, so nothing it meant to write
 * afterwards is written and the transaction it was in is rolled back.
 */
export class Death implements KyselyPlugin {
  #left: number;
  happened = false;

  constructor(afterStatements: number) {
    this.#left = afterStatements;
  }

  transformQuery(args: PluginTransformQueryArgs): PluginTransformQueryArgs['node'] {
    this.#left -= 1;
    if (this.#left < 0) {
      this.happened = true;
      throw new Error('the process died');
    }
    return args.node;
  }

  async transformResult(args: PluginTransformResultArgs): Promise<PluginTransformResultArgs['result']> {
    return args.result;
  }
}

/** Works on the sync's open run with a process that dies after so many statements. Says whether it died. */
export async function runAndDie(world: World, sync: Sync, afterStatements: number): Promise<boolean> {
  const death = new Death(afterStatements);
  const db: Db = world.database.db.withPlugin(death);
  try {
    await world.run(sync, world.engine(db));
  } catch (error) {
    if (!death.happened) throw error;
  }
  // What the next start of the only process does.
  await voidLeases(world.database.db, new Date(0));
  return death.happened;
}

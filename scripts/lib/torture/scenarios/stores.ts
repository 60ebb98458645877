import { setTimeout as pause } from 'node:timers/promises';
import { createServerDatabase } from '../../../../test/support/database.ts';
import type { Outcome, Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { StoreProxy } from '../store-proxy.ts';
import { Asking, ask, deliveries, runsAgain, secondsUntil, succeeds } from '../watch.ts';

type Trouble = 'cut' | 'silent' | 'slow';
type Store = 'Postgres' | 'Redis';

const SILENT_MS = 20_000;
const SLOW_MS = 8_000;
const SLOW_BY_MS = 250;

/** The proxy to a store is cut five times, goes silent, or becomes slow, while a sync runs and callers ask. */
function trouble(store: Store, kind: Trouble): Scenario {
  return {
    name: `${kind} ${store}`,
    missing: ({ postgresUrl, redisUrl }) =>
      postgresUrl === null || redisUrl === null ? 'DATABASE_URL and REDIS_URL are not both set' : null,
    run: async ({ redisUrl }, scale) => {
      const database = await createServerDatabase();
      const postgres = await StoreProxy.to(database?.url ?? '');
      const redis = await StoreProxy.to(withPort(redisUrl ?? ''));
      const stage = await Stage.open({ databaseUrl: postgres.url, redisUrl: redis.url });
      try {
        return await suffer(stage, store === 'Postgres' ? postgres : redis, kind, Math.ceil(3000 * scale));
      } finally {
        postgres.silent = false;
        redis.silent = false;
        await stage.close();
        await postgres.close();
        await redis.close();
        await database?.drop();
      }
    },
  };
}

export const storeScenarios: readonly Scenario[] = (['Postgres', 'Redis'] as const).flatMap((store) =>
  (['cut', 'silent', 'slow'] as const).map((kind) => trouble(store, kind)),
);

async function suffer(stage: Stage, proxy: StoreProxy, kind: Trouble, rows: number): Promise<Outcome> {
  const [owner, receiver] = [await stage.owner(), await stage.receiver()];
  receiver.delayMs = 100;
  const sync = await stage.sync(owner, await stage.link(owner, `rows:${rows}`), receiver);
  await deliveries(receiver, 3);
  const asking = new Asking(owner, '/v2/syncs');
  const faults = await strike(proxy, kind);
  // A list of syncs asks the database, and counting the request asks Redis.
  const recovered = await secondsUntil(60_000, async () => (await ask(owner, 'GET', '/v2/syncs')) === 200);
  const done = (await succeeds(owner, sync)) && (await runsAgain(owner, sync));
  await asking.stop();
  return {
    faults,
    lost: rows - receiver.rows.size,
    doubled: receiver.duplicates,
    stuck: (done ? 0 : 1) + (recovered === null || recovered > 15 ? 1 : 0),
    errors: asking.errors,
    recoverySeconds: recovered ?? 60,
    remarks: [asking.answers()],
  };
}

/** Returns how many faults there were. */
async function strike(proxy: StoreProxy, kind: Trouble): Promise<number> {
  switch (kind) {
    case 'cut':
      for (let cut = 0; cut < 5; cut++) {
        proxy.cut();
        await pause(600);
      }
      return 5;
    case 'silent':
      proxy.silent = true;
      await pause(SILENT_MS);
      proxy.silent = false;
      return 1;
    case 'slow':
      proxy.delayMs = SLOW_BY_MS;
      await pause(SLOW_MS);
      proxy.delayMs = 0;
      return 1;
  }
}

function withPort(url: string): string {
  const known = new URL(url);
  if (known.port === '') known.port = '6379';
  return known.href;
}

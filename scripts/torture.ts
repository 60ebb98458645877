import { parseArgs } from 'node:util';
import { Progress } from '../src/cli/demo/progress.ts';
import { pairs } from '../src/cli/table.ts';
import { createServerDatabase } from '../test/support/database.ts';
import { wholeNumber } from './lib/numbers.ts';
import { torture } from './lib/torture.ts';

/** `npm run torture`: SIGKILL at random moments of a sync, then the count. Exit code 0 only when every row is there once. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    rows: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const options = {
  kills: wholeNumber('kills', values.kills, 50, 0),
  rows: wholeNumber('rows', values.rows, 20_000, 1),
  seed: wholeNumber('seed', values.seed, Math.floor(Math.random() * 1_000_000_000), 0),
};
const progress = new Progress(process.stderr);
progress.step(`Seed ${options.seed}: ${options.kills} kills during a sync of ${options.rows} rows`);
const database = await createServerDatabase();
try {
  const result = await torture({
    ...options,
    databaseUrl: database?.url ?? null,
    onProgress: (text) => progress.update(text),
  });
  progress.done();
  const shown = Object.entries(result).map(([name, value]): [string, string] => [
    name.replaceAll('_', ' '),
    String(value),
  ]);
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${pairs(shown)}\n`);
  process.exitCode = result.ok ? 0 : 1;
} finally {
  await database?.drop();
}

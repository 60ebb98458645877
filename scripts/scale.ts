import { parseArgs } from 'node:util';
import { newKeyEntry } from '../src/platform/keyring.ts';
import { type Costs, measureCosts } from './lib/scale/costs.ts';
import { dropDatabase, filledDatabase } from './lib/scale/databases.ts';

/**
 * `npm run scale`: fills databases with account records on the server of `DATABASE_URL`, measures what a service costs
 * on each, and prints the figures as JSON, for docs/scale.md. A filled database that is kept is used again with the same
 * `--key`.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10,1000,10000,100000' },
    key: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const server = process.env.DATABASE_URL;
if (server === undefined || server === '') {
  throw new Error('Set DATABASE_URL to a Postgres server of this machine whose superuser it names.');
}
const key = values.key ?? newKeyEntry();
if (values.keep) process.stderr.write(`The key of the filled databases: ${key}\n`);
const found: Costs[] = [];
for (const records of values.records.split(',').map(Number)) {
  const database = await filledDatabase(server, records, key);
  const costs = await measureCosts(database, key);
  found.push(costs);
  process.stdout.write(`${JSON.stringify(costs)}\n`);
  if (!values.keep) await dropDatabase(server, database);
}
// The simulators of the sandbox leave timers.
process.exit(0);

import { pathToFileURL } from 'node:url';

/**
 * The service of any checkout of this repository, with a bank data file, as a process of its own:
 * `node earlier-service.ts <checkout> <bank data file>`, settings from the environment. Prints the secret of a key with
 * every scope once it can be reached. Modules are loaded by path, because an older checkout brings its own.
 */
const [, , checkout = '', bankFile = ''] = process.argv;

const load = (path: string) => import(pathToFileURL(`${checkout}/src/${path}`).href);
const { serve } = await load('app/serve.ts');
const { readConfig } = await load('app/read-config.ts');
const { createLog } = await load('platform/log.ts');
const { systemClock } = await load('platform/clock.ts');
const { SCOPES } = await load('vocabulary/scopes.ts');

const config = readConfig({ ...process.env, SANDBOX_DATA: bankFile });
const { app } = await serve(config, {
  log: createLog({ level: config.logLevel }),
  clock: systemClock,
});
const { accountRecords, apiKeys } = app.services;
const record = await accountRecords.create({ email: 'owner@example.com' });
const { secret } = await apiKeys.create(record.id, { name: 'Earlier', scopes: SCOPES }, null);
process.stdout.write(`${secret}\n`);

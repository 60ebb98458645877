import { createServer } from 'node:http';
import { INTEGRATIONS } from '../src/app/integrations.ts';
import { say, settingsOf } from './lib/child.ts';

const { type, pagesUrl, stateFile } = settingsOf();

/**
 * The simulator of a destination in a process of its own, so that its rows are not in the memory that is measured. Its
 * time runs ahead of the machine's as far as its caller says, so that quotas which last hours do not.
 */
const integration = INTEGRATIONS.find(({ row }) => row.name === type)?.simulator;
if (integration === undefined || integration === null)
  throw new Error(`There is no simulator of ${String(type)}.`);
let aheadMs = 0;
const simulator = await (await integration.prepare(null)).start({
  clock: { now: () => Date.now() + aheadMs },
  pagesUrl: String(pagesUrl),
  stateFile: String(stateFile),
});

const READS = /^\/(?:select|begin|commit|rollback|savepoint|release|set|show)$/;

/**
 * `POST /<milliseconds>` moves the time; `GET /statements` says how many a database was given since the last time, and
 * `GET /` how many rows are there, and how many of them twice.
 */
const control = createServer((request, response) => {
  if (request.method === 'POST') {
    aheadMs = Math.max(aheadMs, Number(request.url?.slice(1)));
    simulator.control.clearRequests();
    response.end();
    return;
  }
  if (request.url === '/statements') {
    const all = simulator.control.requests();
    const reads = all.filter(({ path }) => READS.test(path)).length;
    simulator.control.clearRequests();
    response.end(JSON.stringify({ reads, writes: all.length - reads }));
    return;
  }
  const ids = simulator.received?.rows().map(({ id }) => id) ?? [];
  response.end(JSON.stringify({ rows: ids.length, twice: ids.length - new Set(ids).size }));
});
control.listen(0, '127.0.0.1', () => {
  const address = control.address();
  if (address !== null && typeof address === 'object')
    say({
      url: simulator.url,
      secret: simulator.secret,
      settings: simulator.settings,
      control: `http://127.0.0.1:${address.port}`,
    });
});
